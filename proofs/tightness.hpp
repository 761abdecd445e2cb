// What the upper bounds for all weights share: how far do the given (or random) weights reach them?
#pragma once

#include "attention/affine_hull.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// The weights of `let random`: key and query (H, d, d_h) and read-out (H d, d_out), integers of absolute
/// value at most `bound`.
Weights random_weights(const Dimensions& dims, std::uint64_t bound, std::uint64_t seed);

/// Bounds capacity and rank(Z(any)) from below by a minor of the layer that the case gives or, when it gives
/// none of the shape (H, d, d_h), of one with random integer weights; nothing without queries.
void show_tightness(const Case& c, AffineHull& hull, ProofScript& script);

}  // namespace attest
