// Sinks, sigmoid coefficients, outputs, read-out biases and single heads: against counts that are known; and
// certificates that were tampered with.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

const char* const kSink = "sink = true\n";
const char* const kSigmoid = "coefficients = \"sigmoid\"\n";

std::string value(std::size_t number) {
  return "value = " + std::to_string(number);
}

// A shared context of n unit vectors, random queries and weights.
Draft generic(std::size_t heads, std::size_t n, std::size_t T, const std::string& layer) {
  Random random(heads + 10 * n);
  Draft draft = random_draft(random, heads, n, n, n, T, true, 9);
  draft.contexts = Numbers(n * n);
  for (std::size_t i = 0; i < n; ++i) draft.contexts[i * n + i] = 1;
  draft.layer_lines = layer;
  return draft;
}

Draft one_token(std::size_t heads, const std::string& layer) {
  Draft draft = sized_draft(heads, 1, 1, 1, 3);
  draft.contexts = {1};
  draft.queries = {1, -1, 0};
  for (std::size_t h = 0; h < heads; ++h) draft.key.emplace_back(h + 1), draft.query.emplace_back(1);
  draft.layer_lines = layer;
  return draft;
}

Draft opposite(std::size_t heads, const std::string& layer) {
  Draft draft = sized_draft(heads, 2, 2, 2, 4);
  draft.contexts = {1, 0, 0, 1};
  draft.queries = {1, 2, -1, -2, 3, -1, -3, 1};
  Random random(heads);
  draft.key = integers(random, heads * 4, 5), draft.query = integers(random, heads * 4, 5);
  draft.layer_lines = layer;
  return draft;
}

}  // namespace

TEST_CASE("sinks: counts that are known") {
  const std::size_t zero[] = {1, 2, 2, 2}, free[] = {1, 2, 3, 3};
  for (std::size_t H = 1; H <= 4; ++H) {
    Draft draft = one_token(H, kSink);
    draft.claims = {claim("rank", value(zero[H - 1])), claim("capacity", value(free[H - 1]))};
    const auto proofs = certified(read(draft));
    CHECK(proofs[0].verdict() == Verdict::verified);
    CHECK(proofs[1].verdict() == Verdict::verified);
    for (const std::size_t n : {2u, 3u}) {
      Draft shared = generic(H, n, 4 * n + 1, kSink);
      shared.claims = {claim("rank", value(H * n)), claim("capacity", value(H * n))};
      for (const Proof& proof : certified(read(shared))) CHECK(proof.verdict() == Verdict::verified);
    }
    Draft pairs = opposite(H, kSink);
    pairs.claims = {claim("rank", value(std::min<std::size_t>(4, 2 * H)))};
    CHECK(certified(read(pairs))[0].verdict() == Verdict::verified);
  }
}

TEST_CASE("sinks: where the query is 0 the coefficients of all heads are equal up to factors") {
  // Three examples move in one direction, which two heads make 2; the sums (0, 2), (1, 3) add one dimension.
  for (const bool other : {false, true}) {
    Draft draft = sized_draft(2, 2, 2, 1, 5);
    draft.shared = false;
    draft.contexts = {1, 0, 2, 0, 1, 0, 3, 0, 1, 0, -1, 0, 0, 1, 0, 1, 1, 1, 0, 2};
    draft.queries = {1, 0, 0, 1, 1, 1, 0, 0, 0, 0};
    if (other) draft.queries.back() = 1;  // the last one moves, too: its tokens reach a further dimension
    draft.layer_lines = kSink;
    draft.claims = {claim("capacity", value(other ? 4 : 3))};
    CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
  }
}

TEST_CASE("sinks: which examples, shown at weights with sinks of their own") {
  // Equal examples conflict with each other, and with nothing else.
  Draft draft = sized_draft(3, 3, 1, 1, 6);
  draft.contexts = {1, 0, 1};
  draft.queries = {0, -1, -1, 1, 0, 0};
  draft.layer_lines = kSink;
  draft.claims = {claim("capacity", "which = true")};
  const Case c = read(draft);
  const auto proofs = certified(c);
  REQUIRE(proofs[0].finding.which);
  CHECK(proofs[0].finding.which->text() == "0,1,3;2:1;4:0;5:0");
  for (const char* const text : {"0,1,3;2:1;4:0,1;5:0", "0,1,3;2:;4:0;5:0", "0,1,2;3:1;4:0;5:0"}) {
    auto forged = proofs;
    Json& step = forged[0].steps.back();
    step["of"] = "which(" + std::string(text) + ")";
    step["fact"] = "which(" + std::string(text) + ") >= 1";
    CHECK_FALSE(accepted(c, forged));
  }
}

TEST_CASE("sigmoid: counts that are known") {
  for (std::size_t H = 1; H <= 5; ++H) {
    Draft draft = generic(H, 3, 17, kSigmoid);
    draft.claims = {claim("rank", value(3 * H))};
    CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
  }
  // alpha(-l) = 1 - alpha(l): a relation of opposite queries, and so for all weights.
  Draft pairs = opposite(3, kSigmoid);
  pairs.claims = {claim("rank", value(3)), claim("capacity", value(3))};
  for (const Proof& proof : certified(read(pairs))) CHECK(proof.verdict() == Verdict::verified);
}

TEST_CASE("other coefficients, outputs, biases and heads: nine of ten ranks are decided") {
  std::size_t decided = 0, all = 0;
  FOR_SEEDS(150, 0) {
    const std::size_t H = random.between(1, 3), n = random.between(1, 3), d = random.between(1, 3),
                      d_v = random.between(1, 3), T = random.between(1, 6);
    Draft draft = random_draft(random, H, n, d, random.between(1, 2), T, random.one_in(2),
                               static_cast<long>(random.between(1, 2)));
    if (random.one_in(3)) draft.base = Base::two;
    if (random.one_in(3)) draft.logit_scale = random.one_in(2) ? "1/2" : "1/sqrt(2)";
    const std::string coefficients[] = {"", kSink, kSigmoid};
    draft.layer_lines = coefficients[random.below(3)];
    if (draft.layer_lines == kSink && draft.logit_scale != "1/sqrt(2)" && !random.one_in(3))
      draft.weight_lines = lines("sink", rationals(random, H, 2, 2), {H});
    draft.weight_lines += lines("value", integers(random, H * d * d_v, 1), {H, d, d_v});
    if (random.one_in(2)) draft.weight_lines += lines("value_bias", integers(random, H * d_v, 1), {H, d_v});
    const std::string head = "head = " + std::to_string(random.below(H));
    draft.claims = {claim("rank"), claim("rank", "bias = true"), claim("rank", head), claim("output-rank"),
                    claim("output-rank", head)};
    for (const Proof& proof : certified(read(draft))) {
      ++all;
      decided += proof.finding.shown.front().bounds.decided() ? 1 : 0;
    }
  }
  MESSAGE(decided << " of " << all << " ranks decided");
  CHECK(10 * decided >= 9 * all);
}

TEST_CASE("other coefficients: no theorem about coefficients that sum to 1 applies") {
  Draft draft = opposite(2, kSink);
  draft.claims = {claim("rank")};
  const Case c = read(draft);
  Proof proof = certified(c)[0];
  const auto with = [&](const std::string& theorem, const std::string& fact, const std::string& layer) {
    Proof forged = proof;
    Json step = {{"rule", "theorem"}, {"theorem", theorem}, {"uses", Json::array()}, {"fact", fact}};
    if (!layer.empty()) step["layer"] = layer;
    forged.steps.push_back(step);
    return accepted(c, {forged});
  };
  CHECK(accepted(c, {proof}));
  CHECK(with("linear-hull", "rank(Z(any)) <= 4", ""));
  CHECK_FALSE(with("affine-hull", "rank(Z(any)) <= 3", ""));
  CHECK_FALSE(with("affine-hull", "rank(Z(any)) <= 5", ""));
  CHECK_FALSE(with("context-hulls", "rank(Z(any)) <= 4", ""));
  CHECK_FALSE(with("affine-hull-ones", "rank(Z|1) <= 5", ""));
  CHECK_FALSE(with("equal-heads", "rank(Z(given)) <= 4", "given"));
  CHECK_FALSE(with("constant-heads", "rank(Z(given)) <= 5", "given"));
  CHECK(with("constant-heads-cones", "rank(Z(given)) <= 5", "given"));
  CHECK_FALSE(with("constant-heads-cones", "rank(Z(given)) <= 4", "given"));
}

TEST_CASE("other coefficients: what holds of the softmax alone is no relation") {
  for (const char* const layer : {kSink, kSigmoid}) {
    Draft draft = opposite(3, "");
    draft.claims = {claim("rank")};
    const Proof of_softmax = certified(read(draft))[0];
    draft.layer_lines = layer;
    const Case c = read(draft);
    // The relation of opposite queries holds for the softmax and for sigmoid coefficients.
    Proof relation = of_softmax;
    relation.steps = Json::array({step(of_softmax, "zero", "rank(Z(given))")});
    CHECK(accepted(c, {relation}) == (layer == std::string(kSigmoid)));
  }
}

TEST_CASE("outputs, biases and heads: certificates that were tampered with") {
  Draft draft = opposite(2, "");
  draft.output_dim = 4;  // what the layer puts out
  draft.weight_lines =
      lines("value", {1, 2, 1, 1, 0, 1, 1, 3}, {2, 2, 2}) + lines("value_bias", {1, 0, 2, 1}, {2, 2});
  for (const std::string& body :
       {claim("output-rank"), claim("rank", "head = 1"), claim("output-rank", "head = 1")}) {
    INFO(body);
    draft.claims = {body};
    const auto [c, proof] = proved(draft);
    const Json& minor = step(proof, "minor");
    const std::string of = minor["of"];
    const auto after = [&](auto change) { return accepted_after(c, proof, "minor", of, change); };
    CHECK(after([](Json&) {}));
    CHECK_FALSE(after([](Json& s) { s["cols"][0] = s["cols"][1]; }));
    CHECK_FALSE(after([](Json& s) { s["cols"][0] = 100; }));
    CHECK_FALSE(after([](Json& s) { s["g"] = 1; }));
    CHECK_FALSE(after([](Json& s) { s["fact"] = s["fact"].get<std::string>() + "0"; }));
    CHECK_FALSE(after([](Json& s) { s["of"] = "rank(Z(given))"; }));
  }
  // Three rows that depend on each other with the bias too.
  draft.claims = {claim("rank", "bias = true")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.finding.shown.front().bounds.upper == 3);
  if (has_step(proof, "zero", "rank(Z|1)")) {
    CHECK_FALSE(accepted_after(c, proof, "zero", "rank(Z|1)", [](Json& s) { s["vectors"][0][0][1] = "2"; }));
    CHECK_FALSE(accepted_after(c, proof, "zero", "rank(Z|1)", [](Json& s) { s["side"] = "right"; }));
  }
}

TEST_CASE("other coefficients: what is refused") {
  const auto refused = [](const std::string& layer, const std::string& weights, const std::string& scale,
                          const std::string& statement) {
    Draft draft = opposite(1, layer);
    draft.weight_lines = weights;
    draft.logit_scale = scale;
    draft.claims = {claim(statement)};
    try {
      read(draft);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  CHECK_FALSE(refused(kSink, "", "", "rank"));
  CHECK_FALSE(refused(kSink, "sink = [\"1/2\"]\n", "1/3", "rank"));
  CHECK_FALSE(refused(kSink, "sink = [0]\n", "1/sqrt(2)", "rank"));
  CHECK(refused(kSink, "sink = [1]\n", "1/sqrt(2)", "rank"));
  CHECK(refused(kSink, "sink = [1, 2]\n", "", "rank"));
  CHECK(refused("", "sink = [1]\n", "", "rank"));
  CHECK(refused(kSigmoid, "sink = [1]\n", "", "rank"));
  CHECK(refused(std::string(kSink) + kSigmoid, "", "", "rank"));
  CHECK(refused("coefficients = \"linear\"\n", "", "", "rank"));
  CHECK(refused(kSink, "key_bias = [[1, 2]]\n", "", "rank"));
  CHECK(refused(kSigmoid, "key_bias = [[1, 2]]\n", "", "rank"));
  CHECK(refused("", "", "", "output-rank"));
  for (const char* const statement : {"proposition-1", "proposition-2", "proposition-5", "theorem-1",
                                      "remark-1", "finite-lambda", "affine-hull-bound", "lemma-3"}) {
    CHECK(refused(kSink, "", "", statement));
    CHECK(refused(kSigmoid, "", "", statement));
  }
}
