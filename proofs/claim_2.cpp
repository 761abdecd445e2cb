// Claim 2 (fit r - 1 examples in one head, leave the rest intact). For any r - 1 examples I, any positive
// convex combinations phi_t on I and any epsilon > 0 some W of rank at most r is exact on I and, at every
// other example, within epsilon of a one-hot vector that does not depend on the phi_t.
//
// Proof, as in Appendix B.1: W = W* + lambda W' with W* from Claim 1, W' = u v^T from Lemma 3 and lambda
// large. At t outside I, with gamma_t the gap between the two largest entries of E_t W' e_t and s_t the
// spread of the entries of E_t W* e_t, all coefficients but the largest together are at most (n - 1) b^(s_t -
// lambda gamma_t), so the distance to the one-hot vector is at most twice that in the 1-norm.
#include <algorithm>

#include "base/errors.hpp"
#include "proofs/claim_1.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/lemma_3.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/balls.hpp"

namespace attest {
namespace {

// An upper bound of the spread of the entries of E_t W* e_t, W* = sum_k R_k log_b(phi_k) L_k^T: log_b(p / q)
// lies between minus the number of binary digits of q and 0.
mpq_class spread(const Case& c, const Claim& claim, const Claim1Weights& weights, std::size_t t) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  const RationalMatrix context = context_matrix(c, t), query = query_rows(c, {t});
  mpq_class sum = 0;
  for (std::size_t k = 0; k < weights.left.size(); ++k) {
    const mpq_class factor = abs(dot(entries(weights.left[k]).data(), query.row(0), d));
    for (std::size_t m = 0; m < n; ++m) {
      const std::vector<mpq_class> column = entries(weights.right[k][m]);
      std::vector<mpq_class> x;
      for (std::size_t i = 0; i < n; ++i) x.push_back(dot(context.row(i), column.data(), d));
      const auto [least, most] = std::minmax_element(x.begin(), x.end());
      const mpq_class coefficient = claim.array("coefficients").at(k * n + m);
      sum += mpq_class(mpz_sizeinbase(coefficient.get_den_mpz_t(), 2)) * factor * (*most - *least);
    }
  }
  return sum;
}

// A rational upper bound of log_b(2 (n - 1) / epsilon).
std::optional<mpq_class> log_of_tolerance(const Case& c, const mpq_class& epsilon) {
  return upper_bound(logarithm(
      c.layer->base, 2 * mpq_class(static_cast<unsigned long>(c.layer->context - 1)) / epsilon, 128));
}

}  // namespace

void prove_claim_2(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  const std::vector<std::size_t>& subset = claim.subset();
  decide_hypotheses(c, effort, proof.script);
  if (subset.size() + 1 > head_rank(*c.layer)) return;
  proof.reason = "no separator of the subset from the other examples was found";
  const auto weights = claim_1_weights(c, subset);
  if (!weights) return;
  const std::vector<std::size_t> others = other_examples(c, subset);
  SplitMix64 random(1, 0);
  const TokenOrder order(c, random);
  if (!order.distinct(others)) return;
  const auto separating = separating_functional(c, subset, weights->left, others, random);
  if (!separating) return;
  mpz_class lambda = 1;
  if (c.layer->context > 1) {
    const auto tolerance = log_of_tolerance(c, claim.number("epsilon"));
    if (!tolerance) throw LimitError("epsilon is too small for its logarithm");
    for (std::size_t t : others) {
      const mpq_class needed =
          (spread(c, claim, *weights, t) + *tolerance) / peak(order.products(t), separating->products[t]).gap;
      mpz_class whole;
      mpz_cdiv_q(whole.get_mpz_t(), needed.get_num_mpz_t(), needed.get_den_mpz_t());
      lambda = std::max(lambda, mpz_class(whole + 1));
    }
  }
  proof.script.add("ball", Fact::at_least("one_hot", 1),
                   {{"right_inverses", weights->right},
                    {"left_inverse", weights->left},
                    {"u", order.u()},
                    {"v", separating->v},
                    {"lambda", lambda}});
  proof.reason.clear();
}

}  // namespace attest
