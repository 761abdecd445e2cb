// Enclosures of Z for the weights of a case, with its logit scale.
#pragma once

#include "search/arithmetic/balls.hpp"
#include "search/layer.hpp"

namespace attest {

/// |2^bits Z - entries| <= radius in every entry.
struct EnclosedZ {
  Matrix<mpz_class> entries;  ///< T x Hd
  mpz_class radius;
};
/// Precondition: the layer has the weights of a case. Throws LimitError when exponents are out of range.
EnclosedZ enclosed_z(const AttentionLayer& layer, std::size_t bits);

}  // namespace attest
