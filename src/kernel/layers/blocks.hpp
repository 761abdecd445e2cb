// Matrices that are made of the heads of a layer, and vectors that annihilate them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// Vectors by their entries that are not 0.
using RingVector = std::vector<std::pair<std::size_t, PowerSums::Scalar>>;

/// Which matrix made of the heads of a layer a quantity is about: a block for each of some heads, the means
/// z_h or the outputs sum_i alpha_i (E_{t,i} W_V + b_V), and beside them a column of ones, and the labels.
struct Blocks {
  std::size_t first, heads, width;  ///< width: of a block
  bool outputs, ones, labels;

  /// Precondition: the claim has the head that the quantity is about.
  Blocks(const std::string& of, const Problem& problem, const Claim& claim);
  std::size_t columns() const { return heads * width; }
  std::size_t beside(const Problem& problem) const { return (ones ? 1 : 0) + (labels ? problem.d_out : 0); }
  /// Entry `col` of what is beside the blocks.
  Rational beside(const Problem& problem, std::size_t t, std::size_t col) const {
    return ones && col == 0 ? Rational(1) : problem.label(t, col - (ones ? 1 : 0), false);
  }
  /// What is averaged for head h of the blocks at example t.
  Context tokens(const Problem& problem, std::size_t t, std::size_t h) const;
};

/// Whether sum_k factors[k] N_{k,j} / S_k = 0 for every j < columns, S_k the sum of head k and N_{k,j} given
/// by `numerator_of`: after multiplication by all different sums.
template <class Ring, class NumeratorOf>
bool vanishes(const Ring& ring, const std::vector<Attention<Ring>>& heads,
              std::vector<typename Ring::Scalar> factors, std::size_t columns, NumeratorOf numerator_of) {
  std::vector<std::size_t> first;  // of the heads with this sum
  for (std::size_t k = 0; k < heads.size(); ++k) {
    if (std::ranges::none_of(first, [&](std::size_t other) { return heads[other].sum == heads[k].sum; }))
      first.push_back(k);
  }
  for (std::size_t k = 0; k < heads.size(); ++k) {
    for (const std::size_t other : first) {
      if (heads[other].sum != heads[k].sum) factors[k] = ring.multiply(factors[k], heads[other].sum);
    }
  }
  for (std::size_t j = 0; j < columns; ++j) {
    typename Ring::Scalar sum;
    for (std::size_t k = 0; k < heads.size(); ++k)
      ring.add(sum, ring.multiply(factors[k], numerator_of(k, j)), 1);
    if (!sum.empty()) return false;
  }
  return true;
}

/// Whether sum_t y_t (row t of block h) = 0, as an identity in the group ring.
bool annihilates_from_left(const PowerSums& ring, Logits& logits, const Blocks& blocks, std::size_t h,
                           const RingVector& y);
/// Whether row t of the blocks times x is 0.
bool annihilates_from_right(const PowerSums& ring, Logits& logits, const Blocks& blocks, std::size_t t,
                            const RingVector& x);

}  // namespace attest::kernel
