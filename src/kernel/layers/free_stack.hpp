// Attention layers behind each other under a nested character, when the weights of all of them are free.
#pragma once

#include "kernel/problem.hpp"

namespace attest::kernel {

/// The layers before the layer and the layer itself, with integer weights that a seed draws, and the image of
/// Z and of its outputs' derivatives modulo the last of the primes q_0, q_1 = 2 q_0 + 1, ..., one more than
/// layers (docs/certificate.md, Free layers).
class FreeStack {
public:
  /// A Failure for layers that are no attention, other primes, a bound or seed out of range, denominators of
  /// the data or of the softmax that vanish modulo one of the primes.
  FreeStack(const Problem& problem, const std::vector<Word>& primes, Word bound, Word seed);

  Word p() const { return primes_.back(); }
  /// Of the Jacobian: T d_out outputs, all weights.
  std::size_t height() const;
  std::size_t width() const { return width_; }
  Matrix minor_of_z(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) const;
  Matrix minor_of_j(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) const;

private:
  using Words = std::vector<Word>;
  /// Row-major, modulo a prime that goes without saying.
  struct Head {
    Words key, query, value;
  };
  /// A layer's weights, and what each head does with each row of `hidden`, or for the last layer with each
  /// example, modulo the last prime.
  struct Layer {
    std::size_t heads, d_h, outputs;  ///< outputs: columns of the values, or of the read-out
    bool residual;
    std::size_t first;  ///< column of J
    ExactArray key, query, value;
    std::vector<Head> images{};
    struct Seen {
      Words coefficients, mean;
    };
    std::vector<std::vector<Seen>> seen{};  ///< by heads, and rows or examples
    std::vector<Words> inputs{};            ///< by rows
    std::size_t of_head(std::size_t d) const { return d * (2 * d_h + outputs); }
  };

  Head image(const Layer& layer, std::size_t h, Word p) const;
  /// What a head does with a row, modulo prime f; its logits are modulo the one before.
  Layer::Seen attend(const Layer& layer, const Head& logits, std::size_t own,
                     std::span<const std::uint32_t> tokens, std::size_t f) const;
  void pass(Layer& layer, const Members& members);
  /// Adds to the derivatives of a sum by the weights and by the inputs, rows `origin` and on, what they are
  /// by the outputs `by_output` of a row or example `k`, whose own row is `own`.
  void pull_back(const Layer& layer, std::size_t k, std::size_t own, std::span<const std::uint32_t> tokens,
                 const Words& by_output, std::size_t origin, Words& by_weights,
                 std::vector<Words>& by_input) const;
  /// The derivatives of output o of example t by all weights.
  Words gradient(std::size_t t, std::size_t o) const;

  const Problem& problem_;
  std::vector<Word> primes_;
  std::vector<Layer> layers_;
  std::size_t width_ = 0;
  std::vector<std::vector<Words>> values_;  ///< by primes, and rows of `hidden`; empty: not used
};

}  // namespace attest::kernel
