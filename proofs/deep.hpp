// A layer behind others: what can be proved of it for given weights.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

// Precondition of all: the case has layers before the layer.
void prove_deep_rank(const Case& c, ClaimProof& proof);
void prove_deep_injective(const Case& c, ClaimProof& proof);
/// Of all weights of all layers. Precondition: these are attention.
void prove_deep_capacity(const Case& c, ClaimProof& proof);
/// The vectors that enter the layer, and what follows for the claim: independent queries and tokens, the
/// capacity.
void prove_entering(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_deep_functional_dimension(const Case& c, ClaimProof& proof);

}  // namespace attest
