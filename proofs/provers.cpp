#include "proofs/provers.hpp"

#include <map>
#include <stdexcept>

namespace attest {

Prover prover_of(const std::string& statement) {
  static const std::map<std::string, Prover> provers = {
      {"accuracy", prove_accuracy},
      {"affine-hull-bound", prove_affine_hull_bound},
      {"any-coefficients", prove_any_coefficients},
      {"assumption-1", prove_assumption_1},
      {"assumption-2", prove_assumption_2},
      {"assumption-3", prove_assumption_3},
      {"capacity", prove_capacity},
      {"claim-1", prove_claim_1},
      {"claim-2", prove_claim_2},
      {"finite-lambda", prove_finite_lambda},
      {"general-position", prove_general_position},
      {"injective", prove_injective},
      {"kruskal-rank", prove_kruskal_rank},
      {"lemma-1", prove_lemma_1},
      {"lemma-2", prove_lemma_2},
      {"lemma-3", prove_lemma_3},
      {"lemma-4", prove_lemma_4},
      {"lemma-5", prove_lemma_5},
      {"memorizes", prove_memorizes},
      {"numerical-rank", prove_numerical_rank},
      {"positional-encoding", prove_positional_encoding},
      {"proposition-1", prove_proposition_1},
      {"proposition-2", prove_proposition_2},
      {"proposition-3", prove_proposition_3},
      {"proposition-4", prove_proposition_4},
      {"proposition-5", prove_proposition_5},
      {"rank", prove_rank},
      {"remark-1", prove_remark_1},
      {"saturation", prove_saturation},
      {"skip-connection", prove_skip_connection},
      {"theorem-1", prove_theorem_1},
  };
  const auto found = provers.find(statement);
  if (found == provers.end()) throw std::logic_error("no prover for " + statement);
  return found->second;
}

}  // namespace attest
