// Assumption 2: every context has rank n.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Whether Assumption 2 holds; its step (`contexts-full-rank` or `context-dependent`) is appended.
bool assumption_2(const Case& c, Json& steps);

ClaimProof prove_assumption_2(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
