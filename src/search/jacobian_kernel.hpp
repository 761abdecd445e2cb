// Vectors over Q that a Jacobian annihilates, as identities between powers of b, while the case is small.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "search/layer.hpp"

namespace attest {

/// A basis of the rational vectors x with J x = 0, integer and primitive; empty when there are none, or the
/// case is too large. Precondition: has_jacobian.
std::vector<std::vector<mpz_class>> rational_kernel_of_jacobian(const AttentionLayer& layer);

}  // namespace attest
