// The statement finite-lambda: a certificate by hand, and the nearest invalid ones.
#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::checker;
using namespace attest::test;

namespace {

/// The verdict line after a change of the claim.
std::string after(const std::function<void(Json&)>& change, const CheckPolicy& policy = {}) {
  return verdict_after(
      "finite-lambda", [&](Json& claims) { change(claims[0]); }, policy);
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
  // Wider enclosures are as good.
  for (const char* place : {"token_norm", "c_norm", "gamma", "spread", "sigma_min"}) {
    CAPTURE(place);
    CHECK(after([&](Json& c) {
            Json& head = c["steps"][5]["heads"][0];
            const bool below = head[place]["lower"] == "2" || std::string(place) == "sigma_min";
            head[place][below ? "lower" : "upper"] = below ? "1/2" : "4";
            head["lambda_star"] = {{"lower", "-1"}, {"upper", "39/10"}};
            if (std::string(place) == "gamma") c["steps"][3]["heads"][1]["separator"]["lambda"] = "9";
            if (std::string(place) == "gamma") head["lambda_star"]["upper"] = "17/2";
          }).rfind("valid (", 0) == 0);
  }
  // The bound for all heads is optional, and may be larger.
  CHECK(after([](Json& c) {
          c["steps"][5].erase("all_heads");
          c["result"].erase("unknown_up_to");
        }).rfind("valid (", 0) == 0);
  CHECK(after([](Json& c) {
          c["steps"][5]["all_heads"]["lambda_star"] = "1000000";
          c["result"]["unknown_up_to"] = "1000000";
        }).rfind("valid (", 0) == 0);
  CHECK(after([](Json& c) { c["result"]["sweep"][1]["binary64"] = 3; }).rfind("valid (", 0) == 0);
}

TEST_CASE("finite-lambda-bound") {
  const std::string head = "/steps/5/heads/0/";
  rejects("/steps/5/theorem", "definition", "expected the theorem weyl-perturbation");
  rejects("/steps/5/heads", Json::array(), "expected");
  rejects(head + "head", 0, "expected the bound of head 1, found that of head 0");
  const auto ends = [&](const char* name, const char* lower, const char* upper, const std::string& message) {
    rejects(head + name, {{"lower", lower}, {"upper", upper}}, message);
  };
  ends("gamma", "201/100", "3", "expected gamma that contains 2, found 201/100 to 3");
  ends("gamma", "1", "199/100", "expected gamma that contains 2, found 1 to 199/100");
  ends("gamma", "0", "2", "expected a positive gamma");
  ends("gamma", "3", "2", "expected gamma.lower <= gamma.upper, found 3");
  ends("spread", "2", "299/100", "expected spread that contains 3, found 2 to 299/100");
  ends("spread", "301/100", "4", "expected spread that contains 3, found 301/100 to 4");
  ends("spread", "-1", "3", "expected a spread >= 0");
  ends("token_norm", "1/2", "99/100", "expected token_norm^2 that contains 1, found 1/4 to 9801/10000");
  ends("token_norm", "101/100", "2", "expected token_norm^2 that contains 1");
  ends("token_norm", "-1", "1", "expected a positive token_norm");
  ends("c_norm", "1/2", "7/10", "expected c_norm.upper >= the norm of C, found otherwise in head 1");
  ends("c_norm", "71/100", "72/100", "expected c_norm.lower <= the norm of C, found otherwise in head 1");
  ends("c_norm", "-71/100", "71/100", "expected a positive c_norm");
  ends("sigma_min", "65/100", "66/100", "expected sigma_min.lower < the smallest singular value of D_inf");
  ends("sigma_min", "62/100", "63/100", "expected sigma_min.upper >= the smallest singular value of D_inf");
  ends("sigma_min", "-1", "65/100", "expected a positive sigma_min");
  ends("lambda_star", "2", "207/100", "expected lambda_star.upper >= (spread + log_b(...)) / gamma");
  ends("lambda_star", "207/100", "208/100", "expected lambda_star.lower <= (spread + log_b(...)) / gamma");
  ends("lambda_star", "205/100", "4", "expected lambda_star.upper below the lambda of head 1, found 4");
  ends("lambda_star", "-1", "0", "expected a positive lambda_star.upper");
  rejects(head + "gamma", "2", "expected");
  rejects(head + "gamma/more", "2", "expected only known keys");
  rejects(head + "more", 1, "expected only known keys");
  rejects_after([](Json& c) { c["steps"].erase(4); }, "expected a construction and its character-minor");
  rejects_after([](Json& c) { c["steps"].erase(5); }, "expected result");
  rejects_after(
      [](Json& c) {
        Json second = c["steps"][5];
        second["heads"][0]["lambda_star"]["upper"] = "3";
        c["steps"].push_back(second);
      },
      "expected one step finite-lambda-bound");
}

// The limit of the minor is [s, 1 - s, 1; 1 - s, s, 0; 1/2, 1/2, s], s = e^3 / (1 + e^3), up to the order of
// the tokens of head 1.
TEST_CASE("all heads together") {
  const std::string all = "/steps/5/all_heads/";
  rejects(all + "sigma_min/lower", "2323/10000",
          "expected sigma_min.lower < the smallest singular value of the limit");
  rejects(all + "sigma_min/upper", "2321/10000",
          "expected sigma_min.upper >= the smallest singular value of the limit");
  rejects(all + "sigma_min/lower", "0", "expected a positive sigma_min");
  rejects(all + "lambda_star", "90/100",
          "expected a lambda_star at which the minor is within sigma_min.lower");
  rejects(all + "lambda_star", "0", "expected a positive lambda_star");
  rejects(all + "lambda_star", "92/100", "expected result");  // which says 91/100
  rejects(all + "more", "1", "expected only known keys");
  rejects("/result/unknown_up_to", "92/100", "expected result");
  rejects_after([](Json& c) { c["result"].erase("unknown_up_to"); }, "expected result");
  rejects_after([](Json& c) { c["steps"][5].erase("all_heads"); }, "expected result");
  // Equal tokens for the separator: the coefficients have no one-hot limit.
  rejects("/steps/3/heads/1/separator/u/num", {"1", "1"}, "expected");
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
