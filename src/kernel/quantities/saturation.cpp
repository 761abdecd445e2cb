#include "kernel/quantities/saturation.hpp"

#include <algorithm>

#include "kernel/arithmetic/powers.hpp"
#include "kernel/layers/entering.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {

void check_distance(const Problem& problem, const std::vector<Rational>& exponents, const Rational& epsilon) {
  const std::size_t bits = 256 + mpz_sizeinbase(epsilon.get_den_mpz_t(), 2);
  Integer sum = 0;
  Powers power(problem.source.layer->base, bits);
  for (const Rational& x : exponents) sum += power(x < 0 ? x.get_num() : Integer(0), x.get_den()).most;
  ENSURE(2 * sum <= epsilon * Rational(Integer(1) << bits), "a distance of at most " + text(epsilon),
         "one that may be more");
}

std::vector<Sides> count_largest_coefficients(const Problem& problem, const Layer& given,
                                              const std::vector<std::size_t>& heads,
                                              const Rational& threshold, std::size_t bits) {
  std::vector<Sides> found(heads.size());
  if (problem.deep()) {
    // One word may tell all of them; more are of use until coefficients are known to 2^-bits.
    with_guard(
        all_below(problem.T), 0,
        [&](const std::vector<std::size_t>& some, std::size_t wanted, std::size_t guard) {
          const std::size_t b = wanted + guard;
          const Entering& entering = problem.entering(b, some);
          const Rational scaled = threshold * Rational(Integer(1) << b);
          const Integer unit = Integer(1) << (b - std::min(b, bits));
          bool narrow = b >= bits;
          std::size_t told = 0;
          found.assign(heads.size(), {});
          for (const std::size_t t : some)
            for (std::size_t k = 0; k < heads.size(); ++k) {
              const std::vector<Near> all = entering.coefficients(heads[k], t);
              const bool above =
                             std::ranges::any_of(all, [&](const Near&x) { return x.mid - x.rad > scaled; }),
                         below =
                             std::ranges::all_of(all, [&](const Near&x) { return x.mid + x.rad <= scaled; });
              found[k].above += above;
              found[k].below += below;
              told += above || below;
              narrow = narrow && std::ranges::all_of(all, [&](const Near& x) { return x.rad <= unit; });
            }
          return narrow || told == some.size() * heads.size();
        });
    return found;
  }
  // The largest coefficient is 1 over the sum of the powers.
  const Rational least = Rational(Integer(1) << bits) / threshold;
  const Integer enough = floor(least) + (is_integer(least) ? 0 : 1);
  Logits logits(problem, given);
  Powers powers(problem.source.layer->base, bits, left_scale(problem, given.ring));
  for (std::size_t t = 0; t < problem.T; ++t) {
    for (std::size_t k = 0; k < heads.size(); ++k) {
      Vector y = logits(heads[k], t);
      const auto few = static_cast<std::ptrdiff_t>(std::min<std::size_t>(y.size(), 4));
      // So that few are enough: 1.25 times as fast for 512 given logits each, 100 examples, 4 heads.
      std::ranges::partial_sort(y.num, y.num.begin() + few, std::greater());
      Enclosure sum;
      powers.of(y, sum, &enough);
      found[k].above += sum.most < enough;
      found[k].below += sum.least >= enough;
    }
  }
  return found;
}

}  // namespace attest::kernel
