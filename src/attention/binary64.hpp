// What floating point makes of a layer. Shown beside exact ranks; nothing is ever decided by it.
#pragma once

#include <cstddef>

#include "attention/layer.hpp"

namespace attest {

/// The rank of Z computed in binary64 as numpy.linalg.matrix_rank does: singular values (LAPACK) above max(T, Hd) eps times the largest.
std::size_t binary64_rank_of_z(const AttentionLayer& layer);

}  // namespace attest
