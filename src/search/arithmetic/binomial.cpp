#include "search/arithmetic/binomial.hpp"

#include "base/meter.hpp"

namespace attest {
namespace {

constexpr unsigned kBits = 20;
constexpr unsigned long kOne = 1ul << kBits;

// 2^(20 trials) P(X <= most) for X binomial with `trials` trials of probability numerator / 2^20 < 1.
mpz_class tail(std::size_t most, std::size_t trials, unsigned long numerator) {
  const unsigned long other = kOne - numerator;
  meter().work((most + 1) * (trials * kBits / 64 + 1) * 5);
  mpz_class term, sum;  // term: of X = i, from i = 0 on
  mpz_ui_pow_ui(term.get_mpz_t(), other, trials);
  sum = term;
  for (std::size_t i = 0; i < most; ++i) {
    term *= trials - i;
    term *= numerator;
    mpz_divexact_ui(term.get_mpz_t(), term.get_mpz_t(), i + 1);
    mpz_divexact_ui(term.get_mpz_t(), term.get_mpz_t(), other);
    sum += term;
  }
  return sum;
}

// Whether 40 P(X <= most) <= 1, by the shorter one of both tails. Precondition: most < trials, 0 < numerator.
bool rare(std::size_t most, std::size_t trials, unsigned long numerator) {
  const mpz_class one = mpz_class(1) << kBits * trials;
  if (numerator == kOne) return true;
  if (most <= trials / 2) return 40 * tail(most, trials, numerator) <= one;
  return 40 * (one - tail(trials - most - 1, trials, kOne - numerator)) <= one;
}

// The least multiple of 2^-20 at which as few as `most` are rare; 1 when there is none below.
mpq_class upper_end(std::size_t most, std::size_t trials) {
  if (most == trials) return 1;
  unsigned long low = 0, high = kOne;  // not rare, rare
  while (high - low > 1) {
    const unsigned long middle = (low + high) / 2;
    (rare(most, trials, middle) ? high : low) = middle;
  }
  mpq_class result(high, kOne);
  result.canonicalize();
  return result;
}

}  // namespace

Share clopper_pearson(std::size_t least, std::size_t most, std::size_t trials) {
  // As many as `least` of those that have the property: as few as trials - least of the others.
  return {1 - upper_end(trials - least, trials), upper_end(most, trials)};
}

}  // namespace attest
