// Proposition 4 (one attention layer makes Assumption 1 true). Self-attention with one head, a skip
// connection, zero key and query weights and identity value weights maps e to e + mean(E) and each token E_i
// to E_i + mean(E). Under Assumptions 2 and 3 the outputs satisfy Assumptions 1 and 2.
//
// Assumption 3 says of the data what Assumption 1 says of the outputs; that the tokens stay independent is
// Lemma 2 with c = 1/n.
#include <algorithm>

#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/stack.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

constexpr std::size_t kPropositionPrimes = 8;

// E_t + 1 mean(E_t)^T.
RationalMatrix mixed_context(const Case& c, std::size_t t) {
  RationalMatrix m = context_matrix(c, t);
  for (std::size_t j = 0; j < m.cols(); ++j) {
    mpq_class sum = 0;
    for (std::size_t i = 0; i < m.rows(); ++i) sum += m(i, j);
    for (std::size_t i = 0; i < m.rows(); ++i) m(i, j) += sum / static_cast<unsigned long>(m.rows());
  }
  return m;
}

// Every output context has rank n, by one prime; not added when no prime shows it.
void add_outputs(const Case& c, ProofScript& script) {
  const std::size_t count = c.data.shared_context ? 1 : c.layer->examples;
  for (std::size_t k = 0; k < kPropositionPrimes; ++k) {
    const std::uint64_t p = small_prime(k);
    bool full = true;
    for (std::size_t t = 0; t < count && full; ++t) full = independent_rows_mod(mixed_context(c, t), p);
    if (!full) continue;
    script.independent_rows("rank(mixed-contexts)", c.layer->context, p);
    return;
  }
}

}  // namespace

void prove_proposition_4(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  add_assumption_2(c, proof.script);
  const std::size_t threshold = std::min(c.layer->context, c.layer->examples);
  if (!decide_kruskal_threshold("kruskal(mixed-queries)", mixed_queries(c), threshold, effort.subsets,
                                proof.script)) {
    proof.reason = "the search over subsets reached its budget before Assumption 3 was decided";
    proof.limited = true;
  }
  add_outputs(c, proof.script);
}

}  // namespace attest
