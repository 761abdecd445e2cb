// Claim 2 (fit r - 1 examples in one head, leave the rest intact). For any r - 1 examples I, any positive convex combinations phi_t on I and any
// epsilon > 0 some W of rank at most r is exact on I and, at every other example, within epsilon of a one-hot vector that does not depend
// on the phi_t.
//
// Proof, as in Appendix B.1: W = W* + lambda W' with W* from Claim 1, W' = u v^T from Lemma 3 and lambda large. At t outside I, with gamma_t
// the gap between the two largest entries of E_t W' e_t and s_t the spread of the entries of E_t W* e_t, all coefficients but the
// largest together are at most (n - 1) b^(s_t - lambda gamma_t), so the distance to the one-hot vector is at most twice that in the 1-norm.
#include <algorithm>

#include "exact/balls.hpp"
#include "proofs/claim_1.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/lemma_3.hpp"
#include "proofs/propositions.hpp"

namespace attest {
namespace {

// An upper bound of the spread of the entries of E_t W* e_t, W* = sum_k R_k log_b(phi_k) L_k^T.
std::optional<mpq_class> spread(const Case& c, const Claim& claim, const Claim1Weights& weights, std::size_t t, slong precision) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  const RationalMatrix context = context_matrix(c, t), query = query_rows(c, {t});
  std::vector<Ball> logits(n);
  for (std::size_t k = 0; k < weights.left.size(); ++k) {
    const std::vector<mpq_class> left = entries(weights.left[k]);
    const mpq_class factor = dot(left.data(), query.row(0), d);
    if (factor == 0) continue;
    for (std::size_t m = 0; m < n; ++m) {
      const Ball log = logarithm(c.layer->base, claim.coefficients->at(k * n + m), precision);
      const std::vector<mpq_class> column = entries(weights.right[k][m]);
      for (std::size_t i = 0; i < n; ++i) {
        const Ball weight(factor * dot(context.row(i), column.data(), d), precision);
        arb_addmul(logits[i].get(), weight.get(), log.get(), precision);
      }
    }
  }
  Ball widest;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Ball difference;
      arb_sub(difference.get(), logits[i].get(), logits[j].get(), precision);
      arb_max(widest.get(), widest.get(), difference.get(), precision);
    }
  return upper_bound(widest);
}

// A rational upper bound of log_b(2 (n - 1) / epsilon).
std::optional<mpq_class> log_of_tolerance(const Case& c, const mpq_class& epsilon) {
  return upper_bound(logarithm(c.layer->base, 2 * mpq_class(static_cast<unsigned long>(c.layer->context - 1)) / epsilon, 128));
}

}  // namespace

ClaimProof prove_claim_2(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const std::vector<std::size_t>& subset = *claim.subset;
  const std::size_t n = c.layer->context, T = c.layer->examples;
  const bool size_fits = subset.size() + 1 <= head_rank(*c.layer);
  if (!size_fits) proof.steps.push_back({{"argument", "subset-too-large"}, {"theorem", "arithmetic"}});
  const Hypotheses hypotheses = decide_hypotheses(c, effort, proof.steps);

  auto weights_step = [&]() -> std::optional<Json> {
    if (!size_fits) return std::nullopt;
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
    std::vector<std::size_t> others;
    for (std::size_t t = 0; t < T; ++t)
      if (std::find(subset.begin(), subset.end(), t) == subset.end()) others.push_back(t);
    SplitMix64 random(1, 0);
    const TokenOrder order(c, random);
    if (!std::all_of(others.begin(), others.end(), [&](std::size_t t) { return order.distinct(t); })) return std::nullopt;
    const auto separating = separating_functional(c, subset, weights.left, others, random);
    if (!separating) return std::nullopt;

    mpz_class lambda = 1;
    if (n > 1) {
      const auto tolerance = log_of_tolerance(c, *claim.epsilon);
      if (!tolerance) return std::nullopt;
      for (std::size_t t : others) {
        // An enclosure; cancellation only makes lambda a little larger than necessary.
        auto s = spread(c, claim, weights, t, 256);
        if (!s) return std::nullopt;
        const mpq_class needed = (*s + *tolerance) / peak(order.products(t), separating->products[t]).gap;
        mpz_class whole;
        mpz_cdiv_q(whole.get_mpz_t(), needed.get_num_mpz_t(), needed.get_den_mpz_t());
        lambda = std::max(lambda, mpz_class(whole + 1));
      }
    }
    Json step = to_json(weights, "claim-2");
    step["u"] = to_json(order.u());
    step["v"] = to_json(separating->v);
    step["lambda"] = to_json(lambda);
    return step;
  };
  const auto step = weights_step();
  if (step) proof.steps.push_back(*step);
  proof.result["hypotheses"] = {{"subset-size", size_fits ? "holds" : "fails"},
                                {"assumption-1", status_name(hypotheses.assumption_1, step.has_value())},
                                {"assumption-2", status_name(hypotheses.assumption_2, false)}};
  proof.result["conclusion"] = step ? "proved" : "open";
  proof.verdict = !size_fits || hypotheses.fails() ? Verdict::inapplicable : step ? Verdict::verified : Verdict::undecided;
  if (proof.verdict == Verdict::undecided) proof.reason = "no separator of the subset from the other examples was found";
  return proof;
}

}  // namespace attest
