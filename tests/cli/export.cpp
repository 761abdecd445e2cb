// export --coq: what is written, and what is refused. That Coq accepts the files and rejects changed ones is
// tested by proofs/formal/replay.sh.
#include <fstream>
#include <functional>
#include <iterator>

#include "tests/cli/program.hpp"

using namespace attest::test;

namespace {

/// A case of proofs/formal/replay, verified.
void verify_replay_case(const Workplace& place, const std::string& name) {
  std::ifstream in(ATTEST_SOURCE_DIR "/proofs/formal/replay/" + name + ".toml", std::ios::binary);
  REQUIRE_MESSAGE(in.good(), name);
  place.write(name + ".toml", std::string(std::istreambuf_iterator<char>(in), {}));
  REQUIRE(place.attest({"verify", name + ".toml"}).status == 0);
}

std::string certificate(const std::string& name) {
  return "certificates/" + name + ".json";
}

/// The first step of a rule about a quantity.
Json& step(Json& certificate, const std::string& rule, const std::string& of) {
  for (Json& s : certificate["claims"][0]["steps"])
    if (s["rule"] == rule && s.value("of", "") == of) return s;
  FAIL("no step " << rule << " of " << of);
  return certificate;
}

/// A case with a claim: base 2, two examples, a shared context of two tokens; weights and further lines as
/// given.
std::string small_case(const std::string& layer, const std::string& weights, const std::string& claims) {
  return R"(format = 1
title = "Two examples \" (* \" in a title"
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 2
examples = 2
)" + layer +
         "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 0], [0, 1]]\n[weights]\n" + weights + claims;
}

}  // namespace

TEST_CASE("export: the statement, the witnesses and the theorem of each kind of claim") {
  const Workplace place;
  struct Expected {
    std::string name;
    std::vector<std::string> parts;
  };
  for (const auto& [name, parts] : std::vector<Expected>{
           {"two_by_two",
            {"Definition case_layer : layer_data", "Lemma logits_are_integers",
             "@replay_rank_geq F case_layer", "Definition minor_rows : seq nat :=\n  [:: 0; 1]%N",
             "\\rank (real_Z R case_layer) = 2%N"}},
           {"deficient_hull",
            {"@replay_rank_leq_functionals F", "hull_v_0", "(\\rank (real_Z R case_layer) <= 7)%N"}},
           {"kernel_opposite_heads",
            {"@replay_rank_leq_right_kernel F",
             "Definition kernel_vectors : seq (seq Z) :=\n  [:: [:: 0; -1; 1; 0]",
             "(\\rank (layer_Z F case_layer) <= (4 - size kernel_vectors)%N)%N", "= 2%N"}},
           {"kernel_opposite_queries",
            {"@replay_rank_leq_right_kernel F", "[:: -3937; -886; 1394; 0; 3429; 0]"}},
           {"kernel_left", {"@replay_rank_leq_left_kernel F", "[:: -1; -1; 1; 1; 0; 0; 0; 0]", "= 5%N"}},
           {"equal_heads",
            {"@replay_rank_leq_heads_tokens F", "Definition distinct_heads : seq nat :=\n  [:: 0; 1]%N",
             "Definition equal_pairs : seq (nat * nat) :=\n  [:: (0, 2); (1, 3)]%N", "= 5%N"}},
           {"equal_heads_hull",
            {"@replay_rank_leq_heads_functionals F", "size distinct_heads * (3 - size hull_v_0)"}},
           {"constant_heads",
            {"Definition equal_pairs : seq (nat * nat) :=\n  [:: (1, 2)]%N",
             "Definition constant_heads : seq nat :=\n  [:: 1]%N", "= 3%N"}},
           {"proposition_1",
            {"(minn 3 (2 * (minn 2 2 - 1) + 1) <= \\rank (real_Z R case_layer))%N",
             "exists P : weights R 2 3 2 0 0 0"}},
           {"proposition_5", {"(P : weights R 3 3 dh dv do dout)", "replay_hull_functionals"}},
           {"kruskal_value",
            {"kruskal_rank (query F) = 2%N", "@replay_kruskal_geq F 6 4", "@replay_kruskal_leq F 6 4"}}}) {
    CAPTURE(name);
    verify_replay_case(place, name);
    const Outcome shown = place.attest({"export", "--coq", certificate(name)});
    CAPTURE(shown.err);
    CHECK(shown.status == 0);
    CHECK(shown.out.find("From Attest Require Import replay.") != std::string::npos);
    for (const std::string& part : parts) CHECK_MESSAGE(shown.out.find(part) != std::string::npos, part);
    // No statement without a proof, and the same text in a file.
    for (const char* word : {"Admitted", "admit", "Axiom", "Parameter"})
      CHECK(shown.out.find(word) == std::string::npos);
    CHECK(place.attest({"export", "--coq", certificate(name), "--claim", "0", "--out", "claim.v"}).status ==
          0);
    CHECK(place.read("claim.v") == shown.out);
  }
  // A refuted claim, by its index.
  const Outcome refuted = place.attest({"export", "--coq", certificate("equal_heads"), "--claim", "1"});
  CHECK(refuted.out.find("\\rank (real_Z R case_layer) <> 8%N") != std::string::npos);
}

TEST_CASE("export: what Coq cannot replay is refused by name") {
  const Workplace place;
  auto refused = [&](const std::string& name, const std::string& text, const std::string& reason,
                     const std::string& index = "0") {
    CAPTURE(reason);
    place.write(name + ".toml", text);
    REQUIRE(place.attest({"verify", name + ".toml"}).status == 0);
    const Outcome outcome =
        place.attest({"export", "--coq", certificate(name), "--claim", index, "--out", "x.v"});
    CHECK(outcome.status == 2);
    check_message(outcome.err, name + ".json");
    CHECK_MESSAGE(outcome.err.find(reason) != std::string::npos, outcome.err);
    CHECK_FALSE(place.exists("x.v"));
  };
  const std::string base2 = "base = \"2\"\n", weights = "combined = [[[1, 0], [0, 1]]]\n",
                    factors = "key = [[[1, 0], [0, 1]]]\nquery = [[[1, 0], [0, 1]]]\n", rank = claim("rank");
  refused("base-e", small_case("", weights, rank), "base of the softmax is e");
  refused("half", small_case(base2, "combined = [[[\"1/2\", 0], [0, 1]]]\n", rank), "are not integers");
  refused("scale", small_case(base2 + "logit_scale = \"1/sqrt(2)\"\n", weights, rank),
          "logit scale is irrational");
  refused("bias", small_case(base2, factors + "query_bias = [[1, 0]]\n", rank), "biases");
  refused("statement", small_case(base2, weights, claim("assumption-2")), "assumption-2");
  refused("index", small_case(base2, weights, rank), "no claim 1", "1");
  // Kernel vectors of logits that are far apart: opposite heads, and 2^9000.
  refused("long",
          R"(format = 1
title = "Opposite heads with large logits"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 4
base = "2"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [2, 3], [-1, 4]]
[weights]
combined = [[[3000, 0], [0, 1]], [[-3000, 0], [0, -1]]]
)" + rank,
          "kernel vectors need sums of 2 fractions");
}

TEST_CASE("export: a changed certificate is refused, or Coq would have to prove something false") {
  const Workplace place;
  auto changed = [&](const std::string& name, const std::function<void(Json&)>& change,
                     const std::string& reason) {
    CAPTURE(reason);
    verify_replay_case(place, name);
    Json json = place.json(certificate(name));
    change(json);
    place.write("certificates/changed.json", json.dump());
    const Outcome outcome = place.attest({"export", "--coq", "certificates/changed.json", "--claim", "0"});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    check_message(outcome.err, "changed.json");
    CHECK_MESSAGE(outcome.err.find(reason) != std::string::npos, outcome.err);
  };
  changed(
      "two_by_two", [](Json& j) { j["case"]["digest"] = "0"; }, "has changed since");
  changed(
      "two_by_two", [](Json& j) { j["format"] = "other"; }, "not a certificate");
  changed(
      "two_by_two", [](Json& j) { j["claims"][0].erase("steps"); }, "not a certificate");
  changed(
      "two_by_two",
      [](Json& j) {
        step(j, "minor", "rank(Z(given))")["rows"] = {1, 1};
      },
      "singular");
  changed(
      "two_by_two",
      [](Json& j) {
        step(j, "minor", "rank(Z(given))")["rows"] = {0, 2};
      },
      "outside Z");
  changed(
      "two_by_two", [](Json& j) { step(j, "minor", "rank(Z(given))")["cols"] = {0}; }, "not square");
  changed(
      "two_by_two", [](Json& j) { step(j, "minor", "rank(Z(given))")["p"] = 15; }, "not an odd prime");
  changed(
      "equal_heads_hull",
      [](Json& j) {
        Json& list = step(j, "zero", "rank(tokens)")["vectors"];
        list.push_back(list[0]);
      },
      "dependent modulo");
  changed(
      "kernel_left", [](Json& j) { step(j, "zero", "rank(Z(given))")["fact"] = "rank(Z(given)) <= 4"; },
      "contradict each other");
  changed(
      "kernel_left",
      [](Json& j) {
        Json& list = step(j, "zero", "rank(Z(given))")["vectors"];
        list[1] = list[0];
      },
      "kernel vectors are dependent modulo");
  changed(
      "kernel_left", [](Json& j) { step(j, "zero", "rank(Z(given))")["vectors"][0][0][0] = 8; },
      "has the entry 8");
  changed(
      "kernel_left",
      [](Json& j) {
        step(j, "zero", "rank(Z(given))")["vectors"][0][0][1] = Json::array({Json::array({"1", "1/2"})});
      },
      "is irrational");
  changed(
      "kernel_left",
      [](Json& j) {
        step(j, "zero", "rank(Z(given))")["vectors"][0][0][1] =
            Json::array({Json::array({"1", "99999999999999999999"})});
      },
      "has the power 2^");

  changed(
      "proposition_1",
      [](Json& j) {
        Json& steps = j["claims"][0]["steps"];
        for (std::size_t k = steps.size(); k-- > 0;)
          if (steps[k]["fact"].get<std::string>().rfind("capacity >= ", 0) == 0) steps.erase(k);
      },
      "its conclusion is not proved");
  changed(
      "proposition_1", [](Json& j) { step(j, "let", "")["layer"]["heads"].erase(0); },
      "the constructed layer has 1 heads");

  changed(
      "equal_heads_hull", [](Json& j) { step(j, "zero", "rank(tokens)")["vectors"][0][0][0] = 4; },
      "a functional has the entry 4");

  // Witnesses that only Coq examines are written as they are; so is the number that the certificate claims.
  verify_replay_case(place, "kernel_left");
  Json json = place.json(certificate("kernel_left"));
  step(json, "zero", "rank(Z(given))")["vectors"][0][0][1] = "-7/2";
  step(json, "zero", "rank(Z(given))")["fact"] = "rank(Z(given)) <= 6";
  place.write("certificates/changed.json", json.dump());
  const Outcome outcome = place.attest({"export", "--coq", "certificates/changed.json"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("[:: -7; -2; 2; 2; 0; 0; 0; 0]") != std::string::npos);
  CHECK(outcome.out.find("(\\rank (layer_Z F case_layer) <= 6)%N") != std::string::npos);
}
