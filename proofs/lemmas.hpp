// The lemmas of Appendix D; each is proved in the file of its name.
#pragma once

#include "exact/rational.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// Appends the exact rank of a matrix of the claim: the step `matrix-rank` and the entry of `ranks`.
std::size_t append_rank(const RationalMatrix& a, const std::string& name, ClaimProof& proof);

ClaimProof prove_lemma_1(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_lemma_2(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_lemma_3(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_lemma_4(const Case& c, const Claim& claim, const Effort& effort);
ClaimProof prove_lemma_5(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
