// Sums of square roots, beside real numbers of 300 bits.
#include "search/arithmetic/root_field.hpp"

#include <doctest/doctest.h>

#include "base/errors.hpp"
#include "problem/generate.hpp"

using namespace attest;

namespace {

mpf_class value(const RootField& field, const RootNumber& x) {
  mpf_class sum(0, 300);
  for (const auto& [set, c] : x) sum += mpf_class(c, 300) * sqrt(mpf_class(field.radicand(set), 300));
  return sum;
}

}  // namespace

TEST_CASE("sums of square roots multiply like real numbers, and are 0 when they are") {
  SplitMix64 random(3, 0);
  const mpf_class tiny = mpf_class(1, 300) >> 200;
  for (int turn = 0; turn < 60; ++turn) {
    std::vector<mpz_class> integers;
    for (int k = 0; k < 6; ++k) {
      integers.emplace_back(1);
      for (const unsigned long factor : {2UL, 3UL, 9UL, 20UL, 77UL, 1000003UL})
        if (random.below(3) == 0) integers.back() *= factor;
    }
    const RootField field({integers.begin(), integers.end()});
    for (const mpz_class& g : field.generators()) {
      CHECK(g > 1);
      CHECK(mpz_perfect_square_p(g.get_mpz_t()) == 0);
      for (const mpz_class& other : field.generators())
        if (&g != &other) CHECK(gcd(g, other) == 1);
    }
    std::vector<RootNumber> numbers;
    std::vector<mpf_class> values;
    for (int k = 0; k < 4; ++k) {
      numbers.emplace_back();
      values.emplace_back(0, 300);
      for (const mpz_class& n : integers) {
        mpq_class c(static_cast<long>(random.below(7)) - 3, 2);
        c.canonicalize();
        add(numbers.back(), field.root(n, 1), c);
        values.back() += mpf_class(c, 300) * sqrt(mpf_class(n, 300));
      }
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (std::size_t j = 0; j < numbers.size(); ++j) {
        const RootNumber product = field.multiply(numbers[i], numbers[j]);
        CHECK(abs(value(field, product) - values[i] * values[j]) < tiny);
        RootNumber difference = numbers[i];
        add(difference, numbers[j], -1);
        CHECK(difference.empty() == (abs(values[i] - values[j]) < tiny));
      }
  }
}

TEST_CASE("too many square roots are a limit") {
  std::set<mpz_class> primes;
  for (mpz_class p = 2; primes.size() <= RootField::kMostGenerators;
       mpz_nextprime(p.get_mpz_t(), p.get_mpz_t()))
    primes.insert(p);
  CHECK_THROWS_AS(RootField{primes}, const LimitError&);
  primes.erase(primes.begin());
  CHECK(RootField(primes).generators().size() == RootField::kMostGenerators);
}
