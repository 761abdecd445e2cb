// memorizes, injective and saturation: questions about given weights.
#include "proofs/kruskal_rank.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Examples that repeat, so that not everything is in general position.
Draft repetitive_draft(Random& random) {
  Draft draft = random_draft(random, random.between(1, 3), random.between(1, 3), random.between(1, 3),
                             random.between(1, 2), random.between(2, 7), true, random.one_in(2) ? 1 : 3);
  draft.output_dim = random.between(1, 2);
  draft.labels = integers(random, draft.examples * draft.output_dim, random.one_in(2) ? 1 : 9);
  for (std::size_t t = 1; t < draft.examples; ++t) {
    if (!random.one_in(3)) continue;
    std::copy_n(draft.queries.begin(), draft.embed_dim,
                draft.queries.begin() + static_cast<std::ptrdiff_t>(t * draft.embed_dim));
    if (random.one_in(2))
      std::copy_n(draft.labels.begin(), draft.output_dim,
                  draft.labels.begin() + static_cast<std::ptrdiff_t>(t * draft.output_dim));
  }
  return draft;
}

}  // namespace

TEST_CASE("whether labels are memorized, and outputs are different, is decided") {
  Random random(31);
  std::size_t verified = 0, short_of_rank = 0, equal = 0;
  for (int round = 0; round < 60; ++round) {
    Draft draft = repetitive_draft(random);
    draft.claims = {claim("memorizes"), claim("injective"), claim("rank")};
    const std::vector<Proof> proofs = certified(read(draft));
    CAPTURE(round);
    for (const Proof& proof : proofs) CHECK(proof.conclusion() != Truth::open);
    const bool memorized = proofs[0].verdict() == Verdict::verified;
    verified += memorized ? 1 : 0;
    short_of_rank += memorized && proofs[2].of("rank(Z(given))").upper < draft.examples ? 1 : 0;
    equal += proofs[1].of("distinct(Z)").upper < draft.examples ? 1 : 0;
  }
  CHECK(verified > 5);
  CHECK(verified < 55);
  CHECK(short_of_rank > 1);
  CHECK(equal > 5);
}

TEST_CASE("accuracy of whole layers is counted") {
  Random random(33);
  std::size_t accurate = 0, of_all = 0;
  for (const Base base : {Base::e, Base::two})
    for (const char* const scale : {"1", "1/2", "-1", "1/sqrt(3)"}) {
      // d_out = H d: the case is read without the rest of the layer, which comes after.
      constexpr std::size_t H = 2, n = 3, d = 2, T = 9, d_v = 3, d_out = 4;
      const std::size_t m = random.one_in(2) ? 2 : 5;  // fewer outputs than scores, or more
      Draft draft = random_draft(random, H, n, d, 2, T, random.one_in(2), 1);
      draft.base = base;
      draft.logit_scale = scale;
      draft.output_dim = d_out;
      draft.labels = integers(random, T * d_out, 9);
      std::vector<std::size_t> classes;
      for (std::size_t t = 0; t < T; ++t) classes.push_back(random.between(0, 2));
      draft.claims = {claim("accuracy", lines("classes", classes)), claim("accuracy", "epsilon = \"31/3\"")};
      Case c = read(draft);
      const auto array = [&](std::vector<std::size_t> shape, std::size_t size) {
        return ExactArray(std::move(shape), integers(random, size, 3));
      };
      Weights& w = *c.weights;
      w.value = array({H, d, d_v}, H * d * d_v);
      w.value_bias = array({H, d_v}, H * d_v);
      w.output = array({H, d_v, m}, H * d_v * m);
      w.output_bias = array({m}, m);
      w.skip = array({T, m}, T * m);
      w.readout = array({m, d_out}, m * d_out);
      w.readout_bias = array({d_out}, d_out);
      const std::vector<Proof> proofs = certified(c);
      CAPTURE(scale);
      // A tie of small integers is possible, and undecided.
      CHECK(proofs[1].of("accurate").decided());
      accurate += proofs[0].of("accurate").lower.get_ui();
      of_all += T;
    }
  CHECK(accurate > of_all / 8);
  CHECK(accurate < of_all);
}

TEST_CASE("saturated coefficients are counted") {
  Random random(32);
  for (const Base base : {Base::e, Base::two})
    for (const char* const scale : {"1", "1/2", "-3", "1/sqrt(3)"}) {
      Draft draft = random_draft(random, 2, 3, 2, 2, 9, random.one_in(2), 2);
      draft.base = base;
      draft.logit_scale = scale;
      draft.claims = {
          claim("saturation", "threshold = \"0.99\""), claim("saturation", "threshold = \"7/13\"\nhead = 1"),
          claim("saturation", "threshold = \"0.99\"\nat_least = 19\nexpect = \"refuted\""),
          claim("saturation", "threshold = \"7/13\""), claim("saturation", "threshold = \"7/13\"\nhead = 1")};
      const Case c = read(draft);
      const std::vector<Proof> proofs = certified(c);
      Effort shared;  // a claim about all heads tells one about one of them
      shared.searches = std::make_shared<VectorSearches>();
      const std::vector<Proof> others = certified(c, shared);
      for (std::size_t k = 0; k < proofs.size(); ++k) CHECK(proofs[k].steps == others[k].steps);
      CHECK(proofs[4].steps == proofs[1].steps);
      CAPTURE(scale);
      for (const Proof& proof : proofs) CHECK(proof.of("saturated").decided());
      CHECK(proofs[2].verdict() == Verdict::refuted);
    }
}
