// rank(Z) <= min(T, Hd, H a + 1) for all weights, a the dimension of the affine hull of the tokens
// (foundations F2): the common generalization of Propositions 2 and 5. Verified by the functionals that are
// constant on the tokens.
#include "proofs/affine_hull_bound.hpp"

#include "proofs/rank.hpp"

namespace attest {

AffineHull explicit_affine_hull(const Case& c) {
  // Functionals have about n entries of n times the bits of the data; beyond a megabyte or so, a list of
  // tokens says the same.
  constexpr std::size_t kEntries = 200000;
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  if (c.data.shared_context && n < d && n * n * (d - n) > kEntries) return cheapest_affine_hull(c);
  return affine_hull(c);
}

Json token_minor_step(const Case& c, const AffineHull& hull, bool affine) {
  const TokenMinor minor = token_minor(c, hull, affine);
  Json step = {{"argument", "token-minor"}, {"theorem", "modular-rank"}, {"p", minor.prime}};
  step["tokens"] = Json::array();
  for (const auto& [t, i] : minor.tokens) step["tokens"].push_back({t, i});
  step["cols"] = to_json(minor.cols);
  step["affine"] = affine;
  return step;
}

ClaimProof prove_affine_hull_bound(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const AffineHull hull = explicit_affine_hull(c);
  proof.steps.push_back(affine_hull_step(hull, c.layer->heads));
  // The hull is no smaller: a + 1 affinely independent tokens, linearly independent ones when it does not
  // contain 0.
  proof.steps.push_back(token_minor_step(c, hull, true));
  if (!hull.linear && hull.dimension < c.layer->embed_dim)
    proof.steps.push_back(token_minor_step(c, hull, false));
  proof.verdict = Verdict::verified;
  proof.result["bounds"] = bounds(c, hull.bound(c.layer->heads));
  if (c.weights && c.data.queries) {
    const AttentionLayer layer(c, *c.weights);
    const Interval rank = rank_of_z(c, claim, effort, layer, "given", nullptr, hull, proof.steps);
    if (examines_a_layer(proof.steps)) proof.result["rank"] = to_json(rank);
  }
  return proof;
}

}  // namespace attest
