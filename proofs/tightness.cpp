#include "proofs/tightness.hpp"

#include "proofs/rank.hpp"

namespace attest {
namespace {

Weights random_weights(const Dimensions& dims, const Generator& generator) {
  const std::vector<std::size_t> shape{dims.heads, dims.embed_dim, dims.head_dim};
  Weights weights;
  weights.key = generator.draw(shape, stream::key);
  weights.query = generator.draw(shape, stream::query);
  return weights;
}

}  // namespace

void show_tightness(const Case& c, const Claim& claim, const Effort& effort, const AffineHull& hull, std::size_t bound, ClaimProof& proof) {
  proof.result["bounds"] = bounds(c, hull.bound(c.layer->heads));
  if (!c.data.queries) return;
  Interval rank;
  if (c.weights) {
    rank = rank_of_z(c, claim, effort, AttentionLayer(c, *c.weights), "given", nullptr, hull, proof.steps);
  } else {
    Generator generator;
    generator.kind = Generator::Kind::integers;
    generator.bound = 9;
    generator.seed = 1;
    const Json definition = {{"argument", "random"}, {"theorem", "definition"}, {"kind", "integers"}, {"bound", 9}, {"seed", 1}};
    proof.steps.push_back(definition);
    rank = rank_of_z(c, claim, effort, AttentionLayer(c, random_weights(*c.layer, generator)), "random", definition, hull, proof.steps);
  }
  proof.result["rank"] = to_json(rank);
  if (rank.lower == bound) proof.result["tight"] = true;
  if (rank.upper < bound) proof.result["tight"] = false;
}

}  // namespace attest
