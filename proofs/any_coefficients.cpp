// The largest rank of Z over all choices of coefficients, non-negative numbers that sum to 1 in place of the
// softmax: what the bounds of Propositions 2 and 5 are about.
//
// From above the hull of the tokens, from below a layer, whose softmax is one choice.
#include "proofs/affine_hull_bound.hpp"
#include "proofs/capacity.hpp"
#include "proofs/provers.hpp"

namespace attest {

void prove_any_coefficients(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  AffineHull hull(c);
  add_affine_hull(hull, proof.script);
  add_weights_for_capacity(c, proof.script, weights_found(effort));
  derive(proof.script, "any-weights");
  proof.reason = unmet_bounds(proof.script, "rank(Z(any))", "rank(Z) for any coefficients") +
                 ": the given or random weights reach less than the hull of the tokens allows";
}

}  // namespace attest
