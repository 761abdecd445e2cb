// A layer behind others: what can be proved of it for given weights.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

// Precondition of all: the case has layers before the layer.
void prove_deep_rank(const Case& c, ClaimProof& proof);
void prove_deep_injective(const Case& c, ClaimProof& proof);
void prove_deep_saturation(const Case& c, const Claim& claim, ClaimProof& proof);

}  // namespace attest
