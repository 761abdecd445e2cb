// A layer behind a stack: what can be proved of it for given weights.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

// Precondition of all: the case has a stack.
void prove_stack_rank(const Case& c, ClaimProof& proof);
void prove_stack_injective(const Case& c, ClaimProof& proof);
/// Of all weights of all layers. Precondition: these are attention.
void prove_stack_capacity(const Case& c, ClaimProof& proof);
/// The vectors that enter the layer, and what follows for the claim: independent queries and tokens, the
/// capacity.
void prove_behind_stack(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_stack_functional_dimension(const Case& c, ClaimProof& proof);

}  // namespace attest
