#include "kernel/quantities/saturation.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "kernel/arithmetic/powers.hpp"
#include "kernel/layers/near_logits.hpp"
#include "kernel/layers/stack_enclosures.hpp"
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

std::vector<std::vector<Sides>> sides_of_largest_coefficients(const Problem& problem, const Layer& given,
                                                              const std::vector<std::size_t>& heads,
                                                              const std::vector<std::size_t>& examples,
                                                              const Rational& threshold, std::size_t bits,
                                                              const Reached& reached) {
  std::vector<std::vector<Sides>> found;
  if (problem.has_stack()) {
    // One word may tell all of them; more are of use until coefficients are known to 2^-bits.
    with_guard(examples, 0, [&](const std::vector<std::size_t>& some, std::size_t wanted, std::size_t guard) {
      const std::size_t b = wanted + guard;
      const EnclosedStack& stack = problem.enclosed_stack(b, some);
      const std::vector<NearHead> near = stack.heads_of(given);
      const Rational scaled = threshold * Rational(Integer(1) << b);
      const Integer unit = Integer(1) << (b - std::min(b, bits));
      bool narrow = b >= bits;
      std::size_t told = 0;
      found.assign(some.size(), std::vector<Sides>(heads.size()));
      for (std::size_t i = 0; i < some.size(); ++i)
        for (std::size_t k = 0; k < heads.size(); ++k) {
          const std::vector<Near> all = stack.coefficients(near[heads[k]], some[i]);
          const bool above = std::ranges::any_of(all, [&](const Near&x) { return x.mid - x.rad > scaled; }),
                     below = std::ranges::all_of(all, [&](const Near&x) { return x.mid + x.rad <= scaled; });
          found[i][k] = {above, below};
          told += above || below;
          narrow = narrow && std::ranges::all_of(all, [&](const Near& x) { return x.rad <= unit; });
        }
      return narrow || told == some.size() * heads.size();
    });
    return found;
  }
  // The largest coefficient, 1 over the sum of the powers, is known between multiples of 2^-bits: it is at
  // most the threshold, cut to one of these, or else at least the next.
  const Integer cut = floor(threshold * Rational(Integer(1) << bits)), square = Integer(1) << (2 * bits),
                most = square / (cut + 1);
  std::optional<Integer> enough;
  if (cut > 0) enough = (square + cut - 1) / cut;
  const LogitScale scale = left_scale(problem, given.ring);
  // Of logits, the largest of which is 0, times the scale; differences of them may be off by `error`.
  const auto tell = [&](Vector y, const Integer& error) -> Sides {
    Powers powers(problem.source.layer->base, bits, scale);
    const auto few = static_cast<std::ptrdiff_t>(std::min<std::size_t>(y.size(), 4));
    // So that few are enough: 1.25 times as fast for 512 given logits each, 100 examples, 4 heads.
    std::ranges::partial_sort(y.num, y.num.begin() + few, std::greater());
    Enclosure sum;
    for (Integer& num : y.num) num -= error;
    powers.of(y, sum, enough ? &*enough : nullptr);
    if (enough && sum.least >= *enough) return {0, 1};
    if (error == 0) return {sum.most <= most, 0};
    // What is told here is told of the exact logits, whose powers are known to 4 units.
    const Integer rest = most - 4 * Integer(y.size()), beyond = rest + 1;
    for (Integer& num : y.num) num = std::min<Integer>(0, num + 2 * error);
    sum = {};
    powers.of(y, sum, &beyond);
    return {sum.most <= rest, 0};
  };
  // Of logits, the largest first, whether 2^-k for whole k >= 13/9 x s, at most b^-x s as log2(e) < 13/9,
  // tell that the threshold is not exceeded. The term of the largest exact logit is 1, and those of the
  // others are no less than without the first of these.
  Rational steps = problem.source.layer->base == Base::two ? Rational(1) : Rational(13, 9);  // for x = 1
  if (scale.irrational()) {
    Integer root = Integer(scale.radicand) << 40, rest;
    mpz_sqrtrem(root.get_mpz_t(), rest.get_mpz_t(), root.get_mpz_t());
    steps *= Rational(Integer(1) << 20, root);  // at least 1 / sqrt(N)
    steps.canonicalize();
  } else {
    steps *= scale.rational;
  }
  const auto plainly_below = [&](std::span<const std::int64_t> largest, const Integer& times,
                                 const Integer& den, const Integer& error) {
    if (!enough) return false;
    const Integer divisor = steps.get_den() * den;
    Integer sum = Integer(1) << bits;
    for (std::size_t i = 1; i < largest.size() && sum < *enough; ++i) {
      const Integer x = times * static_cast<long>(largest[0] - largest[i]) + error,
                    k = (steps.get_num() * x + divisor - 1) / divisor;
      if (k <= Integer(bits)) sum += Integer(1) << (bits - k.get_ui());
    }
    return sum >= *enough;
  };
  found.assign(examples.size(), std::vector<Sides>(heads.size()));
  // Most are told by integers of few bits: checking T = 4096, n = 64, d = 768, H = 12 takes 1.4 s, not 8.7.
  if (scale.irrational() || scale.rational > 0)
    visit_near_logits(problem, given, heads, examples, [&](std::size_t r, std::size_t k, NearLogits logits) {
      std::vector<std::int64_t>& values = logits.values;
      for (std::int64_t& x : values) x = logits.times < 0 ? -x : x;
      const auto few = static_cast<std::ptrdiff_t>(std::min<std::size_t>(values.size(), 4));
      std::ranges::partial_sort(values, values.begin() + few, std::greater());
      const Integer times = abs(logits.times), error = 2 * logits.error;
      const auto below_largest = [&](std::ptrdiff_t count) {
        Vector y;  // not in lowest terms, as the error is not
        y.den = logits.den;
        std::for_each_n(values.begin(), count,
                        [&](std::int64_t x) { y.num.push_back(times * static_cast<long>(x - values[0])); });
        return y;
      };
      Sides& sides = found[r][k];
      if (plainly_below(std::span(values).first(static_cast<std::size_t>(few)), times, logits.den, error)) {
        sides = {0, 1};
        return;
      }
      sides = tell(below_largest(few), error);  // of the largest ones alone the sum is no more
      if (sides.below == 0) sides = tell(below_largest(std::ssize(values)), error);
    });
  const auto open = [](const Sides& sides) { return sides.above + sides.below == 0; };
  std::vector<std::size_t> rest;
  for (std::size_t r = 0; r < examples.size(); ++r)
    if (std::ranges::any_of(found[r], open)) rest.push_back(r);
  std::vector<std::size_t> others;
  for (const std::size_t r : rest) others.push_back(examples[r]);
  Logits logits(problem, given);
  logits.expect({heads.begin(), heads.end()}, others);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (reached) reached(examples.size() - rest.size() + i);
    for (std::size_t k = 0; k < heads.size(); ++k)
      if (Sides& sides = found[rest[i]][k]; open(sides)) sides = tell(logits(heads[k], others[i]), 0);
  }
  return found;
}

}  // namespace attest::kernel
