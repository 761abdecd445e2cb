// The stack before the layer: what is the same of the vectors that leave it, for exact reasons.
#pragma once

#include <vector>

#include "kernel/problem.hpp"

namespace attest::kernel {

/// Examples that are the same, or opposite, for all weights of the layers (docs/certificate.md, The stack).
struct ExampleClasses {
  std::size_t different = 0;            ///< no two have equal rows of Z by symmetry
  std::vector<std::size_t> first;       ///< for each example the first with an equal row by symmetry
  std::vector<std::size_t> directions;  ///< examples: nor opposite ones, nor one that is 0
};
ExampleClasses example_classes(const Problem& problem);

/// Dimensions of what contains, for exact reasons, the vectors that enter the layer.
struct Hulls {
  std::size_t linear = 0, affine = 0, differences = 0;
};
Hulls hulls(const Problem& problem);

/// Of the layer's means, and of what they are functions of, when the weights of all layers are free.
struct StackDimensions {
  std::size_t means = 0;  ///< of a space that contains all rows of Z, at almost all weights
  Integer weights;        ///< directions in which weights other than the read-out move Z, symmetries left out
};
/// A Failure unless all layers of the stack are attention.
StackDimensions stack_dimensions(const Problem& problem);

/// Of hidden vectors of which, when there is one head in each layer before and no residual connection, each
/// example's means are combinations with sum 1, but for one matrix.
struct ComposedMeans {
  std::size_t hidden = 0;  ///< the dimension of what they span
  Integer moved;  ///< of the outputs that an example's differences have under any read-out, summed up
  /// Of the linear maps of this span that take the vectors of each example to combinations of differences.
  std::size_t maps = 0;
};
ComposedMeans composed_means(const Problem& problem);

/// Heads of the given layer with different W_h and W_K,h b_Q,h.
std::size_t different_heads(const Problem& problem);

/// What the Kruskal rank of the queries that enter, and the least rank of a context, are at most: by vectors
/// that are 0, equal or opposite, and what contains the tokens.
struct StackRanks {
  std::size_t queries, context;
};
StackRanks stack_ranks(const Problem& problem);

}  // namespace attest::kernel
