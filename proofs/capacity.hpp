// The capacity from below.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Random weights whose rank is hardly ever less than the capacity.
void add_weights_for_capacity(const Case& c, ProofScript& script);

}  // namespace attest
