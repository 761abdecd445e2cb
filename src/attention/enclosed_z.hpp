// Enclosures of the softmax coefficients and of Z for the weights of a case, with its logit scale.
#pragma once

#include "attention/layer.hpp"
#include "exact/balls.hpp"

namespace attest {

/// b^(s (l_i - l)) for the logits l_i of head h at example t, the scale s and the base b of the case; l is
/// the logit that makes all exponents at most 0. The coefficients are these over their sum. Precondition: the
/// layer has the weights of a case.
std::vector<Ball> enclosed_powers(const AttentionLayer& layer, const std::vector<mpq_class>& logits,
                                  slong precision);

/// |2^bits Z - entries| <= radius in every entry.
struct EnclosedZ {
  Matrix<mpz_class> entries;  ///< T x Hd
  mpz_class radius;
};
/// Throws LimitError when exponents are out of range.
EnclosedZ enclosed_z(const AttentionLayer& layer, std::size_t bits);

}  // namespace attest
