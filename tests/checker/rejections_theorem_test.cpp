// The rule theorem: what is rejected, and why.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("theorem") {
  check_rejected(
      verdict_with_case("irrational", "query_bias = [[0, \"1/3\"]]", "query_bias = [[0, \"1/2\"]]"),
      "Z x = 0");
}

TEST_CASE("a case without data has no queries and no contexts, however often one asks") {
  const attest::Case source = case_of(sample("encoding").toml);
  const attest::kernel::Problem problem(source);
  Json claims = sample("encoding").claims;
  const std::string good = certificate_of(problem, claims).dump();
  claims[0]["steps"].push_back(json_of(step("minor", "rank(mixed-contexts) >= 1", "'p': 101")));
  const std::string bad = certificate_of(problem, claims).dump();
  for (int time = 0; time < 2; ++time) check_rejected(verdict(problem, bad), "expected contexts in the case");
  CHECK(verdict(problem, good) == "valid: verified");
}

TEST_CASE("a member of a family without members is rejected") {
  const std::string toml = sized_layer(1, 1, 2, 1, 2) +
                           "[data]\ncontexts = [[1, 1]]\nqueries = [[1, 2], [3, 4]]\n" + claim("lemma-3");
  const auto with = [&](const std::string& member, const std::string& fact) {
    const std::string zero = step("zero", fact, member + "'side': 'right', 'vectors': [], 'p': 7");
    return verdict_of(toml, json_of("[{'statement': 'lemma-3', 'steps': [" + zero + "]}]"));
  };
  CHECK(with("", "rank(contexts) <= 2").starts_with("valid"));
  CHECK(with("'member': 0, ", "rank(contexts) <= 2").starts_with("valid"));
  check_rejected(with("", "rank(subset-contexts) <= 2"), "expected a family with a member");
  check_rejected(with("'member': 0, ", "rank(subset-contexts) <= 2"), "expected a family with a member");
}

TEST_CASE("equal examples with equal labels have equal rows in [Z Y]") {
  const auto after = [](const std::string& labels, const std::string& bound) {
    return verdict_of(
        sized_layer(2, 2, 2, 1, 3) +
            "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 2], [3, 4], [1, 2]]\nlabels = " + labels +
            "\n[weights]\nkey = [[[1], [0]], [[0], [1]]]\nquery = [[[1], [0]], [[0], [1]]]\n" +
            claim("memorizes", "expect = 'undecided'"),
        json_of("[{'statement': 'memorizes', 'steps': [" +
                theorem("equal-labelled-rows", "rank(Z|Y) <= " + bound) + "]}]"));
  };
  CHECK(after("[[5], [7], [5]]", "2") == "valid: undecided");
  CHECK(after("[[5], [7], [6]]", "3") == "valid: undecided");
  check_rejected(after("[[5], [7], [6]]", "2"), "expected the fact rank(Z|Y) <= 3");
  check_rejected(after("[[5], [5], [5]]", "1"), "expected the fact rank(Z|Y) <= 2");
}

TEST_CASE("the labels beside Z do not lower its rank") {
  const auto after = [](const std::string& uses, const std::string& bound) {
    return verdict_after("labelled", [&](Json& claims) {
      claims[0]["steps"].push_back(json_of(theorem("labels-beside", "rank(Z|Y) >= " + bound, uses)));
    });
  };
  CHECK(after("[0]", "2").starts_with("valid: verified"));
  check_rejected(after("[0]", "3"), "expected the fact rank(Z|Y) >= 2");
  check_rejected(after("[]", "2"), "expected the fact rank(Z|Y) >= 0");
}

TEST_CASE("memorization by labels that are fitted or missed, with values that are wide enough") {
  const auto with_values = [](const std::string& dimension) {
    Json claims = Json::array({sample("theorem").claims[0]});
    claims[0]["steps"].erase(5);  // the read-out of one output
    return verdict_of(sized_layer(2, 2, 2, 2, 3) + "output_dim = 2\nvalue_dim = " + dimension +
                          "\n[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 0], [0, 1], [1, 1]]\n" +
                          claim("theorem-1"),
                      claims);
  };
  CHECK(with_values("2") == "valid: verified");
  check_rejected(with_values("1"), "expected d_out <= d_v");
}

TEST_CASE("labels that are all 0, or with a bias all the same, are fitted by no read-out of Z") {
  const auto after = [](const std::string& labels, const std::string& about,
                        const std::string& values = "1") {
    const bool bias = about == "equal-labels-bias";
    return verdict_of(
        sized_layer(1, 2, 2, 1, 3) + "output_dim = 2\nvalue_dim = " + values +
            "\n[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 2], [3, 4], [1, 2]]\nlabels = " + labels +
            "\n[weights]\nkey = [[[1], [0]]]\nquery = [[[1], [0]]]\n" +
            claim("memorizes", bias ? "bias = true" : ""),
        json_of("[{'statement': 'memorizes', 'steps': [" +
                theorem(about, bias ? "memorized(bias) >= 1" : "memorized(given) >= 1") + "]}]"));
  };
  const std::string zero = "[[0, 0], [0, 0], [0, 0]]", equal = "[['1/3', 0], ['1/3', 0], ['1/3', 0]]";
  CHECK(after(zero, "zero-labels", "2") == "valid: verified");
  CHECK(after(zero, "equal-labels-bias", "2") == "valid: verified");
  CHECK(after(equal, "equal-labels-bias", "2") == "valid: verified");
  check_rejected(after(equal, "zero-labels", "2"), "expected nonzero(labels) = 0");
  check_rejected(after("[[0, 0], [0, 0], [0, '1/1000000']]", "zero-labels", "2"),
                 "expected nonzero(labels) = 0");
  check_rejected(after("[['1/3', 0], ['1/3', 0], ['1/3', 1]]", "equal-labels-bias", "2"),
                 "expected varying(labels) = 0");
  check_rejected(after("[[0, 1], [1, 0], [0, 1]]", "equal-labels-bias", "2"), "expected varying(labels) = 0");
  check_rejected(after(zero, "zero-labels"), "expected d_out <= d_v");
  check_rejected(after(equal, "equal-labels-bias"), "expected d_out <= d_v");
}

TEST_CASE("theorems about Z for the given weights need weights") {
  const std::string toml = sized_layer(1, 1, 2, 1, 1) +
                           "[data]\ncontexts = [[1, 0]]\nqueries = [[1, 2]]\nlabels = [[5]]\n" +
                           claim("theorem-1");
  for (const std::string& each :
       {theorem("equal-labelled-rows", "rank(Z|Y) <= 1"), theorem("labels-beside", "rank(Z|Y) >= 0"),
        theorem("equal-outputs", "distinct(Z) <= 1")})
    check_rejected(verdict_of(toml, json_of("[{'statement': 'theorem-1', 'steps': [" + each + "]}]")),
                   "weights in the case");
}
