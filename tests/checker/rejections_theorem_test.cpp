// The rule theorem: what is rejected, and why.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("theorem") {
  check_changes({
      {"opposite", "/3/steps/1/theorem", "'riemann'", "a theorem of the table"},
      {"opposite", "/3/steps/1/uses", "[1]", "an earlier step of the claim"},
      {"opposite", "/3/steps/1/uses", "[0, 0]", "expected each step once in uses"},
      {"opposite", "/3/steps/1/layer", "'given'", "no layer"},
      {"opposite", "/6/steps/2/layer", "0", "a layer that is given or of an earlier let"},
      {"opposite", "/6/steps/2/layer", "'any'", "an integer >= 0"},
      {"opposite", "/6/steps/2/uses", "[0]", "expected"},
      {"opposite", "/6/steps/2/fact", "'capacity >= 4'", "the fact capacity >= 3"},
      {"lemmas", "/6/steps/1/theorem", "'integer-labels'", "expected"},
  });
  check_rejected("opposite", "a layer", [](Json& claims) { claims[6]["steps"][2].erase("layer"); });
  check_rejected(
      verdict_with_case("irrational", "query_bias = [[0, \"1/3\"]]", "query_bias = [[0, \"1/2\"]]"),
      "Z x = 0");
  check_added({
      {"opposite", 0, theorem("integer-labels", "network(integer) <= 0"),
       "a quantity that this case and claim have"},
      {"irrational", 0, theorem("some-weights", "capacity >= 1", "[1]", "'layer': 'given'"),
       "in_shape(given) = 1"},
      {"dependent", 0, theorem("moment-curve", "kruskal(queries) >= 2"), "off_moment_curve = 0"},
      {"moment", 0, theorem("some-weights", "capacity >= 0", "[]", "'layer': 'given'"),
       "weights in the case"},
  });
}

TEST_CASE("a case without data has no queries and no contexts, however often one asks") {
  // The network sample has those of Proposition 3, and the same theorem applies there.
  check_added({
      {"encoding", 0, theorem("moment-curve", "kruskal(queries) >= 1"), "expected queries in the case"},
      {"lemmas", 0, step("subsets", "kruskal(mixed-queries) >= 1", "'k': 1, 'p': 101, 'method': 'subsets'"),
       "expected queries in the case"},
      {"lemmas", 0, step("minor", "distinct(Z) >= 0", "'p': 101, 'g': 1, 'rows': [], 'cols': []"),
       "expected weights in the case"},
  });
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
  // With projected queries examples are not compared.
  const std::string equal = theorem("equal-labelled-rows", "rank(Z|Y) <= 2");
  check_added({{"labelled", 0, equal, "expected the fact rank(Z|Y) <= 3"},
               {"equal", 0, equal, "a quantity that this case and claim have"}});
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
  check_added({{"opposite", 0, theorem("labels-beside", "rank(Z|Y) >= 0"),
                "a quantity that this case and claim have"}});
}

TEST_CASE("memorization by labels that are fitted or missed, with values that are wide enough") {
  check_changes({
      {"labelled", "/0/steps/2/uses", "[0]", "expected rank(Z|Y) <= rank(Z(given))"},
      {"labelled", "/0/steps/2/uses", "[1]", "expected rank(Z|Y) <= rank(Z(given))"},
      {"labelled", "/0/steps/2/theorem", "'missed-labels'", "expected rank(Z|Y) >= rank(Z(given))+1"},
      {"theorem", "/0/steps/6/uses", "[]", "expected capacity >= T"},
      {"theorem", "/0/steps/6/theorem", "'all-labels-skip'", "expected the fact memorized(skip) >= 1"},
      {"base-2", "/1/steps/4/uses", "[]", "expected capacity >= T"},
  });
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
  check_added({{"opposite", 0, theorem("zero-labels", "memorized(given) >= 1"),
                "a quantity that this case and claim have"}});
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
