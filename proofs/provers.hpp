// Which room proves which statement.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "proofs/proof.hpp"

namespace attest {

// Each at the end of its room.
Room prove_rank, prove_output_rank, prove_capacity, prove_memorizable, prove_any_coefficients,
    prove_words_and_positions, prove_memorizes, prove_output_memorizes, prove_injective,
    prove_injective_almost_surely, prove_saturation, prove_numerical_rank, prove_accuracy,
    prove_jacobian_rank, prove_functional_dimension, prove_unfittable_labels, prove_kruskal_rank,
    prove_general_position, prove_assumption_1, prove_assumption_2, prove_assumption_3,
    prove_affine_hull_bound, prove_matrix_rank, prove_lemma_1, prove_lemma_2, prove_lemma_3, prove_lemma_4,
    prove_lemma_5, prove_claim_1, prove_claim_2, prove_proposition_1, prove_proposition_2,
    prove_proposition_3, prove_relu_memorizes, prove_proposition_4, prove_proposition_5, prove_finite_lambda,
    prove_theorem_1, prove_remark_1, prove_skip_connection, prove_positional_encoding;

/// For each statement of the table its prover, in the table's order.
const std::vector<std::pair<std::string, Prover>>& provers();

}  // namespace attest
