// The Jacobian J of a layer's outputs f_t = sum_h U_h^T z_{t,h} with respect to its keys, queries and
// read-out, under a character, and its rank. Without the factor s log b of the derivatives, which all of the
// keys and queries have.
#pragma once

#include <limits>
#include <optional>

#include "search/arithmetic/character.hpp"
#include "search/arithmetic/matrix.hpp"
#include "search/layer.hpp"

namespace attest {

/// Whether the layer has weights (not projected queries and keys), and a read-out into d_out numbers.
bool has_jacobian(const AttentionLayer& layer);
/// How many columns J has (docs/certificate.md, The Jacobian). Precondition: has_jacobian.
std::size_t jacobian_width(const AttentionLayer& layer);

/// Rows and columns of J, increasing: a minor that does not vanish mod p, of the largest size unless this is
/// `enough`. By elimination of blocks of columns, in the memory of r columns of J for rank r. Empty when a
/// denominator vanishes. Precondition: has_jacobian.
std::optional<MinorIndices> jacobian_rank_under(const AttentionLayer& layer, const Character& character,
                                                std::size_t enough = std::numeric_limits<std::size_t>::max());

}  // namespace attest
