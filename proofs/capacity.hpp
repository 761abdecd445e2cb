// The capacity, and lower bounds that hold because some weights reach them.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Random integer weights u v_h^T, which reach the capacity but for bad luck.
std::vector<LetHead> random_heads(const Case& c, std::uint64_t seed);

/// Bounds capacity and rank(Z(any)) from below by the given weights, if they are of the shape, or by random
/// ones, whose rank is hardly ever less than the capacity. Nothing without queries.
void add_weights_for_capacity(const Case& c, ProofScript& script);

/// Bounds `capacity` from both sides, with the help of fewer heads where that is wanted.
void bound_capacity(const Case& c, ProofScript& script, bool with_fewer_heads);

}  // namespace attest
