// A layer behind others (docs/case-files.md, Layers before the layer): enclosures of what enters it and of Z,
// and what holds of it for exact reasons.
#pragma once

#include <optional>

#include "search/arithmetic/rational.hpp"
#include "search/enclosed_z.hpp"

namespace attest {

/// The matrices of attention heads as balls.
struct BallHead {
  std::optional<BallMatrix> query;  ///< (k, d); logits are those of key (query x + bias), or of key x
  BallMatrix key, bias;             ///< (d, k), (k, 1); bias empty: none
};

/// The rows of `hidden` that matter, increasing.
std::vector<std::size_t> used_rows(const Case& c);

/// The layer at one precision. Throws LimitError when the enclosures say nothing any more.
class DeepLayer {
public:
  /// `c` outlives it. Precondition: the case has layers before the layer, and weights.
  DeepLayer(const Case& c, slong precision);

  /// The tokens of example t as they enter, (tokens, d).
  BallMatrix tokens(std::size_t t) const;
  /// The coefficients of head h at example t, (1, tokens).
  BallMatrix coefficients(std::size_t h, std::size_t t) const;
  /// Z, (T, H d).
  BallMatrix z() const;
  /// An upper bound of the entries of vectors that enter, in absolute value.
  mpq_class largest() const;

private:
  void attend(const Before& layer);
  void apply_mlp(const Before& layer);
  void normalize(const Before& layer);

  const Case& c_;
  slong precision_;
  std::vector<BallMatrix> rows_;  ///< by rows of `hidden`, (1, d); empty: not used
  std::vector<BallHead> heads_;
  Ball scale_;
};

/// |2^bits Z - entries| <= 3.
EnclosedZ deep_enclosed_z(const Case& c, std::size_t bits);

/// The rows that matter, and what they differ by from the first of all, and of their sequence.
struct HiddenRows {
  explicit HiddenRows(const Case& c);
  std::vector<std::size_t> rows;
  RationalMatrix all, to_first, to_sequence;
};

/// What holds for exact reasons (docs/certificate.md, Depth).
struct DeepStructure {
  std::size_t different = 0, directions = 0;            ///< classes of examples
  std::vector<std::size_t> examples;                    ///< one of each direction
  std::size_t linear = 0, affine = 0, differences = 0;  ///< dimensions of what contains the entering vectors
  std::size_t heads = 0;                                ///< different heads of the layer
};
DeepStructure deep_structure(const Case& c);

}  // namespace attest
