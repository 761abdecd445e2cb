// Does a two-layer ReLU network with m neurons fit given labels exactly? Decided for small sizes by a search
// through activation patterns.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <vector>

#include "search/arithmetic/rational.hpp"

namespace attest {

/// The inputs x_t as rows (T x D), one label each; f(x) = sum_{j < neurons} a_j max(0, w_j . x + b_j) [+
/// b_0].
struct NetworkQuestion {
  RationalMatrix inputs;
  std::vector<mpq_class> labels;
  std::size_t neurons = 1;
  bool output_bias = false;
};

/// a max(0, w . x + b), a = 1 or -1.
struct Neuron {
  std::vector<mpq_class> w;
  mpq_class b;
  int a = 1;
};

struct Network {
  std::vector<Neuron> neurons;
  mpq_class output_bias;
};

/// Why no network fits under the decisions that lead to a leaf (docs/mathematics.md, 'Given labels').
/// Integers without a common factor.
struct PatternLeaf {
  std::vector<mpz_class> examples;              ///< lambda_t
  std::vector<std::vector<mpz_class>> neurons;  ///< nu_{j,t}
  std::vector<mpz_class> order;                 ///< rho_j, j < m - 1
};

/// A branch on whether a neuron is active at an example, or a leaf.
struct PatternNode {
  std::size_t neuron = 0, example = 0;  ///< of a branch
  std::optional<PatternLeaf> leaf;
};

/// In preorder: a branch is followed by the tree of `active`, then that of `inactive`.
using PatternTree = std::vector<PatternNode>;

/// How much is spent. Counts, so that certificates are reproducible.
struct PatternBudget {
  std::size_t nodes = 20000;  ///< linear programs
  double entries = 1e8;       ///< updates of tableau entries
};

struct PatternAnswer {
  std::optional<Network> network;  ///< it fits the labels
  std::vector<PatternTree>
      trees;  ///< no network does: trees[p] is for p neurons with a = 1 and m - p with a = -1
  bool decided() const { return network.has_value() || !trees.empty(); }
};

/// Undecided when the budget is spent.
PatternAnswer fit_network(const NetworkQuestion& question, PatternBudget budget = {});

}  // namespace attest
