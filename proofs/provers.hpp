// All rooms: the provers of the statements, each in the file of its name.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

void prove_accuracy(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_affine_hull_bound(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_any_coefficients(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_assumption_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_assumption_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_assumption_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_capacity(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_claim_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_claim_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_finite_lambda(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_general_position(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_injective(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_kruskal_rank(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_4(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_lemma_5(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_memorizes(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_numerical_rank(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_positional_encoding(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_proposition_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_proposition_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_proposition_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_proposition_4(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_proposition_5(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_rank(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_remark_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_saturation(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_skip_connection(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);
void prove_theorem_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof);

/// The prover of a statement of the table. Throws std::logic_error when it has none.
Prover prover_of(const std::string& statement);

}  // namespace attest
