// Proposition 2 (tightness). If all contexts are the same matrix, rank(Z) <= H (n - 1) + 1 for any weights.
//
// Proof, as an instance of the affine-hull bound: all tokens are among the n rows of one matrix, so they lie in an affine space of
// dimension a <= n - 1; the functionals that are constant on it are kernel vectors of Z.
#include <algorithm>

#include "proofs/affine_hull_bound.hpp"
#include "proofs/propositions.hpp"
#include "proofs/tightness.hpp"

namespace attest {
namespace {

// An entry in which a context differs from context 0: (example, token, coordinate).
std::optional<std::array<std::size_t, 3>> different_entry(const Case& c) {
  if (c.data.shared_context) return std::nullopt;
  const std::size_t d = c.layer->embed_dim, size = c.layer->context * d;
  for (std::size_t k = size; k < c.data.contexts->size(); ++k)
    if (c.data.contexts->at(k) != c.data.contexts->at(k % size)) return std::array{k / size, k % size / d, k % d};
  return std::nullopt;
}

}  // namespace

ClaimProof prove_proposition_2(const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof;
  const std::size_t bound = c.layer->heads * (c.layer->context - 1) + 1;
  const auto different = different_entry(c);
  if (different)
    proof.steps.push_back({{"argument", "contexts-differ"},
                           {"theorem", "witness"},
                           {"example", (*different)[0]},
                           {"token", (*different)[1]},
                           {"coordinate", (*different)[2]}});
  const AffineHull hull = explicit_affine_hull(c);
  proof.steps.push_back(affine_hull_step(hull, c.layer->heads));
  show_tightness(c, claim, effort, hull, std::min(c.layer->examples, bound), proof);
  proof.result["hypotheses"] = {{"shared-context", different ? "fails" : "holds"}};
  proof.result["conclusion"] = hull.bound(c.layer->heads) <= bound ? "proved" : "open";
  proof.verdict = different ? Verdict::inapplicable : Verdict::verified;
  return proof;
}

}  // namespace attest
