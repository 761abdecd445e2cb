#include "proofs/proof.hpp"

#include "proofs/provers.hpp"
#include "proofs/quantities.hpp"

namespace attest {

ClaimProof prove(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof{ProofScript(quantities(c, claim)), "", false};
  prover_of(claim.statement)(c, claim, effort, proof);
  return proof;
}

}  // namespace attest
