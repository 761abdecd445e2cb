// The propositions and claims of the paper; each is proved in the file of its name.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

ClaimProof prove_claim_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_claim_2(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_2(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_5(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_theorem_1(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
