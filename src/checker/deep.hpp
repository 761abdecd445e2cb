// Layers before the layer: the vectors that enter it, enclosed, and what is the same of them for exact
// reasons.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "checker/enclosed_z.hpp"
#include "checker/powers.hpp"

namespace attest::checker {

/// A real number at most rad from mid, in units 2^-bits for bits that go without saying.
struct Near {
  Integer mid, rad;
};
using NearVector = std::vector<Near>;

/// Numbers with `bits` bits after the binary point. Each result contains what the operation has for any
/// numbers within its operands (docs/mathematics.md, Depth).
class FixedPoint {
public:
  FixedPoint(const Problem& problem, std::size_t bits);

  const std::size_t bits;
  Near exact(const Rational& x) const;
  Near dot(const NearVector& a, const NearVector& b) const;
  /// The product of each row with x.
  NearVector products(const std::vector<NearVector>& rows, const NearVector& x) const;
  Near product(const Near& a, const Near& b) const { return dot({a}, {b}); }
  /// Precondition: b.mid > b.rad.
  Near quotient(const Near& a, const Near& b) const;
  /// A Failure unless x is shown to be positive; so is the root then.
  Near root(const Near& x) const;
  NearVector softmax(const NearVector& logits);
  /// 1 / (1 + e^-x).
  Near logistic(const Near& x);
  Near activation(const std::string& name, const Near& x);

private:
  /// From the least to the most that it may be.
  static Near between(const Integer& least, const Integer& most);

  Integer one_;
  Powers powers_;
};

/// The matrices of attention heads.
struct NearHead {
  std::vector<NearVector> key, query;  ///< logits are those of key (query x + bias); without query: key x
  NearVector bias;
};

/// The vectors that enter the layer. What is computed with so many bits is known to about as many, less what
/// the layers lose.
class Entering {
public:
  Entering(const Problem& problem, std::size_t bits);

  std::size_t bits() const { return numbers_.bits; }
  /// The coefficients of head h at example t.
  NearVector coefficients(std::size_t h, std::size_t t) const;
  /// sum_i coefficients_i x_{i,j} over the tokens of example t.
  Near mean(const NearVector& coefficients, std::size_t t, std::size_t j) const;

private:
  void attend(const Before& layer);
  void apply_mlp(const Before& layer);
  void normalize(const Before& layer);

  const Problem& problem_;
  mutable FixedPoint numbers_;
  std::vector<NearVector> rows_;  ///< by rows of `hidden`; empty: not used
  std::vector<NearHead> heads_;   ///< of the layer itself
  Near scale_;                    ///< of its logits
};

/// The tokens of one of the lists.
std::span<const std::uint32_t> tokens_of(const Members& members, std::size_t k);
/// The rows of `hidden` that matter, increasing.
std::set<std::size_t> used_rows(const Problem& problem);

/// As enclosed_z, for the given layer.
EnclosedZ deep_enclosed_z(const Problem& problem, const std::vector<std::size_t>& rows,
                          const std::vector<std::size_t>& cols, std::size_t bits, bool one_radius);

/// Examples that are the same, or opposite, for all weights of the layers (docs/certificate.md, Depth).
struct ExampleClasses {
  std::size_t different = 0;   ///< no two have equal rows of Z by symmetry
  std::size_t directions = 0;  ///< nor opposite ones, nor one that is 0
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
/// A Failure unless all layers before are attention.
StackDimensions stack_dimensions(const Problem& problem);

/// Heads of the given layer with different W_h and W_K,h b_Q,h.
std::size_t different_heads(const Problem& problem);

}  // namespace attest::checker
