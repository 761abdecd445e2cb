#include "kernel/rules/common.hpp"

#include <set>

namespace attest::kernel {

Minor::Minor(const Step& step, std::size_t height, std::size_t width)
    : rows(distinct_indices(step["rows"], height)), cols(distinct_indices(step["cols"], width)) {
  ENSURE(rows.size() == cols.size() || step.of == kDifferentRows,
         count(rows.size()) + " columns, as many as rows", count(cols.size()));
}

Fact non_singular(const Step& step, Matrix image, Word p) {
  const std::size_t size = image.rows;
  ENSURE(rows_independent(std::move(image), p), "a minor that is not 0 mod p", "a singular one");
  return Fact::at_least(step.of, size);
}

RationalMatrix rational_matrix(const Json& value, std::size_t rows, std::size_t cols) {
  return list(value, rows, [&](const Json& row) { return list(row, cols, rational); });
}

Family matrices(const Step& step) {
  const std::optional<std::string> name = match(step.of, "rank(*)");
  return family(step.problem, step.claim, name ? *name : *match(step.of, "kruskal(*)"));
}

const Layer& layer_of(const Step& step) {
  return step.layer(match(step.of, "rank(Z(*))").value_or("given"));
}

const Layer& built_layer(const Step& step, const Json& number) {
  const Layer& result = step.layer(count(word(number)));
  ENSURE(result.ring.absorbed, "a layer that is defined by its heads", "a random one");
  ENSURE(step.problem.source.layer->convex(), "coefficients that sum to 1", "a sink, or sigmoid ones");
  return result;
}

const Layer& built_layer(const Step& step) {
  return built_layer(step, step["layer"]);
}

const Layer& separated_layer(const Step& step) {
  const Layer& examined = built_layer(step);
  const std::size_t r = std::min(step.problem.n, step.problem.d_h);
  for (std::size_t h = 1; step.problem.n > 1 && h < examined.heads.size(); ++h) {
    const Head& head = examined.heads[h];
    std::size_t tied = head.lambda ? 0 : step.problem.T;
    for (std::size_t t = 0; head.lambda && t < step.problem.T; ++t) {
      const std::vector<Rational> entries =
          kernel::entries(separated(step.problem, head.key.back(), head.query.back(), t));
      if (std::set<Rational>(entries.begin(), entries.end()).size() < entries.size()) ++tied;
    }
    ENSURE(tied < r, "a separator of head " + count(h) + " that separates all examples but " + count(r - 1),
           "one that leaves " + count(tied));
  }
  return examined;
}

void ensure_separates(const Problem& problem, const std::vector<std::size_t>& subset, const Vector& u,
                      const Vector& v, const std::function<void(std::size_t, std::vector<Rational>)>& visit) {
  const std::set<std::size_t> members(subset.begin(), subset.end());
  for (std::size_t t = 0; t < problem.T; ++t) {
    if (members.count(t) != 0) {
      ENSURE(dot(v, problem.query(t)) == 0, "v . e_t = 0 at the member " + count(t), "another value");
      continue;
    }
    std::vector<Rational> entries = kernel::entries(separated(problem, u, v, t));
    ENSURE(std::set<Rational>(entries.begin(), entries.end()).size() == entries.size(),
           "different entries of (E_t u)(v . e_t)", "equal ones at example " + count(t));
    visit(t, std::move(entries));
  }
}

PrescribedWeights prescribed_weights(const Json& step, const Problem& problem, const Claim& claim,
                                     std::size_t most) {
  const std::vector<std::size_t>& subset = claim.subset();
  const ExactArray& coefficients = claim.array("coefficients");
  const std::size_t size = subset.size(), n = problem.n, d = problem.d;
  ENSURE(size <= most, "a subset of at most " + count(most), count(size));
  PrescribedWeights weights;
  weights.left = vectors(step.at("left_inverse"), size, d);
  weights.right =
      list(step.at("right_inverses"), size, [&](const Json& value) { return vectors(value, n, d); });
  for (std::size_t k = 0; k < size; ++k) {
    const Context tokens = problem.context(subset[k]);
    std::vector<Rational>& row = weights.coefficients.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      row.push_back(coefficients.at(k * n + i));
      for (std::size_t j = 0; j < n; ++j) {
        ENSURE(dot(tokens[i], weights.right[k][j]) == (i == j ? 1 : 0), "E_t R = I at member " + count(k),
               "another entry [" + count(i) + ", " + count(j) + "]");
      }
    }
    for (std::size_t other = 0; other < size; ++other) {
      ENSURE(dot(weights.left[k], problem.query(subset[other])) == (k == other ? 1 : 0),
             "L_k . e_t' = [t = t']", "another value for members " + count(k) + " and " + count(other));
    }
  }
  return weights;
}

Vector input_and_one(const Problem& problem, std::size_t t, bool query_only) {
  std::vector<Vector> parts;
  if (!query_only) parts = problem.context(t);
  parts.push_back(problem.query(t));
  std::vector<Rational> entries;
  for (const Vector& part : parts) std::ranges::copy(kernel::entries(part), std::back_inserter(entries));
  entries.push_back(1);
  return Vector(entries);
}

}  // namespace attest::kernel
