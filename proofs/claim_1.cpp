// Claim 1 (fit r examples in one head). For r examples with linearly independent queries and contexts of rank
// n, and any positive convex combinations phi_t, some W of rank at most r has softmax(E_t W e_t) = phi_t
// exactly on all of them.
//
// Proof, as in Appendix B.1: a_t = R_t log(phi_t) with a right inverse R_t of E_t solves E_t a_t =
// log(phi_t); W = sum_t a_t L_t with a left inverse L of the queries has W e_t = a_t. The inverses are
// rational, the logarithms stay symbols, so everything is exact.
#include "proofs/claim_1.hpp"

#include <algorithm>

#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

// Whether all contexts of the subset have rank n: a prime for all of them, or a dependency of one.
void add_subset_contexts(const Case& c, const std::vector<std::size_t>& subset, ProofScript& script) {
  const std::size_t n = c.layer->context;
  for (std::size_t k = 0; k < subset.size(); ++k)
    if (const auto relation = row_relation(context_matrix(c, subset[k]))) {
      add_dependency("rank(subset-contexts)", *relation, n, k, script);
      return;
    }
  // Every context has rank n, so only finitely many primes do not show it.
  for (std::size_t k = 0;; ++k) {
    const std::uint64_t p = small_prime(k);
    if (std::all_of(subset.begin(), subset.end(),
                    [&](std::size_t t) { return independent_rows_mod(context_matrix(c, t), p); })) {
      script.independent_rows("rank(subset-contexts)", n, p);
      return;
    }
  }
}

}  // namespace

const std::optional<std::vector<RationalVector>>& ContextInverses::of(std::size_t t) {
  const std::size_t key = case_->data.shared_context ? 0 : t;
  auto it = inverses_.find(key);
  if (it == inverses_.end()) it = inverses_.emplace(key, right_inverse(context_matrix(*case_, t))).first;
  return it->second;
}

std::optional<RationalVector> ContextInverses::preimage(std::size_t t, std::size_t i,
                                                        const mpz_class& value) {
  if (!case_->data.shared_context) {  // one right-hand side is much cheaper than an inverse
    std::vector<mpq_class> unit(case_->layer->context);
    unit[i] = value;
    return solve_full_row_rank(context_matrix(*case_, t), unit);
  }
  const auto& inverse = of(t);
  if (!inverse) return std::nullopt;
  RationalVector a = (*inverse)[i];
  for (mpz_class& x : a.num) x *= value;
  return a;
}

std::optional<std::vector<RationalVector>> left_inverse_of_queries(const Case& c,
                                                                   const std::vector<std::size_t>& examples) {
  if (examples.empty()) return std::vector<RationalVector>();
  return right_inverse(query_rows(c, examples));
}

std::optional<Claim1Weights> claim_1_weights(const Case& c, const std::vector<std::size_t>& subset) {
  Claim1Weights weights;
  ContextInverses inverses(c);
  for (std::size_t t : subset) {
    const auto& inverse = inverses.of(t);
    if (!inverse) return std::nullopt;
    weights.right.push_back(*inverse);
  }
  auto left = left_inverse_of_queries(c, subset);
  if (!left) return std::nullopt;
  weights.left = std::move(*left);
  return weights;
}

void prove_claim_1(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  const std::vector<std::size_t>& subset = claim.subset();
  add_rank("rank(subset-queries)", query_rows(c, subset), proof.script);
  add_subset_contexts(c, subset, proof.script);
  if (subset.size() > head_rank(*c.layer)) return;
  if (const auto weights = claim_1_weights(c, subset))
    proof.script.add("inverse", Fact::at_least("weights", 1),
                     {{"right_inverses", weights->right}, {"left_inverse", weights->left}});
}

}  // namespace attest
