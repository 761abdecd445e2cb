#include "proofs/provers.hpp"

#include <stdexcept>

namespace attest {

const std::vector<std::pair<std::string, Prover>>& provers() {
  static const std::vector<std::pair<std::string, Prover>> table = {
      {"rank", prove_rank},
      {"output-rank", prove_output_rank},
      {"capacity", prove_capacity},
      {"memorizable", prove_memorizable},
      {"any-coefficients", prove_any_coefficients},
      {"words-and-positions", prove_words_and_positions},
      {"memorizes", prove_memorizes},
      {"output-memorizes", prove_output_memorizes},
      {"injective", prove_injective},
      {"injective-almost-surely", prove_injective_almost_surely},
      {"saturation", prove_saturation},
      {"numerical-rank", prove_numerical_rank},
      {"accuracy", prove_accuracy},
      {"jacobian-rank", prove_jacobian_rank},
      {"functional-dimension", prove_functional_dimension},
      {"unfittable-labels", prove_unfittable_labels},
      {"kruskal-rank", prove_kruskal_rank},
      {"general-position", prove_general_position},
      {"assumption-1", prove_assumption_1},
      {"assumption-2", prove_assumption_2},
      {"assumption-3", prove_assumption_3},
      {"affine-hull-bound", prove_affine_hull_bound},
      {"matrix-rank", prove_matrix_rank},
      {"lemma-1", prove_lemma_1},
      {"lemma-2", prove_lemma_2},
      {"lemma-3", prove_lemma_3},
      {"lemma-4", prove_lemma_4},
      {"lemma-5", prove_lemma_5},
      {"claim-1", prove_claim_1},
      {"claim-2", prove_claim_2},
      {"proposition-1", prove_proposition_1},
      {"proposition-2", prove_proposition_2},
      {"proposition-3", prove_proposition_3},
      {"relu-memorizes", prove_relu_memorizes},
      {"proposition-4", prove_proposition_4},
      {"proposition-5", prove_proposition_5},
      {"finite-lambda", prove_finite_lambda},
      {"theorem-1", prove_theorem_1},
      {"remark-1", prove_remark_1},
      {"skip-connection", prove_skip_connection},
      {"positional-encoding", prove_positional_encoding},
  };
  return table;
}

ClaimProof prove(const Case& c, const Claim& claim, const Effort& effort) {
  for (const auto& [name, prover] : provers())
    if (name == claim.statement) return prove_by(prover, c, claim, effort);
  throw std::logic_error("no prover for " + claim.statement);
}

}  // namespace attest
