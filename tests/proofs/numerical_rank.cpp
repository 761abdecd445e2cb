// numerical-rank; and sampled subsets of queries.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("singular values of Z above a tolerance are counted, some and all") {
  Random random(41);
  std::size_t full = 0, partial = 0;
  for (int round = 0; round < 12; ++round) {
    Draft draft = random_draft(random, random.between(1, 3), random.between(1, 3), random.between(1, 3), 2,
                               random.between(1, 7), random.one_in(2), 2);
    draft.base = Base::two;
    for (const std::string tolerance : {"1/7", "0.8", "2.3", "1e-30"})
      draft.claims.push_back(claim("numerical-rank", "tolerance = \"" + tolerance + "\""));
    for (const Proof& proof : certified(read(draft))) {
      const Bounds above = proof.of("numerical_rank");
      REQUIRE(above.decided());
      (above.lower == std::min(draft.examples, draft.heads * draft.embed_dim) ? full : partial) += 1;
    }
  }
  CHECK(full > 5);
  CHECK(partial > 5);
}

TEST_CASE("what the first guess proves is told before it is improved, and is no part of the certificate") {
  Case c = read_case(ATTEST_SOURCE_DIR "/cases/numerical-rank/generated-tall.toml");
  const Claim& claim = c.claims.at(2);  // the guess shows 6 of 12 singular values
  std::vector<Json> early;
  std::size_t others = 0;
  Effort effort;
  effort.told = [&](const Json& step) {
    if (step.contains("early"))
      early.push_back(step);
    else
      ++others;
  };
  const ClaimProof proof = prove(c, claim, effort);
  CHECK(proof.script.of("numerical_rank").lower == 12);
  CHECK(others == proof.script.steps().size());
  REQUIRE(!early.empty());
  for (Json step : early) {
    step.erase("early");
    CHECK(step["fact"] != "numerical_rank >= 12");
    kernel::CaseProof(c, &claim).proof.check_all({{0, &step}});  // or throws
    step["fact"] = "numerical_rank >= 12";
    CHECK_THROWS_AS(kernel::CaseProof(c, &claim).proof.check_all({{0, &step}}), Failure);
  }
  for (const Json& step : proof.script.steps()) CHECK(!step.contains("early"));
}

TEST_CASE("scales and bases: the certificate is valid") {
  Random random(42);
  for (const Base base : {Base::e, Base::two})
    for (const char* const scale : {"1", "1/2", "-3", "1/sqrt(3)"}) {
      Draft draft = random_draft(random, 2, 3, 2, 2, 5, false, 2);
      draft.base = base;
      draft.logit_scale = scale;
      draft.query_bias = integers(random, 4, 2);
      draft.claims = {claim("numerical-rank", "tolerance = \"0.3\""),
                      claim("numerical-rank", "tolerance = \"100\"\nvalue = 0")};
      for (const Proof& proof : certified(read(draft))) CHECK(proof.verdict() == Verdict::verified);
    }
}

TEST_CASE("logits near 2^200 behind a normalization say nothing until they have as many bits") {
  // At 64 bits entries of Z have no size; the examples differ by e^-(2^190), which no certificate has the
  // bits to show.
  const Case c = read(sized_layer(1, 2, 1, 1, 2) + R"([data]
hidden = [[[1], [2]], [[1], [3]]]
positions = [1]
[[before]]
kind = "rmsnorm"
epsilon = 1
[weights]
key = [[["0x1p100"]]]
query = [[["-0x1p100"]]]
)" + claim("numerical-rank", "tolerance = '1/2'") +
                      claim("injective"));
  const std::vector<Proof> proofs = certified(c);
  CHECK(proofs[0].is("numerical_rank", 1));
  CHECK(proofs[1].verdict() == Verdict::undecided);
}

TEST_CASE("vectors behind a neuron that is nearly off may be of any size, and have no numerals") {
  // silu(x) at x near -2^70: as 64 bits know it, a number that has an end near e^-(2^70).
  const Case c = read(sized_layer(1, 2, 1, 1, 1) + R"([data]
hidden = [[["0x1p-40"], ["-0x1.8p40"]]]
positions = "last"
[[before]]
kind = "mlp"
activation = "silu"
residual = false
weight_1 = [["1000000007", "12345/6789"]]
weight_2 = [["0x1p-40"], ["0x1p-40"]]
[weights]
key = [[[1]]]
query = [[[1]]]
)" + claim("numerical-rank", "tolerance = '1/2'\nvalue = 0"));
  CHECK(certified(c)[0].verdict() == Verdict::verified);
}

TEST_CASE("random subsets of queries, where the search for dependent ones ends") {
  Random random(43);
  Draft draft = random_draft(random, 1, 6, 8, 2, 60, true, 99);
  draft.claims = {claim("assumption-1")};
  Effort effort;
  effort.subsets = 5;
  const auto sampled = [&](std::size_t samples) {
    const Case c = read(draft);
    effort.samples = samples;
    certified(c, effort);
    return prove(c, c.claims[0], effort);
  };
  CHECK(!sampled(0).sampled);
  const ClaimProof independent = sampled(50);
  REQUIRE(independent.sampled);
  CHECK(independent.sampled->independent == 50);
  CHECK(independent.sampled->size == 6);
  CHECK(independent.sampled->dependent_share.lower == 0);
  CHECK(!independent.reason.empty());
  // A quarter of the queries lie in a subspace of dimension 5, which few bases show: six of them are
  // dependent.
  for (std::size_t t = 40; t < 55; ++t)
    for (std::size_t j = 5; j < 8; ++j) draft.queries[t * 8 + j] = 0;
  const ClaimProof refuted = sampled(20000);
  REQUIRE(refuted.sampled);
  CHECK(refuted.sampled->dependent > 0);
  CHECK(refuted.sampled->dependent_share.lower > 0);
  CHECK(refuted.script.of("kruskal(queries)").upper == 5);
  CHECK(refuted.reason.empty());
}
