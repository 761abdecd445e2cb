#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// The affine hull with explicit functionals, hence explicit kernel vectors of Z; as a list of tokens where these would be huge.
AffineHull explicit_affine_hull(const Case& c);

ClaimProof prove_affine_hull_bound(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
