#include "kernel/rules/prescribed.hpp"

#include <set>

namespace attest::kernel {

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

}  // namespace attest::kernel
