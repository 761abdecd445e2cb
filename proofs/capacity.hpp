// Lower bounds that hold because some weights reach them.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Bounds capacity and rank(Z(any)) from below by the given weights, if they are of the shape, or by random
/// ones, whose rank is hardly ever less than the capacity. Nothing without queries.
void add_weights_for_capacity(const Case& c, ProofScript& script);

}  // namespace attest
