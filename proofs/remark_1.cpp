// Remark 1. If the Kruskal rank of the queries is only k < n, Proposition 1 holds with r = min(n, d_h, k).
//
// Proof: the induction uses fresh sets of at most r examples, whose queries are independent, and r - 1 of
// them with any other query are independent too.
#include <algorithm>

#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/proposition_1.hpp"
#include "proofs/propositions.hpp"

namespace attest {

ClaimProof prove_remark_1(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const Dimensions& dims = *c.layer;
  const bool full_rank = assumption_2(c, proof.steps);
  const KruskalProof kruskal =
      kruskal_rank_of_queries(c, std::min(dims.context, dims.examples), effort.subsets);
  for (const Json& step : kruskal.steps) proof.steps.push_back(step);
  const AffineHull hull = cheapest_affine_hull(c);
  proof.steps.push_back(affine_hull_step(hull, dims.heads));

  auto bound_for = [&](std::size_t k) {
    const std::size_t r = std::min(head_rank(dims), k);
    return r == 0 ? 0 : std::min(dims.examples, dims.heads * (r - 1) + 1);
  };
  // With an undecided Kruskal rank the remark is proved only when the construction reaches the bound for its
  // upper end.
  const std::size_t lower = kruskal.rank.lower, target = bound_for(kruskal.rank.upper);
  proof.result["bounds"] = {{"paper_lower", bound_for(lower)},
                            {"affine_hull", affine_hull_bound(c, hull.bound(dims.heads))}};
  std::optional<Construction> construction;
  if (lower > 0) construction = construct(c, target, std::min(head_rank(dims), lower));
  if (construction) {
    append_construction(c, claim, effort, *construction, proof.steps);
    proof.result["rank"] =
        to_json(Interval{construction->minor().rank(), affine_hull_bound(c, hull.bound(dims.heads))});
  }
  const bool proved = target == 0 || construction.has_value();
  proof.result["kruskal_rank"] = to_json(kruskal.interval());
  proof.result["hypotheses"] = {{"assumption-2", full_rank ? "holds" : "fails"}};
  proof.result["conclusion"] = proved ? "proved" : "open";
  proof.verdict = !full_rank ? Verdict::inapplicable : proved ? Verdict::verified : Verdict::undecided;
  if (proof.verdict == Verdict::undecided)
    proof.reason = "the induction found no fresh set that it could use";
  return proof;
}

}  // namespace attest
