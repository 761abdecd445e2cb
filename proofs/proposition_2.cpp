// Proposition 2 (tightness). If all contexts are the same matrix, rank(Z) <= H (n - 1) + 1 for any weights.
//
// Proof, as an instance of the affine-hull bound: all tokens are among the n rows of one matrix, so they lie
// in an affine space of dimension a <= n - 1.
#include "proofs/affine_hull_bound.hpp"
#include "proofs/capacity.hpp"
#include "proofs/provers.hpp"

namespace attest {

void prove_proposition_2(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, proof.script);
  add_weights_for_capacity(c, proof.script, weights_found(effort));
}

}  // namespace attest
