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

TEST_CASE("columns beside the outputs: what theorems about them need, and vectors from the left only") {
  const auto after = [](const std::string& steps, const std::string& weights = "",
                        const std::string& layer = "", const std::string& last = "5") {
    return verdict_of(sized_layer(1, 2, 2, 1, 3) + "value_dim = 1\n" + layer +
                          "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 2], [3, 4], [1, 2]]\n"
                          "labels = [[5], [7], [" +
                          last + "]]\n[weights]\nkey = [[[1], [0]]]\nquery = [[[1], [0]]]\n" +
                          "value = [[[1], [2]]]\n" + weights +
                          claim("output-memorizes", "expect = 'undecided'"),
                      json_of("[{'statement': 'output-memorizes', 'steps': [" + steps + "]}]"));
  };
  const std::string rows = theorem("equal-labelled-rows", "rank(Z|Y) <= 2") + ", ",
                    bias = "value_bias = [[1]]\n", sink = "sink = [0]\n";
  const auto labels = [](const std::string& uses) {
    return theorem("outputs-and-labels", "rank(outputs|Y) <= 2", uses);
  };
  CHECK(after(rows + labels("[0]")) == "valid: undecided");
  check_rejected(after(rows + labels("[]")), "expected the fact rank(outputs|Y) <= 3");
  check_rejected(after(rows + labels("[0]"), bias), "expected nonzero(value-bias) = 0");

  const std::string ones = theorem("outputs-and-ones", "rank(outputs|1) <= 3"),
                    both = theorem("outputs-ones-labels", "rank(outputs|1Y) <= 3");
  for (const std::string& each : {ones, both}) {
    CHECK(after(each, bias) == "valid: undecided");
    check_rejected(after(each, sink, "sink = true\n"), "expected convex = 1");
  }
  const auto one_more = [](const std::string& bound) {
    return theorem("outputs-one-column", "rank(outputs|1) <= " + bound);
  };
  CHECK(after(one_more("2"), bias + sink, "sink = true\n") == "valid: undecided");
  check_rejected(after(one_more("1")), "expected the fact rank(outputs|1) <= 2");

  const auto zero = [](const std::string& of, const std::string& side, const std::string& bound,
                       const std::string& vectors) {
    return step("zero", "rank(outputs" + of + ") <= " + bound,
                "'side': '" + side + "', 'vectors': " + vectors + ", 'p': 101");
  };
  const std::string equal = "[[[0, '1'], [2, '-1']]]";
  for (const std::string of : {"|1", "|Y", "|1Y"}) {
    CHECK(after(zero(of, "left", "2", equal)) == "valid: undecided");
    check_rejected(after(zero(of, "right", "0", "[[[0, '1']]]")), "expected the side left");
    check_rejected(after(zero(of, "left", "1", equal)), "expected the fact rank(outputs" + of + ") <= 2");
    check_rejected(after(zero(of, "left", "2", "[[[0, '1'], [1, '-1']]]")), "expected y Z = 0");
  }
  check_rejected(after(zero("|Y", "left", "2", equal), "", "", "6"), "expected y Y = 0");
  check_rejected(after(zero("|1Y", "left", "2", equal), "", "", "6"), "expected y Y = 0");
  CHECK(after(zero("|1", "left", "2", equal), "", "", "6") == "valid: undecided");
  check_rejected(after(zero("|1", "left", "2", "[[[0, '1'], [2, '1']]]")), "expected y Z = 0");

  const auto minor = [](const std::string& of, const std::string& col) {
    return step("minor", "rank(outputs" + of + ") >= 2",
                "'p': 1000919, 'g': 4, 'rows': [0, 1], 'cols': [0, " + col + "]");
  };
  CHECK(after(minor("|1", "1")) == "valid: undecided");
  CHECK(after(minor("|Y", "1")) == "valid: refuted");
  for (const std::string of : {"|1", "|Y"}) check_rejected(after(minor(of, "2")), "below 2");
  for (const std::string col : {"1", "2"}) CHECK(after(minor("|1Y", col)) == "valid: undecided");
  for (const std::string of : {"|2", "|Z", "|YY"}) check_rejected(after(minor(of, "1")), "expected ");
}

TEST_CASE("the singular values above a tolerance, and any number of heads") {
  const std::string sizes = sized_layer(1, 2, 2, 1, 3),
                    data = "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 2], [3, 4], [1, 2]]\n",
                    weights = "[weights]\nkey = [[[1], [0]]]\nquery = [[[1], [0]]]\n",
                    open = "\nexpect = 'undecided'",
                    equal = step("zero", "rank(Z(given)) <= 2",
                                 "'side': 'left', 'vectors': [[[0, '1'], [2, '-1']]], 'p': 101");
  const auto numerical = [&](const std::string& bound, const std::string& uses) {
    return verdict_of(sizes + data + weights + claim("numerical-rank", "tolerance = '1/10'" + open),
                      json_of("[{'statement': 'numerical-rank', 'steps': [" + equal + ", " +
                              theorem("singular-values", "numerical_rank <= " + bound, uses) + "]}]"));
  };
  CHECK(numerical("2", "[0]").starts_with("valid"));
  check_rejected(numerical("1", "[0]"), "expected the fact numerical_rank <= 2");
  const auto heads = [&](const std::string& bound) {
    return verdict_of(sizes + data + claim("memorizable", open),
                      json_of("[{'statement': 'memorizable', 'steps': [" +
                              theorem("any-heads", "largest_rank >= " + bound) + "]}]"));
  };
  CHECK(heads("0").starts_with("valid"));
  check_rejected(heads("1"), "expected the fact largest_rank >= 0");
}
