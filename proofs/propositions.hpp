// The propositions and claims of the paper; each is proved in the file of its name.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

ClaimProof prove_claim_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_claim_2(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_2(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_3(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_4(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_proposition_5(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_finite_lambda(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_theorem_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_remark_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_skip_connection(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_positional_encoding(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
