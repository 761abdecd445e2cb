// Proposition 5 (general position does not help). If the entries of every token of every context sum to one constant c, then
// rank(Z) <= H (d - 1) + 1 for any weights.
//
// Proof, as an instance of the affine-hull bound: the functional v = (1, ..., 1) has E_t v = c 1 for all t, so a <= d - 1.
#include <algorithm>

#include "exact/modular.hpp"
#include "proofs/propositions.hpp"
#include "proofs/tightness.hpp"

namespace attest {

ClaimProof prove_proposition_5(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const std::size_t d = c.layer->embed_dim, H = c.layer->heads;
  const TokenSums sums = token_sums(c);
  AffineHull hull = cheapest_affine_hull(c);
  if (sums.different) {
    const auto& [first, second] = *sums.different;
    proof.steps.push_back({{"argument", "token-sums-differ"},
                           {"theorem", "witness"},
                           {"first", {first.first, first.second}},
                           {"second", {second.first, second.second}}});
  } else {
    AffineHull plane{d - 1, sums.sum == 0, {Functional{{1, std::vector<mpz_class>(d, 1)}, sums.sum}}, {}, large_prime(0)};
    if (plane.bound(H) <= hull.bound(H))
      hull = std::move(plane);
    else
      proof.steps.push_back(affine_hull_step(plane, H));
  }
  proof.steps.push_back(affine_hull_step(hull, H));
  const std::size_t bound = H * (d - 1) + 1;
  show_tightness(c, claim, effort, hull, std::min(c.layer->examples, bound), proof);
  proof.result["hypotheses"] = {{"constant-sum", sums.different ? "fails" : "holds"}};
  proof.result["conclusion"] = hull.bound(H) <= bound ? "proved" : "open";
  proof.verdict = sums.different ? Verdict::inapplicable : Verdict::verified;
  return proof;
}

}  // namespace attest
