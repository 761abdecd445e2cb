// The stack before the layer: the vectors that leave it, and Z, enclosed.
#pragma once

#include <functional>
#include <vector>

#include "kernel/arithmetic/fixed_point.hpp"
#include "kernel/layers/enclosed_z.hpp"
#include "kernel/layers/stack.hpp"

namespace attest::kernel {

/// A head of the layer itself.
struct NearHead : StackHead<FixedPoint> {
  bool scaled = true;  ///< by the case's scale, which is not in the weights
};

/// The vectors that enter the layer, of those examples that were asked for. What is computed with so many
/// bits is known to about as many, less what the layers lose.
class EnclosedStack {
public:
  /// `problem` outlives it.
  EnclosedStack(const Problem& problem, std::size_t bits);

  /// Before these examples are asked for.
  void prepare(const std::vector<std::size_t>& examples) { stack_.prepare(examples); }

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
  /// What enters the layer, by rows of `hidden`; empty: not asked for.
  const std::vector<NearVector>& rows() const { return stack_.rows(problem_.source.stack.size()); }
  /// Row number `row` of what enters, plus the mean of the tokens of example t if `mixed`.
  std::vector<Near> vector(std::size_t row, std::size_t t, bool mixed) const;

  const Problem& problem_;
  const FixedPoint numbers_;
  Stack<FixedPoint> stack_;
  Near scale_;  ///< of the layer's logits
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
