// Theorem 1 (memorization). Under Assumptions 1 and 2 a layer with H heads memorizes T <= H (r - 1) + 1
// examples with any labels.
//
// Step 1 is Proposition 1 with T rows: Z has full row rank. Step 2 solves Z U = Y: with U supported on T
// columns with a non-singular minor the solution is unique.
#include "proofs/theorem_1.hpp"

#include "proofs/affine_hull_bound.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/provers.hpp"
#include "proofs/readout.hpp"
#include "proofs/stack.hpp"

namespace attest {

void memorize(const Case& c, const Effort& effort, const std::optional<RationalMatrix>& labels,
              const std::string& all_labels, ClaimProof& proof) {
  decide_hypotheses(c, effort, proof.script);
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, proof.script);
  // Beyond the theorem's bound the construction may still reach T, but not beyond the bounds for all weights.
  const std::size_t T = c.layer->examples;
  std::optional<Construction> construction;
  if (upper_bound_of(proof.script, "capacity") == T) construction = construct(c, T, head_rank(*c.layer));
  if (!construction) {
    proof.reason = "the induction found no fresh set that it could use";
    return;
  }
  const ProofScript::Number layer = add_construction(*construction, proof.script);
  const Dimensions& dims = *c.layer;
  if (dims.output_dim <= dims.value_dim) derive(proof.script, all_labels);
  if (labels && T <= effort.readout_examples) add_readout(c, *construction, layer, *labels, proof.script);
}

void prove_theorem_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  std::optional<RationalMatrix> labels;
  if (c.data.labels) labels = rational_matrix(*c.data.labels);
  memorize(c, effort, labels, "all-labels", proof);
}

}  // namespace attest
