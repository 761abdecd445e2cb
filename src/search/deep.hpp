// A layer behind others (docs/case-files.md, Layers before the layer): enclosures of what enters it and of Z,
// what holds of it for exact reasons, and its image under a nested character.
#pragma once

#include <optional>

#include "search/arithmetic/modular.hpp"
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
  /// 1, 0 or -1 for neurons of the ReLU layers before, in the order of layers, rows and neurons, that are
  /// certainly positive, not told, or certainly not positive.
  const std::vector<int>& signs() const { return signs_; }

private:
  void attend(const Before& layer);
  void apply_mlp(const Before& layer);
  void normalize(const Before& layer);

  const Case& c_;
  slong precision_;
  std::vector<BallMatrix> rows_;  ///< by rows of `hidden`, (1, d); empty: not used
  std::vector<BallHead> heads_;
  Ball scale_;
  std::vector<int> signs_;
};

/// |2^bits Z - entries| <= 3.
EnclosedZ deep_enclosed_z(const Case& c, std::size_t bits);

/// The image of Z under a nested character (docs/mathematics.md, Depth): what is different in it, or
/// independent, is so under Schanuel's conjecture. `signs` of the ReLU neurons. Empty where there is none:
/// with rmsnorm, too many layers, a sign that is not told, or a denominator that is 0.
struct NestedImage {
  std::vector<std::uint64_t> primes;  ///< the entries are residues modulo the last one
  ModularMatrix z;
};
std::optional<NestedImage> nested_image(const Case& c, const std::vector<int>& signs);

}  // namespace attest
