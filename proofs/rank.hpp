// The rank of Z for given weights: lower bounds by characters (F1), upper bounds by the affine hull (F2) and
// by exact reasons.
#pragma once

#include "attention/layer.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// The rank of Z for one layer as an interval; the steps that prove it are appended to `proof.steps`, after
/// the `affine-hull` step that gives `hull`. `layer_name` is "given" or "random", `definition` the step that
/// defines the latter.
Interval rank_of_z(const Case& c, const Claim& claim, const Effort& effort, const AttentionLayer& layer,
                   const std::string& layer_name, const Json& definition, const AffineHull& hull,
                   Json& steps);

/// Whether a step is about a layer (has the key `layer`): only then a claim for all weights reports a `rank`.
bool examines_a_layer(const Json& steps);

/// The step of a minor of Z that does not vanish under a character. `z` is all of Z (T x width), row-major
/// residues; it is not looked at below `effort.solutions_from`.
Json character_minor_step(const Case& c, const Claim& claim, const Effort& effort,
                          const std::string& layer_name, const Json& definition, Ring ring,
                          const Character& character, const MinorIndices& minor, const std::vector<double>& z,
                          std::size_t width);

ClaimProof prove_rank(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
