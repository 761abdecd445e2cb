// Kernel vectors of Z as identities in the group ring: upper bounds of the rank for given weights, while the
// case is small.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "search/arithmetic/group_ring.hpp"
#include "search/blocks.hpp"

namespace attest {

/// A vector with few non-zero entries over the group ring; indices increasing.
using SparseVector = kernel::RingVector;

/// k kernel vectors, independent under the character: rank(Z) <= Hd - k (right) or T - k (left).
struct KernelWitness {
  bool left = false;
  std::vector<SparseVector> vectors;
  Character character{};
};

/// How far rational kernel vectors are looked for.
struct KernelEffort {
  std::size_t points = 3;  ///< characters that are asked, at least
  double work = 5e7;       ///< terms that are multiplied out to show the identities
};

/// Exact logits and tokens of a small layer, for Z or another matrix made of its heads (without what is
/// beside its blocks).
class SmallLayer {
public:
  /// Precondition: T H n is small (`fits`).
  explicit SmallLayer(const AttentionLayer& layer) : SmallLayer(layer, all_of_z(layer)) {}
  SmallLayer(const AttentionLayer& layer, const Blocks& blocks);
  static bool fits(const AttentionLayer& layer);

  /// Rational kernel vectors: found as the common kernel of some characters by rational reconstruction, each
  /// one verified as an identity. Empty when there are none, or to verify the cheapest is too much work.
  std::optional<KernelWitness> rational_right_kernel() const;
  std::optional<KernelWitness> rational_left_kernel(const KernelEffort& effort = {}) const;
  /// Whether y Z = 0, by multiplying out. `work`: as in KernelEffort; false when it is more than that.
  bool annihilated(const SparseVector& y, double work) const {
    return work_from_the_left(y) <= work && annihilated_from_the_left(y);
  }
  /// The whole right (or left, whichever is smaller) kernel by elimination over the fraction field; for tiny
  /// layers, empty otherwise.
  std::optional<KernelWitness> elimination() const;

private:
  std::size_t different_logits(std::size_t t, std::size_t h) const;
  std::vector<std::size_t> heads_of(const SparseVector& x) const;
  /// A head at an example is a sum of quotients, sum_i b^{exponent_i} x_i over a sum of powers: one, or one
  /// for each token whose coefficient is sigmoid.
  struct Quotient {
    std::vector<std::size_t> tokens;
    kernel::Attention<kernel::PowerSums> powers;
  };
  bool annihilated_from_the_right(const SparseVector& x) const;
  bool annihilated_from_the_left(const SparseVector& y) const;
  std::optional<Matrix<std::uint64_t>> image(const Character& c) const;
  /// Terms that `annihilated_from_the_...` multiplies out.
  double work_from_the_right(const SparseVector& x) const;
  double work_from_the_left(const SparseVector& y) const;
  std::optional<KernelWitness> rational_kernel(bool left, const KernelEffort& effort) const;
  std::optional<KernelWitness> independent(std::vector<SparseVector> vectors, bool left,
                                           std::size_t expected) const;
  std::size_t width() const { return heads_ * d_; }

  const AttentionLayer& layer_;
  const Blocks blocks_;
  const kernel::PowerSums ring_;
  std::size_t T_, heads_, n_, d_;                 ///< n_: the most tokens of an example
  std::vector<std::vector<Quotient>> quotients_;  ///< [t * H + h]; no exponent is negative
  const kernel::Context& tokens(std::size_t t, std::size_t h) const {
    return tokens_[tokens_.size() == T_ ? t : t * heads_ + h];
  }
  std::vector<kernel::Context> tokens_;  ///< [t] or [t * H + h]
};

}  // namespace attest
