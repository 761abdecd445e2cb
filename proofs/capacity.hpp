// The capacity, for the proofs that need that of a part.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Random integer weights u v_h^T, which reach the capacity but for bad luck.
std::vector<LetHead> random_heads(const Case& c, std::uint64_t seed);

/// Bounds `capacity` from below by such weights.
void add_weights_for_capacity(const Case& c, ProofScript& script);

/// Bounds `capacity` from both sides, with the help of fewer heads where that is wanted.
void bound_capacity(const Case& c, ProofScript& script, bool with_fewer_heads);

}  // namespace attest
