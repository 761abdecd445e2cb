// Do these weights memorize these labels: is there a linear read-out U with Z U = Y? Exactly when rank [Z Y]
// = rank(Z); with a bias [Z 1] takes the place of Z. Any labels are memorized when rank(Z) = T.
//
// Refuted by a minor of [Z Y] larger than rank(Z) can be. Verified when rank(Z) = T, and otherwise by vectors
// y with y Z = 0 and y Y = 0, as many as the rank of Z leaves: combinations of the rational left kernel of Z,
// or, where Z is too large for these, by the number of different examples with their labels. Labels that are
// all 0 (with a bias: all the same) need nothing of Z.
//
// With the values as they are the same is asked of what the heads put out in place of Z.
#include "proofs/provers.hpp"
#include "proofs/rank.hpp"

namespace attest {
namespace {

constexpr const char* kGap =
    "neither a minor with the labels that is larger than the rank without them nor a proof that there is "
    "none was found";

}  // namespace

void prove_memorizes(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const AttentionLayer layer(c, *c.weights);
  const bool bias = claim.has("bias");
  const std::string alone = bias ? "rank(Z|1)" : "rank(Z(given))", beside = bias ? "rank(Z|1Y)" : "rank(Z|Y)",
                    with_bias = bias ? "-bias" : "", with_ones = bias ? "-ones" : "";
  const bool narrow = c.layer->output_dim > c.layer->value_dim;
  const bool trivial = !narrow && script.of(bias ? "varying(labels)" : "nonzero(labels)").upper == 0;
  if (trivial) derive(script, bias ? "equal-labels-bias" : "zero-labels");
  if (bias)
    bound_rank_with_ones(layer, script);
  else
    bound_rank_of_z(layer, script);
  derive(script, "labels-beside" + with_ones);
  if (trivial) return;
  const auto decide = [&] {
    if (script.of(beside).lower > script.of(alone).upper) derive(script, "missed-labels" + with_bias);
    if (script.of(beside).upper <= script.of(alone).lower && !narrow)
      derive(script, "fitted-labels" + with_bias);
  };
  const Bounds rank = script.of(alone);
  if (rank.lower == static_cast<unsigned long>(c.layer->examples)) return decide();  // no rank exceeds T
  const Blocks blocks(beside, layer.exact(), claim);
  add_minor_of_blocks(layer, beside, blocks, script, rank.upper.get_ui() + 1);
  if (script.of(beside).lower <= rank.lower) {
    add_kernel_of_blocks(layer, beside, blocks, script);
    if (script.of(beside).upper > rank.lower) derive(script, "equal-labelled-rows" + with_ones);
  }
  decide();
  proof.reason = kGap;
}

void prove_output_memorizes(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  ProofScript& script = proof.script;
  const AttentionLayer layer(c, *c.weights);
  const bool bias = claim.has("bias");
  const std::string beside = bias ? "rank(outputs|1Y)" : "rank(outputs|Y)";
  bound_rank_of_outputs(layer, bias, script);
  const Bounds rank = script.of(bias ? "rank(outputs|1)" : "rank(outputs)");
  proof.reason = kGap;
  if (rank.lower == static_cast<unsigned long>(c.layer->examples)) return;  // no rank exceeds T
  const Blocks blocks(beside, layer.exact(), claim);
  add_minor_of_blocks(layer, beside, blocks, script, rank.upper.get_ui() + 1);
  if (script.of(beside).lower > rank.lower) return;
  if (bias ? c.layer->convex() : script.of("nonzero(value-bias)").upper == 0) {
    derive(script, bias ? "equal-labelled-rows-ones" : "equal-labelled-rows");
    derive(script, bias ? "outputs-ones-labels" : "outputs-and-labels");
  }
  add_kernel_of_blocks(layer, beside, blocks, script);
  if (!script.settled() && script.of(bias ? "varying(labels)" : "nonzero(labels)").upper == 0)
    derive(script, bias ? "outputs-equal-labels" : "outputs-zero-labels");
}

}  // namespace attest
