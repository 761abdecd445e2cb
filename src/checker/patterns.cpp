#include "checker/patterns.hpp"

#include <map>
#include <utility>

#include "checker/steps.hpp"

namespace attest::checker {
namespace {

/// The tokens of E_t (unless `query_only`), then e_t, then 1.
Vector input_and_one(const Problem& problem, std::size_t t, bool query_only) {
  std::vector<Rational> entries;
  const auto append = [&](const Vector& v) {
    for (std::size_t k = 0; k < v.size(); ++k) entries.push_back(v[k]);
  };
  if (!query_only) {
    const auto context = problem.context(t);
    for (const Vector& token : *context) append(token);
  }
  append(problem.query(t));
  entries.push_back(1);
  return Vector(entries);
}

std::vector<Rational> rationals(const Json& value, std::size_t size) {
  std::vector<Rational> result;
  for (const Json& entry : array(value, size)) result.push_back(rational(entry));
  return result;
}

std::vector<Integer> integers(const Json& value, std::size_t size) {
  std::vector<Integer> result;
  for (const Json& entry : array(value, size)) result.push_back(integer(entry));
  return result;
}

enum class Activity { active, inactive };

/// One tree of `pattern-search`, read in preorder.
class Tree {
public:
  Tree(const Problem& problem, const Claim& claim, const std::vector<Vector>& inputs, std::size_t positive)
      : problem_(problem),
        output_bias_(claim.output_bias),
        m_(claim.neurons),
        positive_(positive),
        inputs_(inputs) {}

  /// Returns the number of leaves.
  std::size_t check(const Json& nodes) {
    struct Branch {
      Pair pair;
      bool second;  ///< in its `inactive` tree
    };
    std::vector<Branch> path;  // rather than recursion: a tree may be deep
    std::size_t leaves = 0, next = 0;
    do {
      ensure(next < array(nodes).size(), "a tree for each branch", "the end of the list");
      Object node(nodes[next++]);
      if (node.find("neuron") != nullptr) {
        const Pair pair = {index(node["neuron"], m_), index(node["example"], problem_.T)};
        node.done();
        ensure(activity_.emplace(pair, Activity::active).second, "a pair that is not decided yet",
               count(pair.first) + ", " + count(pair.second));
        path.push_back({pair, false});
        continue;
      }
      leaf(node);
      ++leaves;
      while (!path.empty() && path.back().second) {
        activity_.erase(path.back().pair);
        path.pop_back();
      }
      if (!path.empty()) {
        path.back().second = true;
        activity_[path.back().pair] = Activity::inactive;
      }
    } while (!path.empty());
    ensure(next == nodes.size(), count(next) + " nodes in this tree", count(nodes.size()));
    return leaves;
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
    ensure(labels > 0, "a positive combination of the labels", text(labels));
    ensure(!output_bias_ || sum == 0, "factors of the examples that sum to 0", text(Rational(sum)));
    for (std::size_t j = 0; j + 1 < m_; ++j) {
      ensure(order[j] >= 0 && (order[j] == 0 || sign(j) == sign(j + 1)),
             "factors >= 0, and 0 between neurons of different signs", text(Rational(order[j])));
    }
    for (std::size_t j = 0; j < m_; ++j) {
      const std::vector<Integer> factors = integers(rows[j], problem_.T);
      for (std::size_t t = 0; t < problem_.T; ++t) {
        const Integer most = -sign(j) * examples[t];
        const auto decided = activity_.find({j, t});
        const bool active = decided != activity_.end() && decided->second == Activity::active;
        const bool inactive = decided != activity_.end() && decided->second == Activity::inactive;
        const std::string place = " at neuron " + count(j) + ", example " + count(t);
        ensure(active || factors[t] >= 0, "a factor >= 0" + place, text(Rational(factors[t])));
        ensure(inactive || factors[t] <= most, "a factor <= " + text(Rational(most)) + place,
               text(Rational(factors[t])));
      }
      // sum_t nu_{j,t} (x_t, 1) = (rho_j - rho_{j-1}) (x_0, 1).
      std::vector<Rational> combined(factors.begin(), factors.end());
      if (j + 1 < m_) combined[0] -= order[j];
      if (j > 0) combined[0] += order[j - 1];
      std::vector<const Vector*> inputs;
      for (const Vector& input : inputs_) inputs.push_back(&input);
      ensure(is_zero(combination(combined, inputs)),
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

bool about_given_labels(const Claim& claim) {
  return claim.statement == "proposition-3" && claim.labels == Claim::Labels::given;
}

void ClaimChecker::network_weights(Object& step) {
  ensure(about_given_labels(claim_), "a claim about given labels", "another one");
  struct Neuron {
    Vector weights;  ///< and the bias
    Rational factor;
  };
  std::vector<Neuron> neurons;
  for (const Json& value : array(step["neurons"], claim_.neurons)) {
    Object neuron(value);
    std::vector<Rational> weights = rationals(neuron["w"], (problem_.n + 1) * problem_.d);
    weights.push_back(rational(neuron["b"]));
    neurons.push_back({Vector(weights), rational(neuron["a"])});
    neuron.done();
  }
  const Rational bias = claim_.output_bias ? rational(step["output_bias"]) : Rational(0);
  for (std::size_t t = 0; t < problem_.T; ++t) {
    const Vector input = input_and_one(problem_, t, false);
    Rational output = bias;
    for (const Neuron& neuron : neurons) {
      const Rational value = dot(neuron.weights, input);
      if (value > 0) output += neuron.factor * value;
    }
    const Rational label = problem_.label(t, 0, false);
    ensure(output == label, "the output " + text(label) + " at example " + count(t), text(output));
  }
}

void ClaimChecker::pattern_search(Object& step) {
  ensure(about_given_labels(claim_), "a claim about given labels", "another one");
  const Json& trees = array(step["trees"], claim_.neurons + 1);
  // Equal contexts only add constants, which are part of the biases.
  std::vector<Vector> inputs;
  for (std::size_t t = 0; t < problem_.T; ++t)
    inputs.push_back(input_and_one(problem_, t, problem_.shared()));
  std::size_t leaves = 0;
  for (std::size_t positive = 0; positive < trees.size(); ++positive)
    leaves += Tree(problem_, claim_, inputs, positive).check(trees[positive]);
  note_ = count(leaves) + " leaves";
}

Conclusion conclude_given_labels(const Problem& problem, const Claim& claim, const Facts& facts) {
  for (const std::string& argument : facts.shown) {
    ensure(argument == "network-weights" || argument == "pattern-search",
           "a step that belongs to proposition-3 with given labels", argument);
  }
  const bool fits = facts.shown.count("network-weights") != 0,
             never = facts.shown.count("pattern-search") != 0;
  const std::size_t width = (problem.n + 1) * problem.d, bias = claim.output_bias ? 1 : 0;
  const std::size_t k = claim.neurons * ((problem.shared() ? problem.d : width) + 1) + bias;
  Conclusion end;
  end.result["parameters"] = {{"network", claim.neurons * (width + 2) + bias}, {"examples_needed", k + 1}};
  if (fits || never) end.result["fits"] = fits;
  end.verdict = fits ? Verdict::verified : never ? Verdict::refuted : Verdict::undecided;
  return end;
}

}  // namespace attest::checker
