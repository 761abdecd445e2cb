// Remark 1. If the Kruskal rank of the queries is only k < n, Proposition 1 holds with r = min(n, d_h, k).
//
// Proof: the induction uses fresh sets of at most r examples, whose queries are independent, and r - 1 of
// them with any other query are independent too.
#include <algorithm>

#include "proofs/affine_hull_bound.hpp"
#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/proposition_1.hpp"
#include "proofs/provers.hpp"
#include "search/layer.hpp"

namespace attest {

void prove_remark_1(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  const Dimensions& dims = *c.layer;
  add_assumption_2(c, proof.script);
  const KruskalRank k = kruskal_rank(all_queries(c), std::min(dims.context, dims.examples), effort.subsets);
  add_kruskal_lower("kruskal(queries)", k, proof.script);
  add_kruskal_upper("kruskal(queries)", k, proof.script);
  proof.limited = k.limited;

  // With an undecided Kruskal rank the remark is proved only when the construction reaches the bound for its
  // upper end.
  const std::size_t r = std::min(head_rank(dims), k.upper),
                    target = r == 0 ? 0 : std::min(dims.examples, dims.heads * (r - 1) + 1);
  std::optional<Construction> construction;
  if (target > 0 && k.lower > 0) construction = construct(c, target, std::min(head_rank(dims), k.lower));
  if (construction)
    add_construction(*construction, proof.script);
  else
    proof.reason = "the induction found no fresh set that it could use";
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, proof.script);
}

}  // namespace attest
