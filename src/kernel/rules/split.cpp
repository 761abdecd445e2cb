// The rule `split`: given labels that no network fits (docs/certificate.md), by case trees with Farkas
// identities.
#include <map>
#include <utility>

#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

/// A tree about networks whose first `positive` neurons have positive factors, read in preorder.
struct Tree {
  const Problem& problem;
  const Claim& claim;
  const std::vector<Vector>& inputs;
  std::size_t positive, T = problem.T, m = claim.size("neurons");
  using Pair = std::pair<std::size_t, std::size_t>;  ///< neuron, example
  std::map<Pair, bool> active{};                     ///< of the pairs decided on the path to this node

  void check(const Json& nodes) {
    std::vector<Pair> path;  // rather than recursion: a tree may be deep
    std::size_t next = 0;
    do {
      ENSURE(next < array(nodes).size(), "a tree for each branch", "the end of the list");
      const Json& node = nodes[next++];
      if (node.contains("neuron")) {
        object(node, "neuron example");
        const Pair pair = {index(node.at("neuron"), m), index(node.at("example"), T)};
        ENSURE(active.emplace(pair, true).second, "a pair that is not decided yet",
               count(pair.first) + ", " + count(pair.second));
        path.push_back(pair);
        continue;
      }
      leaf(node);
      for (; !path.empty() && !active.at(path.back()); path.pop_back()) active.erase(path.back());
      if (!path.empty()) active[path.back()] = false;
    } while (!path.empty());
    ENSURE(next == nodes.size(), count(next) + " nodes in this tree", count(nodes.size()));
  }

  int sign(std::size_t j) const { return j < positive ? 1 : -1; }

  void leaf(const Json& node) const {
    object(node, "examples neurons order");
    const std::vector<Integer> examples = list(node.at("examples"), T, integer);
    const std::vector<Integer> order = list(node.at("order"), m - 1, integer);
    Rational labels = 0;
    Integer sum = 0;
    for (std::size_t t = 0; t < T; ++t) {
      labels += Rational(examples[t]) * problem.label(t, 0, false);
      sum += examples[t];
    }
    ENSURE(labels > 0, "a positive combination of the labels", text(labels));
    ENSURE(!claim.flag("output_bias") || sum == 0, "factors of the examples that sum to 0", text(sum));
    for (std::size_t j = 0; j + 1 < m; ++j) {
      ENSURE(order[j] >= 0, "factors of the order >= 0", text(order[j]));
      ENSURE(order[j] == 0 || sign(j) == sign(j + 1), "a factor 0 between neurons of different signs",
             text(order[j]));
    }
    const Json& rows = array(node.at("neurons"), m);
    for (std::size_t j = 0; j < m; ++j) {
      const std::vector<Integer> factors = list(rows[j], T, integer);
      for (std::size_t t = 0; t < T; ++t) {
        const Integer most = -sign(j) * examples[t];
        const auto decided = active.find({j, t});
        const bool open = decided == active.end(), on = !open && decided->second, off = !open && !on;
        ENSURE(on || factors[t] >= 0, "a factor >= 0 at neuron " + count(j) + ", example " + count(t),
               text(factors[t]));
        ENSURE(off || factors[t] <= most,
               "a factor <= " + text(most) + " at neuron " + count(j) + ", example " + count(t),
               text(factors[t]));
      }
      // sum_t nu_{j,t} (x_t, 1) = (rho_j - rho_{j-1}) (x_0, 1).
      std::vector<Rational> combined(factors.begin(), factors.end());
      if (j + 1 < m) combined[0] -= order[j];
      if (j > 0) combined[0] += order[j - 1];
      ENSURE(is_zero(combination(combined, inputs)),
             "a combination of the inputs that is 0, neuron " + count(j), "another vector");
    }
  }
};

/// Concludes that no network of the claim's neurons fits the labels: for each number of neurons with positive
/// factors, a tree of decisions which neurons are active at which examples covers all such networks, and at
/// each leaf factors of the equations and inequalities sum up to 0 > 0 (docs/mathematics.md, The remaining
/// statements: *Given labels*).
void check_trees(const Problem& problem, const Claim& claim, const Json& trees) {
  array(trees, claim.size("neurons") + 1);
  // Equal contexts only add constants, which are part of the biases.
  std::vector<Vector> inputs;
  for (std::size_t t = 0; t < problem.T; ++t) inputs.push_back(input_and_one(problem, t, problem.shared()));
  for (std::size_t positive = 0; positive < trees.size(); ++positive)
    Tree{problem, claim, inputs, positive}.check(trees[positive]);
}

}  // namespace

/// network(given) <= 0, when for every number of positive neurons a tree of activation patterns ends in
/// Farkas identities only.
Fact rules::split(const Step& step) {
  check_trees(step.problem, step.claim, step["trees"]);
  return Fact::at_most(step.of, 0);
}

}  // namespace attest::kernel
