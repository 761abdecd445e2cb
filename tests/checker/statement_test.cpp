// The rules for verdicts: what follows from which steps, and what does not.
#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::checker;
using namespace attest::test;

namespace {

void check_verdict(const std::string& verdict, const std::string& start, const std::string& part = "") {
  CAPTURE(verdict);
  CHECK(verdict.rfind(start, 0) == 0);
  CHECK(verdict.find(part) != std::string::npos);
}

/// The sample "opposite" with another first claim of rank: its arguments and verdict.
std::string rank_claim(const std::string& arguments, const std::string& verdict) {
  const Bench bench;
  Sample changed = sample("opposite");
  changed.toml.replace(changed.toml.find("value = 3"), 9, arguments);
  changed.claims[0]["verdict"] = verdict;
  return bench.check(bench.certificate(changed));
}

void remove_step(Json& claim, const std::string& argument) {
  Json& steps = claim["steps"];
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (steps[i]["argument"] == argument) steps.erase(i);
  }
}

}  // namespace

TEST_CASE("rank: values and bounds") {
  check_verdict(rank_claim("value = 3", "verified"), "valid");
  check_verdict(rank_claim("value = 2", "refuted"), "valid");
  check_verdict(rank_claim("value = 4", "refuted"), "valid");
  check_verdict(rank_claim("value = 100000000000000000000000", "refuted"), "");  // the reader may refuse it
  check_verdict(rank_claim("at_least = 3", "verified"), "valid");
  check_verdict(rank_claim("at_least = 4", "refuted"), "valid");
  check_verdict(rank_claim("at_most = 3", "verified"), "valid");
  check_verdict(rank_claim("at_most = 2", "refuted"), "valid");
  check_verdict(rank_claim("", "verified"), "valid");
  check_verdict(rank_claim("value = 2", "verified"), "REJECTED", "expected verdict refuted");
  check_verdict(rank_claim("value = 2", "undecided"), "REJECTED", "expected verdict refuted");
  check_verdict(rank_claim("", "inapplicable"), "REJECTED", "expected verdict verified");
  check_verdict(rank_claim("", "true"), "REJECTED", "expected verdict verified");
}

TEST_CASE("rank: every bound has its step") {
  const auto without = [](const char* argument) {
    return verdict_after("opposite", [&](Json& c) { remove_step(c[0], argument); });
  };
  check_verdict(without("character-minor"), "REJECTED", "claim 0 (rank): expected result");
  check_verdict(without("left-kernel"), "REJECTED", "claim 0 (rank): expected result");
  // T = 4 bounds the rank as well as the hull does, but a decided claim needs the step.
  check_verdict(without("affine-hull"), "REJECTED",
                "claim 0 (rank): expected an affine-hull step, found none");
  check_verdict(without("token-minor"), "valid");
  check_verdict(verdict_with("opposite", "/0/result/bounds/paper_lower", 3), "REJECTED", "expected result");
  check_verdict(verdict_with("opposite", "/0/result/bounds/affine_hull", 3), "REJECTED", "expected result");
  check_verdict(verdict_with("opposite", "/0/result/rank/upper", 4), "REJECTED", "expected result");
  check_verdict(verdict_after("opposite", [](Json& c) { c[0]["result"].erase("rank"); }), "REJECTED",
                "expected result");
  check_verdict(verdict_after("opposite", [](Json& c) { c[0]["result"].erase("bounds"); }), "REJECTED",
                "expected result");
  check_verdict(verdict_with("opposite", "/0/result/tight", false), "REJECTED", "expected result");
}

TEST_CASE("Kruskal rank and its relatives") {
  check_verdict(verdict_with("moment", "/0/verdict", "refuted"), "REJECTED", "expected verdict verified");
  check_verdict(verdict_with("moment", "/1/result/kruskal_rank/upper", 5), "REJECTED", "expected result");
  // k = 2 is enough for Assumption 1 (n = 2), not for general position (d = 3).
  check_verdict(verdict_after("moment",
                              [](Json& c) {
                                c[1]["steps"][0]["k"] = 2;
                                c[1]["result"]["kruskal_rank"]["lower"] = 2;
                              }),
                "REJECTED", "claim 1 (general-position): expected verdict undecided");
  check_verdict(verdict_after("moment",
                              [](Json& c) {
                                c[1]["steps"][0]["k"] = 2;
                                c[1]["result"]["kruskal_rank"]["lower"] = 2;
                                c[1]["verdict"] = "undecided";
                              }),
                "valid");
  check_verdict(verdict_with("dependent", "/1/verdict", "verified"), "REJECTED", "expected verdict refuted");
  check_verdict(verdict_with("dependent", "/2/verdict", "inapplicable"), "REJECTED",
                "expected verdict refuted");
}

TEST_CASE("assumption-2") {
  check_verdict(verdict_with("moment", "/3/verdict", "refuted"), "REJECTED", "expected verdict verified");
  check_verdict(verdict_with("moment", "/3/steps", Json::array()), "REJECTED", "expected verdict undecided");
  check_verdict(verdict_with("dependent", "/3/verdict", "verified"), "REJECTED", "expected verdict refuted");
}

TEST_CASE("Propositions 2 and 5") {
  check_verdict(verdict_with("opposite", "/3/result/tight", true), "REJECTED", "expected result");
  check_verdict(verdict_after("opposite", [](Json& c) { c[3]["result"].erase("tight"); }), "REJECTED",
                "expected result");
  check_verdict(verdict_with("opposite", "/3/result/hypotheses/shared-context", "fails"), "REJECTED",
                "expected result");
  check_verdict(verdict_with("opposite", "/3/result/conclusion", "open"), "REJECTED", "expected result");
  check_verdict(verdict_after("opposite",
                              [](Json& c) {
                                c[4]["result"]["rank"] = {{"lower", 0}, {"upper", 4}};
                              }),
                "REJECTED", "expected result");
  check_verdict(verdict_after("opposite", [](Json& c) { remove_step(c[4], "affine-hull"); }), "REJECTED",
                "expected result");
  // A hull that is too large proves nothing.
  check_verdict(verdict_after("opposite",
                              [](Json& c) {
                                c[4]["steps"][0]["functionals"] = Json::array();
                                c[4]["steps"][0]["bound"] = 7;
                              }),
                "REJECTED", "expected result");
  check_verdict(verdict_after("opposite",
                              [](Json& c) {
                                c[4]["steps"][0]["functionals"] = Json::array();
                                c[4]["steps"][0]["bound"] = 7;
                                c[4]["result"]["conclusion"] = "open";
                                c[4]["verdict"] = "undecided";
                              }),
                "valid");
  // The witness of a hypothesis that fails is required.
  check_verdict(verdict_with("dependent", "/4/steps", Json::array()), "REJECTED",
                "expected a step contexts-differ, found none");
  check_verdict(verdict_with("dependent", "/5/steps", Json::array()), "REJECTED",
                "expected a step token-sums-differ, found none");
  check_verdict(verdict_with("dependent", "/4/verdict", "undecided"), "REJECTED",
                "expected verdict inapplicable");
  check_verdict(verdict_with("dependent", "/4/result/hypotheses/shared-context", "holds"), "REJECTED",
                "expected result");
}

TEST_CASE("Proposition 1 and Theorem 1") {
  check_verdict(verdict_with("theorem", "/0/result/hypotheses/assumption-1", "sufficient"), "REJECTED",
                "expected result");
  check_verdict(verdict_with("theorem", "/1/result/hypotheses/assumption-1", "holds"), "REJECTED",
                "expected result");
  check_verdict(verdict_after("theorem", [](Json& c) { remove_step(c[0], "kruskal-lower"); }), "REJECTED",
                "expected result");
  check_verdict(verdict_after("theorem", [](Json& c) { remove_step(c[0], "contexts-full-rank"); }),
                "REJECTED", "expected result");
  check_verdict(verdict_after("theorem", [](Json& c) { remove_step(c[0], "readout-enclosure"); }), "valid");
  check_verdict(verdict_after("theorem", [](Json& c) { remove_step(c[0], "affine-hull"); }), "REJECTED",
                "expected an affine-hull step");
  check_verdict(verdict_after("theorem", [](Json& c) { remove_step(c[1], "character-minor"); }), "REJECTED",
                "expected result");
  check_verdict(verdict_after("theorem",
                              [](Json& c) {
                                remove_step(c[1], "character-minor");
                                c[1]["result"]["rank"]["lower"] = 0;
                                c[1]["result"]["conclusion"] = "open";
                                c[1]["result"]["hypotheses"]["assumption-1"] = "undecided";
                                c[1]["verdict"] = "undecided";
                              }),
                "valid");
  check_verdict(verdict_with("dependent", "/7/steps", Json::array()), "REJECTED",
                "expected a step too-many-examples, found none");
  // A hypothesis that fails wins over a conclusion that is proved: contexts of rank 1 with a proved rank.
  check_verdict(verdict_with("dependent", "/6/verdict", "undecided"), "REJECTED",
                "expected verdict inapplicable");
  // A weaker Kruskal bound does not decide Assumption 1, so that the construction is what carries the proof.
  check_verdict(verdict_after("theorem",
                              [](Json& c) {
                                c[0]["steps"][0]["k"] = 1;
                                c[0]["result"]["hypotheses"]["assumption-1"] = "sufficient";
                              }),
                "valid");
}

TEST_CASE("Claims 1 and 2") {
  check_verdict(verdict_with("theorem", "/2/steps", Json::array()), "REJECTED", "expected result");
  check_verdict(verdict_with("dependent", "/10/steps", Json::array()), "REJECTED",
                "expected a step subset-too-large, found none");
  check_verdict(verdict_with("dependent", "/11/steps", Json::array()), "REJECTED",
                "expected a step subset-too-large, found none");
  check_verdict(verdict_with("dependent", "/8/steps", Json::array()), "REJECTED", "expected result");
  check_verdict(verdict_after("theorem", [](Json& c) { remove_step(c[3], "contexts-full-rank"); }),
                "REJECTED", "expected result");

  // Weights for a subset that is too large prove nothing: their rank may exceed r.
  const Bench bench;
  Sample large = sample("theorem");
  large.toml.replace(large.toml.find("head_dim = 2"), 12, "head_dim = 1");
  large.claims = Json::array({large.claims[2]});
  const std::size_t first = large.toml.find("[[claim]]"),
                    claim = large.toml.find("[[claim]]\nstatement = \"claim-1\"");
  large.toml.erase(first, claim - first);
  large.toml.erase(large.toml.find("[[claim]]\nstatement = \"claim-2\""));
  large.claims[0]["index"] = 0;
  large.claims[0]["steps"].push_back({{"argument", "subset-too-large"}, {"theorem", "arithmetic"}});
  large.claims[0]["verdict"] = "inapplicable";
  large.claims[0]["result"]["hypotheses"]["subset-size"] = "fails";
  check_verdict(bench.check(bench.certificate(large)), "REJECTED", "expected result");
  large.claims[0]["result"]["conclusion"] = "open";
  check_verdict(bench.check(bench.certificate(large)), "valid");
}
