// What Propositions 2 and 5 share: is the bound for all weights reached by the given (or random) ones?
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Adds `bounds`, and when there are queries `rank` and `tight`, for the layer that the case gives or, without weights, for random integer
/// ones. `bound` is the proposition's.
void show_tightness(const Case& c, const Claim& claim, const Effort& effort, const AffineHull& hull, std::size_t bound, ClaimProof& proof);

}  // namespace attest
