// The rule `ball`: inequalities between real numbers, by enclosures.
#include <algorithm>

#include "kernel/layers/enclosed_z.hpp"
#include "kernel/layers/stack_enclosures.hpp"
#include "kernel/quantities/accuracy.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

/// A number of `all` that are shown to be above, or else below; `count_sides` counts both at a precision.
template <class CountSides>
Fact counted(const Step& step, std::size_t all, const std::string& what, CountSides count_sides) {
  const bool above = choice(step["side"], "above", "below");
  const std::size_t number = word(step["count"]), bits = precision(step["precision"]);
  const auto [sides, first] = step.sides.try_emplace({step.of, number > 0 ? bits : 0});
  if (first && number > 0) sides->second = count_sides(bits);
  const std::size_t shown = above ? sides->second.above : sides->second.below;
  ENSURE(shown >= number, count(number) + " " + what, count(shown));
  return above ? Fact::at_least(step.of, number) : Fact::at_most(step.of, Integer(all) - number);
}

}  // namespace

/// distinct(Z) >= |rows|, when of any two of these distinct rows, enclosed, some entries are apart.
Fact rules::apart(const Step& step) {
  const std::vector<std::size_t> rows = distinct_indices(step["rows"], step.problem.T);
  const std::size_t bits = precision(step["precision"]);
  Logits logits(step.problem, step.layer("given"));
  if (rows.size() < 2) return Fact::at_least(step.of, rows.size());  // whatever its enclosure
  const EnclosedZ z = enclosed_z(logits, rows, all_below(step.problem.H * step.problem.d), bits);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < k; ++i) {
      std::size_t j = 0;
      while (j < z.mid[k].size() && abs(z.mid[k][j] - z.mid[i][j]) <= z.rad[k][j] + z.rad[i][j]) ++j;
      ENSURE(j < z.mid[k].size(), "rows that are apart",
             "rows " + count(rows[i]) + " and " + count(rows[k]) + " that may be equal");
    }
  }
  return Fact::at_least(step.of, rows.size());
}

static const EnclosedStack& stack(const Step& step) {
  ENSURE(step.problem.has_stack(), "layers before the layer", "none");
  constexpr std::size_t kLeast = 56;  // more than asked for, as with_guard has
  return step.problem.enclosed_stack(precision(step["precision"]) + kLeast, all_below(step.problem.T));
}

/// rank(contexts) >= the least number of tokens of an example, when the tokens of each, as they enter the
/// layer, enclosed, are independent by elimination; of mixed contexts with the mean of all added to each.
Fact rules::stack_contexts(const Step& step) {
  const EnclosedStack& vectors = stack(step);
  std::size_t least = step.problem.n;
  for (std::size_t t = 0; t < step.problem.T; ++t) {
    least = std::min(least, step.problem.source.tokens(t));
    const auto tokens = step.problem.source.data.members->list(t);
    if (t > 0 && std::ranges::equal(tokens, step.problem.source.data.members->list(t - 1))) continue;
    ENSURE(vectors.tokens_independent(t, step.of == "rank(mixed-contexts)"),
           "tokens of example " + count(t) + " that are independent", "some that may not be");
  }
  return Fact::at_least(step.of, least);
}

/// kruskal(queries) >= k, when every k of the queries, as they enter the layer, enclosed, are independent by
/// elimination; of mixed ones with the mean of the example's tokens added.
Fact rules::stack_queries(const Step& step) {
  const EnclosedStack& vectors = stack(step);
  const Word k = word(step["k"]);
  ENSURE(k <= step.problem.T, "k <= " + count(step.problem.T), count(k));
  ENSURE(vectors.queries_independent(k, step.of == "kruskal(mixed-queries)"),
         "independent vectors in every subset of " + count(k), "some that may not be");
  return Fact::at_least(step.of, k);
}

/// saturated >= count or <= all - count, when `count` of the pairs of head and example, enclosed, have
/// their largest coefficient above the claim's threshold, or not above it.
Fact rules::saturated(const Step& step) {
  const std::vector<std::size_t> heads =
      step.claim.has("head") ? std::vector{step.claim.size("head")} : all_below(step.problem.H);
  return counted(step, step.problem.T * heads.size(), "pairs of head and example", [&](std::size_t bits) {
    const Rational threshold = step.claim.number("threshold");
    std::vector<std::size_t> missing;
    std::ranges::copy_if(heads, std::back_inserter(missing), [&](std::size_t h) {
      return !step.found.saturated.contains({h, threshold, bits});
    });
    for (const std::vector<Sides>& example : sides_of_largest_coefficients(
             step.problem, step.layer("given"), missing, all_below(step.problem.T), threshold, bits))
      for (std::size_t k = 0; k < missing.size(); ++k)
        step.found.saturated[{missing[k], threshold, bits}] += example[k];
    Sides sum;
    for (const std::size_t h : heads) sum += step.found.saturated.at({h, threshold, bits});
    return sum;
  });
}

/// accurate >= count or <= T - count, when `count` examples are right, or wrong, by their enclosed scores.
Fact rules::accurate(const Step& step) {
  return counted(step, step.problem.T, "examples", [&](std::size_t bits) {
    Sides sum;
    for (const Sides& each :
         sides_of_examples(step.problem, step.claim, step.layer("given"), all_below(step.problem.T), bits))
      sum += each;
    return sum;
  });
}

/// numerical_rank >= |vectors| or <= min(T, H d) - |vectors|, when the form of C C^T - theta^2 (or of its
/// negative) on the integer vectors is strictly diagonally dominant, C an integer matrix close to 2^bits Z
/// and theta the tolerance of it, moved by more than their singular values can differ.
Fact rules::numerical_rank(const Step& step) {
  const bool above = choice(step["side"], "above", "below");
  const std::size_t bits = precision(step["bits"]);
  const std::size_t width = step.problem.H * step.problem.d, size = std::min(step.problem.T, width);
  const std::size_t vectors = array(step["vectors"]).size();
  const IntegerMatrix x =
      list(step["vectors"], vectors, [&](const Json& row) { return list(row, size, integer); });
  ENSURE(vectors > 0, "a vector", "none");
  std::optional<Found::LastZ>& enclosed = step.found.enclosed;
  if (!enclosed || enclosed->bits != bits) {
    Logits logits(step.problem, step.layer("given"));
    EnclosedZ z = enclosed_z(logits, all_below(step.problem.T), all_below(width), bits, nullptr, true);
    enclosed = {bits, std::move(z.mid), (*std::ranges::max_element(z.rad))[0]};
  }
  // How far a singular value of 2^bits Z can be from one of the integers: at most radius sqrt(T H d).
  const Integer distance = enclosed->radius * (sqrt(Integer(step.problem.T) * width) + 1);
  const Rational scaled = step.claim.number("tolerance") * Rational(Integer(1) << bits);
  const Integer theta = above ? Integer(floor(scaled) + 1 + distance) : Integer(floor(scaled) - distance);
  ENSURE(theta > 0, "bits enough to tell the tolerance from 0", count(bits));
  ENSURE(dominant(x, enclosed->z, step.problem.T > width, theta, above),
         "a diagonally dominant matrix X (C C^T - theta^2 I) X^T, or its negative", "another one");
  return above ? Fact::at_least(step.of, vectors) : Fact::at_most(step.of, Integer(size) - vectors);
}

/// vertex_limit >= 1, when E W' e of the claim's example is largest at the vertex alone, lambda > 0, and
/// the other coefficients at lambda are at most epsilon / 2 together.
Fact rules::vertex_limit(const Step& step) {
  const Vector x = products(step.problem, step.claim.array("w_prime"), step.claim.size("example")),
               y = products(step.problem, step.claim.array("w_star"), step.claim.size("example"));
  const std::size_t vertex = index(step["vertex"], step.problem.n);
  const Rational lambda = positive(step["lambda"]);
  std::vector<Rational> exponents;
  for (std::size_t i = 0; i < step.problem.n; ++i) {
    if (i == vertex) continue;
    ENSURE(x[vertex] > x[i], "the largest entry of E W' e at the vertex", "none smaller at " + count(i));
    exponents.push_back(y[i] - y[vertex] - lambda * (x[vertex] - x[i]));
  }
  check_distance(step.problem, exponents, step.claim.number("epsilon"));
  return Fact::at_least(step.of, 1);
}

/// one_hot >= 1, when the inverses are those of `weights` for at most r - 1 members, u and v separate the
/// other examples, and at each of them lambda exceeds what the prescribed weights can add, up to epsilon.
Fact rules::one_hot(const Step& step) {
  const std::size_t r = std::min(step.problem.n, step.problem.d_h);
  const PrescribedWeights weights = prescribed_weights(step.keys, step.problem, step.claim, r - 1);
  const Vector u = vector(step["u"], step.problem.d), v = vector(step["v"], step.problem.d);
  const Rational lambda = rational(step["lambda"]);
  ensure_separates(
      step.problem, step.claim.subset(), u, v, [&](std::size_t t, std::vector<Rational> entries) {
        if (step.problem.n == 1) return;  // the only coefficient is 1
        std::sort(entries.rbegin(), entries.rend());
        // How far entries of E_t W e_t are apart: -log_b(p / q) is at most the number of binary digits of q.
        Rational spread = 0;
        for (std::size_t k = 0; k < weights.left.size(); ++k) {
          for (std::size_t i = 0; i < step.problem.n; ++i) {
            const std::vector<Rational> x =
                kernel::entries(products(step.problem.context(t), weights.right[k][i]));
            spread += Rational(mpz_sizeinbase(weights.coefficients[k][i].get_den_mpz_t(), 2)) *
                      (*std::ranges::max_element(x) - *std::ranges::min_element(x)) *
                      abs(dot(weights.left[k], step.problem.query(t)));
          }
        }
        const Rational exponent = spread - lambda * (entries[0] - entries[1]);
        check_distance(step.problem, std::vector(step.problem.n - 1, exponent), step.claim.number("epsilon"));
      });
  return Fact::at_least(step.of, 1);
}

}  // namespace attest::kernel
