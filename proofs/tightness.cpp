#include "proofs/tightness.hpp"

#include "proofs/rank.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kBound = 9, kSeed = 1;  // of the random weights

}  // namespace

Weights random_weights(const Dimensions& dims, std::uint64_t bound, std::uint64_t seed) {
  Generator generator;
  generator.kind = Generator::Kind::integers;
  generator.bound = bound;
  generator.seed = seed;
  const std::vector<std::size_t> shape{dims.heads, dims.embed_dim, dims.head_dim};
  Weights weights;
  weights.key = generator.draw(shape, stream::key);
  weights.query = generator.draw(shape, stream::query);
  if (dims.logit_scale.irrational()) generator.bound = 0;
  if (dims.sink) weights.sink = generator.draw({dims.heads}, stream::sink);
  return weights;
}

void show_tightness(const Case& c, AffineHull& hull, ProofScript& script) {
  if (!c.data.queries || upper_bound_of(script, "rank(Z(any))") == 0) return;
  const bool given = c.weights && script.of("in_shape(given)").lower == 1;
  const Json random = {{"random", {{"bound", kBound}, {"seed", kSeed}}}};
  const std::string name = given ? "given" : std::to_string(script.let(random));
  add_minor_of_z(AttentionLayer(c, given ? *c.weights : random_weights(*c.layer, kBound, kSeed)), name, hull,
                 script);
  derive(script, "some-weights", name);
  derive(script, "some-coefficients", name);
}

}  // namespace attest
