// The rule `compare`: exact conditions on numbers that the step gives.
#include <algorithm>

#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// separator >= 1, when u and v are not 0, v . e_t = 0 on the subset, and the entries of (E_t u)(v . e_t)
/// are different for every other t.
Fact rules::separator(const Step& step) {
  const Vector u = vector(step["u"], step.problem.d), v = vector(step["v"], step.problem.d);
  ENSURE(!is_zero(u) && !is_zero(v), "u and v other than 0", "0");
  ensure_separates(step.problem, step.claim.subset(), u, v, [](std::size_t, const std::vector<Rational>&) {});
  return Fact::at_least(step.of, 1);
}

/// network(given) >= 1, when the m neurons, with a bias exactly if the claim has one, give every label.
Fact rules::network(const Step& step) {
  struct Neuron {
    Vector weights;  ///< and the bias
    Rational factor;
  };
  const auto read = [&](const Json& neuron) {
    object(neuron, "w b a");
    std::vector<Rational> weights = list(neuron.at("w"), (step.problem.n + 1) * step.problem.d, rational);
    weights.push_back(rational(neuron.at("b")));
    return Neuron{Vector(weights), rational(neuron.at("a"))};
  };
  const std::vector<Neuron> neurons = list(step["neurons"], step.claim.size("neurons"), read);
  const bool biased = step.claim.flag("output_bias");
  ENSURE(biased == step.has("output_bias"), biased ? "an output_bias" : "no output_bias", "another step");
  const Rational bias = biased ? rational(step["output_bias"]) : Rational(0);
  for (std::size_t t = 0; t < step.problem.T; ++t) {
    const Vector input = input_and_one(step.problem, t, false);
    Rational output = bias;
    for (const Neuron& neuron : neurons)
      output += neuron.factor * std::max(dot(neuron.weights, input), Rational(0));
    const Rational label = step.problem.label(t, 0, false);
    ENSURE(output == label, "the output " + text(label) + " at example " + count(t), text(output));
  }
  return Fact::at_least(step.of, 1);
}

/// With S = (A - B)^T (A - B), G = A^T A and mu > 0: perturbation >= 1, when all eigenvalues of S are below
/// mu, and all of G are 0 or at least mu; perturbation <= 0, when neither is so.
Fact rules::perturbation(const Step& step) {
  const Rational mu = positive(step["mu"]);
  const std::vector<Vector> a = family(step.problem, step.claim, "a").member(0).exact(),
                            b = family(step.problem, step.claim, "b").member(0).exact();
  std::vector<Vector> difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(combination({1, -1}, {a[i], b[i]}));
  const RationalMatrix s = gram(difference), g = gram(a);
  const auto compared = [&](const RationalMatrix& x, int sign) {  // +-(X^2 - mu X)
    RationalMatrix result = gram(std::vector<Vector>(x.begin(), x.end()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) result[i][j] = sign * (result[i][j] - mu * x[i][j]);
    }
    return semidefinite_rank(result);
  };
  const bool small = compared(s, -1) == semidefinite_rank(s);
  const std::optional<std::size_t> rank = compared(g, 1);
  if (choice(step["side"], "holds", "fails")) {
    ENSURE(small, "eigenvalues of S below mu", "another one");
    ENSURE(rank.has_value(), "eigenvalues of G that are 0 or at least mu", "another one");
    return Fact::at_least(step.of, 1);
  }
  ENSURE(!small, "an eigenvalue of S that is at least mu", "none");
  ENSURE(!rank || rank < semidefinite_rank(g), "an eigenvalue of G above 0 that is at most mu", "none");
  return Fact::at_most(step.of, 0);
}

}  // namespace attest::kernel
