// The Jacobian of a layer's outputs with respect to its keys, queries and read-out, under a character.
#pragma once

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// U_h = W_V W_O R (d rows of d_out) of head h; a matrix that is not there is the identity.
std::vector<std::vector<Rational>> readout(const Problem& problem, const Weights& whole, std::size_t h);

/// J(W) (docs/certificate.md, The Jacobian): the order of its rows and columns. A Failure for a layer that
/// has no read-out, or neither factors nor a combined matrix.
class Jacobian {
public:
  Jacobian(const Problem& problem, const Layer& layer);

  std::size_t height() const { return problem_.T * problem_.d_out; }
  std::size_t width() const { return problem_.H * of_head_; }
  /// The minor in these rows and columns, mod p. A Failure where the character has no value.
  Matrix minor(const Character& character, const std::vector<std::size_t>& rows,
               const std::vector<std::size_t>& cols) const;

  /// Whether row (t, o) times the rational vector x is 0, for every t and o. The logits are the layer's.
  bool annihilates(Logits& logits, const std::vector<std::pair<std::size_t, Rational>>& x) const;

private:
  /// Values, outputs and read-out.
  const Weights& whole() const { return layer_.random ? drawn_ : *problem_.source.weights; }

  const Problem& problem_;
  const Layer& layer_;
  Weights drawn_;                      ///< the read-out of random weights
  std::size_t m_, of_keys_, of_head_;  ///< columns of a key, of the keys of a head, of a head
};

}  // namespace attest::kernel
