#include "checker/split.hpp"

#include <map>
#include <utility>

namespace attest::checker {
namespace {

std::vector<Integer> integers(const Json& value, std::size_t size) {
  std::vector<Integer> result;
  for (const Json& entry : array(value, size)) result.push_back(integer(entry));
  return result;
}

enum class Activity { active, inactive };

/// One tree, read in preorder.
class Tree {
public:
  Tree(const Problem& problem, const Claim& claim, const std::vector<Vector>& inputs, std::size_t positive)
      : problem_(problem),
        output_bias_(claim.flag("output_bias")),
        m_(claim.size("neurons")),
        positive_(positive),
        inputs_(inputs) {}

  void check(const Json& nodes) {
    struct Branch {
      Pair pair;
      bool second;  ///< in its `inactive` tree
    };
    std::vector<Branch> path;  // rather than recursion: a tree may be deep
    std::size_t next = 0;
    do {
      ENSURE(next < array(nodes).size(), "a tree for each branch", "the end of the list");
      Object node(nodes[next++]);
      if (node.find("neuron") != nullptr) {
        const Pair pair = {index(node["neuron"], m_), index(node["example"], problem_.T)};
        node.done();
        ENSURE(activity_.emplace(pair, Activity::active).second, "a pair that is not decided yet",
               count(pair.first) + ", " + count(pair.second));
        path.push_back({pair, false});
        continue;
      }
      leaf(node);
      while (!path.empty() && path.back().second) {
        activity_.erase(path.back().pair);
        path.pop_back();
      }
      if (!path.empty()) {
        path.back().second = true;
        activity_[path.back().pair] = Activity::inactive;
      }
    } while (!path.empty());
    ENSURE(next == nodes.size(), count(next) + " nodes in this tree", count(nodes.size()));
  }

private:
  using Pair = std::pair<std::size_t, std::size_t>;  ///< neuron, example

  void leaf(Object& node) const {
    const std::vector<Integer> examples = integers(node["examples"], problem_.T);
    const Json& rows = array(node["neurons"], m_);
    const std::vector<Integer> order = integers(node["order"], m_ - 1);
    node.done();

    Rational labels = 0;
    Integer sum = 0;
    for (std::size_t t = 0; t < problem_.T; ++t) {
      labels += Rational(examples[t]) * problem_.label(t, 0, false);
      sum += examples[t];
    }
    ENSURE(labels > 0, "a positive combination of the labels", text(labels));
    ENSURE(!output_bias_ || sum == 0, "factors of the examples that sum to 0", text(sum));
    for (std::size_t j = 0; j + 1 < m_; ++j) {
      ENSURE(order[j] >= 0, "factors of the order >= 0", text(order[j]));
      ENSURE(order[j] == 0 || sign(j) == sign(j + 1), "a factor 0 between neurons of different signs",
             text(order[j]));
    }
    for (std::size_t j = 0; j < m_; ++j) {
      const std::vector<Integer> factors = integers(rows[j], problem_.T);
      for (std::size_t t = 0; t < problem_.T; ++t) {
        const Integer most = -sign(j) * examples[t];
        const auto decided = activity_.find({j, t});
        const bool active = decided != activity_.end() && decided->second == Activity::active;
        const bool inactive = decided != activity_.end() && decided->second == Activity::inactive;
        ENSURE(active || factors[t] >= 0, "a factor >= 0 at neuron " + count(j) + ", example " + count(t),
               text(factors[t]));
        ENSURE(inactive || factors[t] <= most,
               "a factor <= " + text(most) + " at neuron " + count(j) + ", example " + count(t),
               text(factors[t]));
      }
      // sum_t nu_{j,t} (x_t, 1) = (rho_j - rho_{j-1}) (x_0, 1).
      std::vector<Rational> combined(factors.begin(), factors.end());
      if (j + 1 < m_) combined[0] -= order[j];
      if (j > 0) combined[0] += order[j - 1];
      ENSURE(is_zero(combination(combined, inputs_)),
             "a combination of the inputs that is 0, neuron " + count(j), "another vector");
    }
  }

  int sign(std::size_t j) const { return j < positive_ ? 1 : -1; }

  const Problem& problem_;
  bool output_bias_;
  std::size_t m_, positive_;
  const std::vector<Vector>& inputs_;
  std::map<Pair, Activity> activity_;  ///< of the pairs decided on the path to this node
};

}  // namespace

Vector input_and_one(const Problem& problem, std::size_t t, bool query_only) {
  std::vector<Rational> entries;
  const auto append = [&](const Vector& v) {
    for (std::size_t k = 0; k < v.size(); ++k) entries.push_back(v[k]);
  };
  if (!query_only) {
    for (const Vector& token : problem.context(t)) append(token);
  }
  append(problem.query(t));
  entries.push_back(1);
  return Vector(entries);
}

void check_trees(const Problem& problem, const Claim& claim, const Json& trees) {
  array(trees, claim.size("neurons") + 1);
  // Equal contexts only add constants, which are part of the biases.
  std::vector<Vector> inputs;
  for (std::size_t t = 0; t < problem.T; ++t) inputs.push_back(input_and_one(problem, t, problem.shared()));
  for (std::size_t positive = 0; positive < trees.size(); ++positive)
    Tree(problem, claim, inputs, positive).check(trees[positive]);
}

}  // namespace attest::checker
