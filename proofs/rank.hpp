// The rank of Z for given weights: lower bounds by characters, upper bounds by the affine hull and by what
// is special about the weights.
#pragma once

#include "attention/affine_hull.hpp"
#include "attention/layer.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// The largest minor of the layer's Z (T x Hd) that a few characters show to be non-singular; they stop at a
/// rank of `most`. Empty rows when none shows a rank of 1.
MinorWitness largest_minor_of_z(const AttentionLayer& layer, std::size_t most);

/// Proves what can be proved of rank(Z(given)).
void bound_rank_of_z(const AttentionLayer& layer, ProofScript& script);

/// Bounds rank(Z(name)) from below by the largest minor of the layer's Z that a few characters show. `name`
/// is "given" or the number of a `let`. The hull says when a minor is as large as it can be.
void add_minor_of_z(const AttentionLayer& layer, const std::string& name, const AffineHull& hull,
                    ProofScript& script);

}  // namespace attest
