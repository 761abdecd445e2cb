// The statement finite-lambda: a certificate by hand, and the nearest invalid ones.
#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::checker;
using namespace attest::test;

namespace {

// Head 1: gaps 2 and 2, spreads 3 and 0, C = (1/2, 1/2), D_inf = (a - 1/2, 1/2 - a) with a = e^3 / (1 + e^3),
// of norm 0.640; (3 + log(2 sqrt(2) 0.71 / 0.63)) / 2 = 2.0796.
Sample by_hand() {
  return {"finite-lambda", R"(format = 1
title = "two heads, unit tokens"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 3
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
[[claim]]
statement = "finite-lambda"
lambda = "1/2"
)",
          Json::parse(R"([
{"index": 0, "statement": "finite-lambda", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 3}, "rank": {"lower": 3, "upper": 3},
            "hypotheses": {"assumption-1": "holds", "assumption-2": "holds"}, "conclusion": "proved",
            "sweep": [{"lambda": "1/2", "lower": 3, "upper": 3, "binary64": 3},
                      {"lambda": "100", "lower": 3, "upper": 3, "binary64": 2},
                      {"lambda": "-1", "lower": 0, "upper": 3, "binary64": 0}]},
 "steps": [
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 2305843009213693951},
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 2305843009213693951,
   "method": "dual"},
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]],
   "bound": 3},
  {"argument": "construction", "theorem": "proposition-1-induction", "heads": [
   {"fresh": [0, 1], "logits": [["3", "0"], ["0", "3"]],
    "key": [{"den": "1", "num": ["3", "0"]}, {"den": "1", "num": ["0", "3"]}],
    "query": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "rows": [0, 1], "cols": [0, 1], "rank_before": 0, "rank_after": 2},
   {"fresh": [2], "logits": [["3", "0"]], "key": [{"den": "1", "num": ["3", "0"]}],
    "query": [{"den": "1", "num": ["1", "0"]}],
    "separator": {"u": {"den": "1", "num": ["0", "1"]}, "v": {"den": "1", "num": ["-2", "2"]}, "lambda": "4"},
    "rows": [2], "cols": [2], "rank_before": 2, "rank_after": 3}]},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "construction", "p": 8388287,
   "g": 4848783, "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "finite-lambda-bound", "theorem": "weyl-perturbation", "heads": [
   {"head": 1, "gamma": "2", "spread": "3", "token_norm": "1", "c_norm": "71/100", "sigma_min": "63/100",
    "lambda_star": "208/100"}]},
  {"argument": "rescaled", "theorem": "definition", "lambda": "1/2"},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "rescaled", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "rescaled", "theorem": "definition", "lambda": "100"},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "rescaled", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "rescaled", "theorem": "definition", "lambda": "-1"}]}
])")};
}

/// The verdict line after a change of the claim.
std::string after(const std::function<void(Json&)>& change, const CheckPolicy& policy = {}) {
  const Bench bench;
  Sample sample = by_hand();
  change(sample.claims[0]);
  return bench.check(bench.certificate(sample), policy);
}

void rejects(const std::string& pointer, const Json& value, const std::string& message) {
  const std::string verdict = after([&](Json& claim) { claim[Json::json_pointer(pointer)] = value; });
  CAPTURE(pointer);
  CAPTURE(verdict);
  CHECK(verdict.rfind("REJECTED: ", 0) == 0);
  CHECK(verdict.find(message) != std::string::npos);
}

void rejects_after(const std::function<void(Json&)>& change, const std::string& message) {
  const std::string verdict = after(change);
  CAPTURE(verdict);
  CHECK(verdict.rfind("REJECTED: ", 0) == 0);
  CHECK(verdict.find(message) != std::string::npos);
}

}  // namespace

TEST_CASE("finite-lambda by hand") {
  const std::string verdict = after([](Json&) {});
  CAPTURE(verdict);
  CHECK(verdict.rfind("valid (", 0) == 0);
  // Weaker numbers are as good.
  for (const char* place : {"token_norm", "c_norm"}) {
    CHECK(after([&](Json& c) {
            c["steps"][5]["heads"][0][place] = "2";
            c["steps"][5]["heads"][0]["lambda_star"] = "3";
          }).rfind("valid (", 0) == 0);
  }
  CHECK(after([](Json& c) { c["result"]["sweep"][1]["binary64"] = 3; }).rfind("valid (", 0) == 0);
}

TEST_CASE("finite-lambda-bound") {
  const std::string head = "/steps/5/heads/0/";
  rejects("/steps/5/theorem", "definition", "expected the theorem weyl-perturbation");
  rejects("/steps/5/heads", Json::array(), "expected");
  rejects(head + "head", 0, "expected the bound of head 1, found that of head 0");
  rejects(head + "gamma", "201/100", "expected gamma <= 2, the gap at example 0, found 201/100");
  rejects(head + "gamma", "0", "expected a positive gamma");
  rejects(head + "spread", "299/100", "expected spread >= 3, that of example 0, found 299/100");
  rejects(head + "spread", "-1", "expected a spread >= 0");
  rejects(head + "token_norm", "99/100", "expected token_norm^2 >= 1, found 99/100 squared");
  rejects(head + "token_norm", "-1", "expected a positive token_norm");
  rejects(head + "c_norm", "7/10", "expected c_norm >= the norm of C, found otherwise in head 1");
  rejects(head + "c_norm", "-71/100", "expected a positive c_norm");
  rejects(head + "sigma_min", "65/100", "expected sigma_min < the smallest singular value of D_inf");
  rejects(head + "sigma_min", "-1", "expected a positive sigma_min");
  rejects(head + "lambda_star", "207/100", "expected lambda_star >= (spread + log_b(...)) / gamma");
  rejects(head + "lambda_star", "4", "expected lambda_star below the lambda of head 1, found 4");
  rejects(head + "lambda_star", "0", "expected a positive lambda_star");
  rejects(head + "more", 1, "expected only known keys");
  rejects_after([](Json& c) { c["steps"].erase(4); }, "expected a construction and its character-minor");
  rejects_after([](Json& c) { c["steps"].erase(5); }, "expected result");
  rejects_after(
      [](Json& c) {
        Json second = c["steps"][5];
        second["heads"][0]["lambda_star"] = "3";
        c["steps"].push_back(second);
      },
      "expected one step finite-lambda-bound");
}

TEST_CASE("rescaled layers") {
  rejects("/steps/6/lambda", "0", "expected a lambda that is not 0");
  rejects("/steps/6/lambda", "1/3", "expected a step rescaled with the lambda of the claim");
  rejects("/steps/8/lambda", "2/4", "expected different lambdas, found 2/4 again");
  rejects("/steps/7/solutions", Json::array(), "expected no solutions");
  rejects("/steps/7/rows", {0, 1, 1}, "expected distinct indices");
  rejects("/steps/7/cols", {0, 2}, "expected as many columns as rows");
  rejects_after([](Json& c) { c["steps"].erase(8); },
                "expected one character-minor after each step rescaled");
  rejects_after([](Json& c) { c["steps"].erase(6); },
                "expected a step that defines the layer rescaled before this one");
  rejects_after([](Json& c) { c["steps"].erase(3); }, "");
  rejects("/steps/7/layer", "given", "expected a layer that finite-lambda is about");
}

TEST_CASE("the result of finite-lambda") {
  rejects("/result/sweep/0/lambda", "1", "expected result");
  rejects("/result/sweep/0/lower", 2, "expected result");
  rejects("/result/sweep/2/lower", 1, "expected result");
  rejects("/result/sweep/0/upper", 2, "expected result");
  rejects("/result/sweep/0/binary64", 4, "expected an index below 4");
  rejects("/result/sweep/0/binary64", "3", "expected");
  rejects("/result/sweep/0/more", 1, "expected result");
  rejects_after([](Json& c) { c["result"]["sweep"][0].erase("binary64"); }, "the key \"binary64\"");
  rejects_after([](Json& c) { c["result"]["sweep"].erase(2); }, "expected");
  rejects_after([](Json& c) { c["result"].erase("sweep"); }, "expected result");
  rejects("/result/conclusion", "open", "expected result");
  rejects("/verdict", "undecided", "expected verdict verified");
}

TEST_CASE("limits of finite-lambda") {
  CheckPolicy policy;
  policy.readout_limit = 2;
  CHECK(after([](Json&) {}, policy).find("--readout-limit raises it") != std::string::npos);
  policy = {};
  policy.max_precision = 64;
  CHECK(after([](Json&) {}, policy).find("is not decided at 64 bits") != std::string::npos);
}
