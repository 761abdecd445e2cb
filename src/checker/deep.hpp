// Layers before the layer: the vectors that enter it, enclosed, and what is the same of them for exact
// reasons.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "checker/enclosed_z.hpp"
#include "checker/powers.hpp"

namespace attest::checker {

/// A real number at most rad from mid, in units 2^-bits for bits that go without saying.
struct Near {
  Integer mid, rad;
};

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 Natural;

/// Real numbers at most `rad` from those of `mid`: with one radius a scalar product costs one product for
/// each entry. As long as two words are enough for each, these take the place of integers.
class NearVector {
public:
  /// Below 2^126, with a sum below 2^127; a radius below 2^62.
  struct Narrow {
    std::vector<Wide> mid;
    unsigned long rad = 0;
    Natural sum = 0, largest = 0;  ///< the sum of the absolute values of `mid`, and the largest
  };

  struct Integers {
    std::vector<Integer> mid;
    Integer rad, sum, largest;
  };

  std::size_t size() const { return narrow_ ? narrow_->mid.size() : wide_.mid.size(); }
  Near operator[](std::size_t k) const;
  const Narrow* narrow() const { return narrow_ ? &*narrow_ : nullptr; }
  /// Of words in `copy`, which was empty.
  const Integers& integers(Integers& copy) const;

  void push_back(Near x);
  void push_back(Wide x, unsigned long r);

private:
  std::optional<Narrow> narrow_ = Narrow();
  Integers wide_;  ///< else
};

/// Numbers with `bits` bits after the binary point. Each result contains what the operation has for any
/// numbers within its operands (docs/mathematics.md, Depth).
class FixedPoint {
public:
  /// `problem` outlives it.
  FixedPoint(const Problem& problem, std::size_t bits);

  const std::size_t bits;
  Near exact(const Rational& x) const;
  /// e^-x for x >= 0.
  Near power(const Integer& x) const;
  Near product(const Near& a, const Near& b) const;
  Near dot(const NearVector& a, const NearVector& b) const;
  /// The product of each row with x.
  NearVector products(const std::vector<NearVector>& rows, const NearVector& x) const;
  /// The sum of these rows, of length d, times `coefficients`, whose mid are not negative.
  NearVector mean(const std::vector<Near>& coefficients, const std::vector<NearVector>& rows,
                  std::span<const std::uint32_t> index, std::size_t d) const;
  /// Precondition: b.mid > b.rad.
  Near quotient(const Near& a, const Near& b) const;
  /// A Failure unless x is shown to be positive; so is the root then.
  Near root(const Near& x) const;
  std::vector<Near> softmax(const NearVector& logits) const;
  /// 1 / (1 + e^-x).
  Near logistic(const Near& x) const;
  Near activation(const std::string& name, const Near& x) const;

private:
  /// From the least to the most that it may be.
  static Near between(const Integer& least, const Integer& most);
  /// Of products, `mid` and `rad` in units 2^(-2 bits).
  Near rounded(Integer mid, Integer rad) const;
  struct Words {
    Wide mid;
    unsigned long rad;
  };
  /// A sum of products, and of what they are off, in units 2^(-2 bits); empty if words are not enough.
  std::optional<Words> rounded(const struct LongSum& mid, const struct LongSum& rad) const;
  std::optional<Words> narrow_dot(const NearVector::Narrow& a, const NearVector::Narrow& b) const;
  std::optional<NearVector> narrow_mean(const std::vector<Near>& coefficients,
                                        const std::vector<NearVector>& rows,
                                        std::span<const std::uint32_t> index, std::size_t d) const;
  std::optional<std::vector<Near>> narrow_softmax(const NearVector& logits) const;
  /// As `power`, of and in units 2^-bits.
  unsigned long narrow_power(unsigned long x) const;

  const Problem& problem_;
  Integer one_;
  /// [p][i] is at most 4 units 2^(-bits - 8) below e^(-i 16^p 2^-24); empty: not for so many bits.
  std::vector<std::vector<Integer>> tables_;
  std::vector<std::array<unsigned long, 16>> narrow_tables_;  ///< the same, if one word is enough
};

/// The matrices of attention heads.
struct NearHead {
  std::vector<NearVector> key, query;  ///< logits are those of key (query x + bias); without query: key x
  NearVector bias;
};

/// The vectors that enter the layer, of those examples that were asked for. What is computed with so many
/// bits is known to about as many, less what the layers lose.
class Entering {
public:
  /// `problem` outlives it.
  Entering(const Problem& problem, std::size_t bits);
  Entering(const Entering&) = delete;
  Entering& operator=(const Entering&) = delete;

  /// Before these examples are asked for.
  void prepare(const std::vector<std::size_t>& examples);

  /// The coefficients of head h at example t.
  std::vector<Near> coefficients(std::size_t h, std::size_t t) const;
  /// The mean of the tokens of example t under them.
  NearVector mean(const std::vector<Near>& coefficients, std::size_t t) const;

private:
  /// The vectors of one stage, by rows of `hidden`; empty: not asked for.
  using Rows = std::vector<NearVector>;
  /// What a layer makes of a row.
  using Map = std::function<NearVector(const Rows& rows, std::size_t row)>;
  Map attention(const Before& layer) const;
  Map mlp(const Before& layer) const;
  Map rmsnorm(const Before& layer) const;

  const Problem& problem_;
  const FixedPoint numbers_;
  std::vector<Map> layers_;
  std::vector<Rows> stages_;     ///< what enters each of them, and the layer itself
  std::vector<NearHead> heads_;  ///< of the layer itself
  Near scale_;                   ///< of its logits
};

/// The tokens of one of the lists.
std::span<const std::uint32_t> tokens_of(const Members& members, std::size_t k);
/// The rows of `hidden` that matter, increasing.
std::set<std::size_t> used_rows(const Problem& problem);

/// Calls `attempt` with more and more bits as a guard, until it returns that errors are a few units 2^-bits;
/// first for one example with a bit more, which tells at little cost that a guard is too small.
void with_guard(const std::vector<std::size_t>& examples, std::size_t bits,
                const std::function<bool(const std::vector<std::size_t>& some, std::size_t bits,
                                         std::size_t guard)>& attempt);

/// As enclosed_z, for the given layer.
EnclosedZ deep_enclosed_z(const Problem& problem, const std::vector<std::size_t>& rows,
                          const std::vector<std::size_t>& cols, std::size_t bits, bool one_radius);

/// Examples that are the same, or opposite, for all weights of the layers (docs/certificate.md, Depth).
struct ExampleClasses {
  std::size_t different = 0;            ///< no two have equal rows of Z by symmetry
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
/// A Failure unless all layers before are attention.
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

}  // namespace attest::checker
