// The rank of Z for given weights: lower bounds by characters, upper bounds by the affine hull and by what
// is special about the weights.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "proofs/capacity.hpp"
#include "proofs/proof.hpp"
#include "search/affine_hull.hpp"
#include "search/blocks.hpp"
#include "search/layer.hpp"

namespace attest {

/// The largest minor that a few of the characters show for which `minor_under` has one; they stop at a rank
/// of `most`. Empty rows when none shows a rank of 1.
MinorWitness largest_minor(const AttentionLayer& layer, std::size_t characters, std::size_t most,
                           const std::function<std::optional<MinorIndices>(const Character&)>& minor_under);
/// The largest minor of the layer's Z (T x Hd) that a few characters show to be non-singular.
MinorWitness largest_minor_of_z(const AttentionLayer& layer, std::size_t most);

/// Proves what can be proved of rank(Z(given)). `found`, of the layer's case, gets the minor.
void bound_rank_of_z(const AttentionLayer& layer, ProofScript& script, FoundWeights* found = nullptr);

/// Bounds the rank of another matrix made of the heads of the given layer from below, by the largest minor
/// that a few characters show; and, once the theorems have had their say, from above by kernel vectors.
/// `enough`: a minor of so many rows will do.
void add_minor_of_blocks(const AttentionLayer& layer, const std::string& of, const Blocks& blocks,
                         ProofScript& script, std::size_t enough = std::numeric_limits<std::size_t>::max());
void add_kernel_of_blocks(const AttentionLayer& layer, const std::string& of, const Blocks& blocks,
                          ProofScript& script);
/// Proves what can be proved of rank(Z|1), and of rank(Z(given)).
void bound_rank_with_ones(const AttentionLayer& layer, ProofScript& script);
/// The same of rank(outputs), and with `ones` of rank(outputs|1).
void bound_rank_of_outputs(const AttentionLayer& layer, bool ones, ProofScript& script);

/// Bounds rank(Z(name)) from below by the largest minor of the layer's Z that a few characters show. `name`
/// is "given" or the number of a `let`. The hull says when a minor is as large as it can be. `found` gets it.
MinorWitness add_minor_of_z(const AttentionLayer& layer, const std::string& name, AffineHull& hull,
                            ProofScript& script, FoundWeights* found = nullptr);

}  // namespace attest
