// Layers before the layer: the vectors that enter it, and Z, enclosed.
#pragma once

#include <functional>
#include <vector>

#include "kernel/arithmetic/fixed_point.hpp"
#include "kernel/layers/enclosed_z.hpp"

namespace attest::kernel {

/// The matrices of attention heads.
struct NearHead {
  std::vector<NearVector> key, query;  ///< logits are those of key (query x + bias); without query: key x
  NearVector bias;
  bool scaled = true;  ///< of the layer itself: by the case's scale, which is not in the weights
};

/// The vectors that enter the layer, of those examples that were asked for. What is computed with so many
/// bits is known to about as many, less what the layers lose.
class EnclosedStack {
public:
  /// `problem` outlives it.
  EnclosedStack(const Problem& problem, std::size_t bits);
  EnclosedStack(const EnclosedStack&) = delete;
  EnclosedStack& operator=(const EnclosedStack&) = delete;

  /// Before these examples are asked for.
  void prepare(const std::vector<std::size_t>& examples);

  /// The heads of a layer behind these, without separators.
  std::vector<NearHead> heads_of(const Layer& layer) const;
  /// The coefficients of such a head at example t.
  std::vector<Near> coefficients(const NearHead& head, std::size_t t) const;
  /// Whether every `size` of the queries of all examples are shown to be independent, or the tokens of an
  /// example; `mixed`: with the mean of the example's tokens added to each.
  bool queries_independent(std::size_t size, bool mixed) const;
  bool tokens_independent(std::size_t t, bool mixed) const;
  /// The mean of the tokens of example t under them.
  NearVector mean(const std::vector<Near>& coefficients, std::size_t t) const;

private:
  /// The vectors of one stage, by rows of `hidden`; empty: not asked for.
  using Rows = std::vector<NearVector>;
  /// What a layer makes of a row.
  using Map = std::function<NearVector(const Rows& rows, std::size_t row)>;
  Map attention(const StackLayer& layer) const;
  Map mlp(const StackLayer& layer) const;
  Map rmsnorm(const StackLayer& layer) const;
  /// Row number `row` of what enters, plus the mean of the tokens of example t if `mixed`.
  std::vector<Near> vector(std::size_t row, std::size_t t, bool mixed) const;

  const Problem& problem_;
  const FixedPoint numbers_;
  std::vector<Map> layers_;
  std::vector<Rows> stages_;  ///< what enters each of them, and the layer itself
  Near scale_;                ///< of its logits
};

/// Calls `attempt` with more and more bits as a guard, until it returns that errors are a few units 2^-bits;
/// first for one example with a bit more, which tells at little cost that a guard is too small.
void with_guard(const std::vector<std::size_t>& examples, std::size_t bits,
                const std::function<bool(const std::vector<std::size_t>& some, std::size_t bits,
                                         std::size_t guard)>& attempt);

/// As enclosed_z. A Failure for a layer with separators.
EnclosedZ stack_enclosed_z(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                           const std::vector<std::size_t>& cols, std::size_t bits, bool one_radius);

}  // namespace attest::kernel
