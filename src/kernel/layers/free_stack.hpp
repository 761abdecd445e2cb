// Attention layers behind each other under a nested character, when the weights of all of them are free.
#pragma once

#include <map>

#include "kernel/layers/stack.hpp"

namespace attest::kernel {

/// Residues modulo the primes of a nested character, as numbers of a Stack.
struct NestedResidues {
  using Words = std::vector<Word>;
  using Vector = std::vector<Words>;  ///< by primes; none modulo the first ones behind a softmax

  const std::vector<Word> primes;
  Vector exact(const ExactArray& array, std::size_t first, std::size_t length, std::size_t step = 1) const;
  Vector sum(const Vector& a, const Vector& b) const;
  Vector products(const std::vector<Vector>& rows, const Vector& x,
                  const std::span<const std::uint32_t>* index = nullptr) const;
  /// Modulo each prime, of logits modulo the one before. A Failure where a denominator is 0.
  Vector softmax(const Vector& logits) const;
  Vector mean(const Vector& coefficients, const std::vector<Vector>& rows,
              std::span<const std::uint32_t> index, std::size_t d) const;
};

/// The stack and the layer itself, with integer weights that a seed draws, and the image of Z and of its
/// outputs' derivatives modulo the last of the primes q_0, q_1 = 2 q_0 + 1, ..., one more than layers
/// (docs/certificate.md, The stack). Not for several threads at once.
class FreeStack {
public:
  /// A Failure for layers that are no attention, other primes, a bound or seed out of range, denominators of
  /// the data or of the softmax that vanish modulo one of the primes.
  FreeStack(const Problem& problem, const std::vector<Word>& primes, Word bound, Word seed);

  Word p() const { return numbers_.primes.back(); }
  /// Of the Jacobian: T d_out outputs, all weights.
  std::size_t height() const { return checked_size(problem_.T, problem_.d_out); }
  std::size_t width() const { return width_; }
  Matrix minor_of_z(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) const;
  Matrix minor_of_j(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) const;

private:
  using Words = NestedResidues::Words;
  const std::vector<StackHead<NestedResidues>>& heads(std::size_t k) const {
    return k + 1 < layers_.size() ? stack_.heads(k) : last_;
  }
  /// Weights of a head.
  std::size_t of_head(const StackLayer& layer) const {
    return problem_.d * (2 * layer.head_dim + layer.value->shape()[2]);
  }
  /// What head h of layer k does, modulo p, with a row of `hidden`, or for the last layer with an example.
  struct Seen {
    Words coefficients, mean;
  };
  const Seen& seen(std::size_t k, std::size_t h, std::size_t index) const;
  /// Adds to the derivatives of a sum by the weights and by the inputs, rows `origin` and on, what they are
  /// by the outputs `by_output` of layer k at a row or example; to those by the weights without a reduction.
  void pull_back(std::size_t k, std::size_t index, const Words& by_output, std::size_t origin,
                 Words& by_weights, std::vector<Words>& by_input) const;
  /// The derivatives of output o of example t by all weights.
  Words gradient(std::size_t t, std::size_t o) const;

  const Problem& problem_;
  const std::vector<StackLayer> layers_;  ///< with weights; the values of the last are its read-out
  const NestedResidues numbers_;
  Stack<NestedResidues> stack_;
  std::vector<StackHead<NestedResidues>> last_;
  std::vector<std::size_t> first_;  ///< columns of J, of each layer
  std::size_t width_ = 0;
  mutable std::vector<std::vector<std::map<std::size_t, Seen>>> seen_;  ///< by layers and heads
};

}  // namespace attest::kernel
