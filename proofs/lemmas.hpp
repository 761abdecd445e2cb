// The lemmas of Appendix D; each is proved in the file of its name.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

void prove_lemma_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_4(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_5(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);

}  // namespace attest
