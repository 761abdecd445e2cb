// Upper bounds for all weights by the affine hull of the tokens.
#pragma once

#include "proofs/proof.hpp"
#include "search/affine_hull.hpp"

namespace attest {

/// "rank(tokens)" or "rank(affine-tokens)".
const char* rank_of_tokens(Span span);

/// Bounds rank(tokens) from above, by functionals that vanish on them, unless it is known.
void add_rank_of_tokens(AffineHull& hull, ProofScript& script);

/// Bounds rank(Z(any)) by the hull of all tokens and by those of the single contexts, unless as much is
/// known: functionals that are constant on all tokens (no proof is needed of a rank that is the number of
/// tokens or columns), or on those of each context, and the theorem.
void add_affine_hull(AffineHull& hull, ProofScript& script);

/// Bounds rank(Z(any)) and capacity from above: by the hull and, if there are queries, by equal examples.
void add_bounds_for_all_weights(const Case& c, AffineHull& hull, ProofScript& script);

}  // namespace attest
