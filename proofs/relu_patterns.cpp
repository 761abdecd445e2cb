// The search of proposition-3 with given labels. With |a_j| absorbed, neuron j is s_j max(0, h_j(x)), s_j = 1
// or -1, h_j(x) = u_j . (x, 1). For each number of neurons with s_j = 1 there is one mixed system: z_{j,t} =
// max(0, h_j(x_t)) and sum_j s_j z_{j,t} + b_0 = y_t. It is relaxed to z >= 0 and z >= h, and the search
// branches on pairs (j, t): active, z = h >= 0, or inactive, z = 0 >= h. Neurons of one sign may be permuted,
// so they are sorted by h_j(x_0). A relaxation without a solution gives a leaf; one whose u fits the labels
// ends everything.
#include "proofs/relu_patterns.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "search/arithmetic/bounded_system.hpp"

namespace attest {
namespace {

class Search {
public:
  /// Takes what it uses off the budget.
  Search(const NetworkQuestion& question, std::size_t positive, PatternBudget& budget)
      : question_(question),
        T_(question.inputs.rows()),
        width_(question.inputs.cols() + 1),
        m_(question.neurons),
        positive_(positive),
        budget_(budget),
        decided_(m_ * T_),
        system_(forms()) {
    for (std::size_t j = 0; j < m_; ++j)
      for (std::size_t t = 0; t < T_; ++t) set_undecided(j, t);
    for (std::size_t t = 0; t < T_; ++t)
      system_.set_bounds(output(t), {question.labels[t], question.labels[t]});
    for (std::size_t j = 0; j + 1 < m_; ++j)
      if (sign(j) == sign(j + 1)) system_.set_bounds(order(j), {0, std::nullopt});
  }

  /// A tree without a solution and the decisions that its leaves use.
  struct Refutation {
    PatternTree tree;
    std::vector<bool> used;
  };
  /// Empty when a network was found. Throws LimitError when the budget is spent.
  std::optional<Refutation> run() {
    if (budget_.nodes == 0) throw LimitError("too many linear programs");
    --budget_.nodes;
    if (const auto conflict = system_.solve(budget_.entries)) return refutation(*conflict);
    network_ = read_network();
    if (network_) return std::nullopt;
    const auto [j, t] = worst_pair();
    const bool active_first = system_.value(before_relu(j, t)) > 0;
    std::optional<Refutation> first = decide(j, t, active_first);
    // A proof that does not need the decision holds for the other one too.
    if (!first || !first->used[j * T_ + t]) return first;
    std::optional<Refutation> second = decide(j, t, !active_first);
    if (!second || !second->used[j * T_ + t]) return second;
    if (!active_first) std::swap(first, second);
    PatternTree tree = {{j, t, std::nullopt}};
    tree.insert(tree.end(), first->tree.begin(), first->tree.end());
    tree.insert(tree.end(), second->tree.begin(), second->tree.end());
    for (std::size_t k = 0; k < m_ * T_; ++k)
      first->used[k] = k != j * T_ + t && (first->used[k] || second->used[k]);
    return Refutation{std::move(tree), std::move(first->used)};
  }
  const std::optional<Network>& network() const { return network_; }

private:
  int sign(std::size_t j) const { return j < positive_ ? 1 : -1; }

  // The variables: weights u, outputs z of the neurons, the output bias; and the forms h, z - h, outputs of
  // the network, h_j(x_0) - h_{j+1}(x_0).
  std::size_t weight(std::size_t j, std::size_t k) const { return j * width_ + k; }
  std::size_t after_relu(std::size_t j, std::size_t t) const { return m_ * width_ + j * T_ + t; }
  std::size_t bias() const { return m_ * (width_ + T_); }
  std::size_t variables() const { return bias() + (question_.output_bias ? 1 : 0); }
  std::size_t before_relu(std::size_t j, std::size_t t) const { return variables() + j * T_ + t; }
  std::size_t difference(std::size_t j, std::size_t t) const { return variables() + (m_ + j) * T_ + t; }
  std::size_t output(std::size_t t) const { return variables() + 2 * m_ * T_ + t; }
  std::size_t order(std::size_t j) const { return variables() + (2 * m_ + 1) * T_ + j; }

  RationalMatrix forms() const {
    RationalMatrix a((2 * m_ + 1) * T_ + m_ - 1, variables());
    const auto row = [&](std::size_t v) { return v - variables(); };
    const auto input = [&](std::size_t t, std::size_t k) -> mpq_class {
      return k + 1 < width_ ? question_.inputs(t, k) : mpq_class(1);
    };
    for (std::size_t t = 0; t < T_; ++t) {
      for (std::size_t j = 0; j < m_; ++j) {
        for (std::size_t k = 0; k < width_; ++k) {
          a(row(before_relu(j, t)), weight(j, k)) = input(t, k);
          a(row(difference(j, t)), weight(j, k)) = -input(t, k);
        }
        a(row(difference(j, t)), after_relu(j, t)) = 1;
        a(row(output(t)), after_relu(j, t)) = sign(j);
      }
      if (question_.output_bias) a(row(output(t)), bias()) = 1;
    }
    for (std::size_t j = 0; j + 1 < m_; ++j)
      for (std::size_t k = 0; k < width_; ++k) {
        a(row(order(j)), weight(j, k)) = input(0, k);
        a(row(order(j)), weight(j + 1, k)) = -input(0, k);
      }
    return a;
  }

  void set_undecided(std::size_t j, std::size_t t) {
    system_.set_bounds(before_relu(j, t), {});
    system_.set_bounds(after_relu(j, t), {0, std::nullopt});
    system_.set_bounds(difference(j, t), {0, std::nullopt});
  }

  std::optional<Refutation> decide(std::size_t j, std::size_t t, bool active) {
    decided_[j * T_ + t] = true;
    system_.set_bounds(before_relu(j, t), active ? BoundedSystem::Bounds{0, std::nullopt}
                                                 : BoundedSystem::Bounds{std::nullopt, 0});
    system_.set_bounds(active ? difference(j, t) : after_relu(j, t), {0, 0});
    auto result = run();
    decided_[j * T_ + t] = false;
    set_undecided(j, t);
    return result;
  }

  /// The undecided pair where the relaxation is farthest from max(0, h).
  std::pair<std::size_t, std::size_t> worst_pair() const {
    std::pair<std::size_t, std::size_t> worst;
    mpq_class largest = -1;
    for (std::size_t j = 0; j < m_; ++j)
      for (std::size_t t = 0; t < T_; ++t) {
        const mpq_class& h = system_.value(before_relu(j, t));
        const mpq_class gap = system_.value(after_relu(j, t)) - (h > 0 ? h : mpq_class(0));
        if (!decided_[j * T_ + t] && gap > largest) {
          largest = gap;
          worst = {j, t};
        }
      }
    return worst;
  }

  /// The network with the weights of the relaxation's solution, if it fits the labels.
  std::optional<Network> read_network() const {
    Network network;
    if (question_.output_bias) network.output_bias = system_.value(bias());
    for (std::size_t t = 0; t < T_; ++t) {
      mpq_class y = network.output_bias;
      for (std::size_t j = 0; j < m_; ++j) {
        const mpq_class& h = system_.value(before_relu(j, t));
        if (h > 0) y += sign(j) * h;
      }
      if (y != question_.labels[t]) return std::nullopt;
    }
    for (std::size_t j = 0; j < m_; ++j) {
      Neuron neuron;
      for (std::size_t k = 0; k + 1 < width_; ++k) neuron.w.push_back(system_.value(weight(j, k)));
      neuron.b = system_.value(weight(j, width_ - 1));
      neuron.a = sign(j);
      network.neurons.push_back(std::move(neuron));
    }
    return network;
  }

  Refutation refutation(const BoundedSystem::Conflict& conflict) const {
    std::vector<mpq_class> factor(order(m_ - 1));
    for (const auto& [v, k] : conflict) factor[v] = k;
    std::vector<mpq_class> numbers;
    for (std::size_t t = 0; t < T_; ++t) numbers.push_back(factor[output(t)]);
    for (std::size_t j = 0; j < m_; ++j)
      for (std::size_t t = 0; t < T_; ++t)
        numbers.push_back(factor[difference(j, t)] - factor[before_relu(j, t)]);
    for (std::size_t j = 0; j + 1 < m_; ++j) numbers.push_back(factor[order(j)]);
    std::vector<mpz_class> integers = RationalVector(numbers).num;
    mpz_class divisor = 0;
    for (const mpz_class& x : integers) divisor = gcd(divisor, x);
    for (mpz_class& x : integers) x /= divisor;

    PatternLeaf leaf;
    auto next = integers.cbegin();
    const auto take = [&](std::size_t count) {
      next += static_cast<std::ptrdiff_t>(count);
      return std::vector<mpz_class>(next - static_cast<std::ptrdiff_t>(count), next);
    };
    leaf.examples = take(T_);
    Refutation result;
    for (std::size_t j = 0; j < m_; ++j) {
      leaf.neurons.push_back(take(T_));
      for (std::size_t t = 0; t < T_; ++t) {
        const mpz_class& nu = leaf.neurons[j][t];
        result.used.push_back(nu < 0 || nu > -sign(j) * leaf.examples[t]);
      }
    }
    leaf.order = take(m_ - 1);
    result.tree.push_back({0, 0, std::move(leaf)});
    return result;
  }

  const NetworkQuestion& question_;
  std::size_t T_, width_, m_, positive_;
  PatternBudget& budget_;
  std::vector<bool> decided_;
  BoundedSystem system_;
  std::optional<Network> network_;
};

}  // namespace

PatternAnswer fit_network(const NetworkQuestion& question, PatternBudget budget) try {
  const auto T = static_cast<double>(question.inputs.rows()), m = static_cast<double>(question.neurons);
  // One tableau; a search needs a hundred pivots at least.
  if (100 * (2 * m + 1) * T * m * (static_cast<double>(question.inputs.cols()) + 1 + T) > budget.entries)
    return {};
  std::vector<PatternTree> trees(question.neurons + 1);
  // A short search for each number of positive neurons comes first, since one that fits is often found soon;
  // 0, m, 1, m - 1, ..., since few signs of the other kind make the relaxation strong.
  for (const bool complete : {false, true})
    for (std::size_t k = 0; k <= question.neurons; ++k) {
      const std::size_t positive = k % 2 == 0 ? k / 2 : question.neurons - k / 2;
      if (!trees[positive].empty()) continue;
      PatternBudget allowance = budget;
      if (!complete) allowance.nodes = std::min(budget.nodes, 2 * question.neurons * question.inputs.rows());
      const PatternBudget before = allowance;
      try {
        Search search(question, positive, allowance);
        auto refutation = search.run();
        if (!refutation) return {search.network(), {}};
        trees[positive] = std::move(refutation->tree);
      } catch (const LimitError&) {
        meter().work(0);
        if (complete || allowance.entries < 0) throw;
      }
      budget.nodes -= before.nodes - allowance.nodes;
      budget.entries = allowance.entries;
    }
  return {std::nullopt, std::move(trees)};
} catch (const LimitError&) {
  meter().work(0);  // --work is another limit than the budget
  return {};
}

}  // namespace attest
