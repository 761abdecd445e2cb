// Certificates about sinks, outputs, biases and single heads that differ from an accepted one in one place.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("sinks, outputs and biases: one change and it is rejected") {
  const std::string minor = "'p': 1000919, 'g': 4, 'rows': [], 'cols': []";
  check_changes({
      {"sink", "/0/steps/0/cols", "[1]", "an index below 1"},
      {"sink", "/1/steps/0/cols", "[1]", "a minor that is not 0 mod p"},
      {"sink", "/1/steps/0/cols", "[2]", "an index below 2"},
      {"sink", "/1/steps/1/vectors", "[[[0, '1']]]", "Z x = 0"},
      {"sink", "/1/steps/1/side", "'left'", "Z"},
      {"sink", "/2/steps/0/cols", "[0, 2]", "an index below 2"},
      {"sink", "/2/steps/0", step("zero", "rank(Z|1) <= 2", "'side': 'right', 'p': 101, 'vectors': []"),
       "the side left"},
      {"sink", "/2/steps/0",
       step("zero", "rank(Z|1) <= 1", "'side': 'left', 'p': 101, 'vectors': [[[0, '1'], [1, '-1']]]"),
       "y Z = 0"},
      {"sink", "/2/steps/0", theorem("affine-hull-ones", "rank(Z|1) <= 2"), "convex = 1"},
      {"sink", "/2/steps/0", step("minor", "rank(Z|1Y) >= 0", minor), "a claim with labels"},
      {"sink", "/2/steps/0", step("minor", "rank(outputs) >= 0", minor), "a claim with values"},
      {"sink", "/2/steps/0", step("minor", "rank(head) >= 0", minor), "a claim with head"},
      {"sink", "/2/steps/0", theorem("head-hull", "rank(head) <= 1"),
       "a quantity that this case and claim have, found head"},
      {"sink", "/3/steps/0/layer/heads/0", "{'key': [], 'query': []}", "the key \"sink\""},
      {"sink", "/3/steps/0/layer/heads/0/sink", "1", "a string"},
      {"sink", "/3/steps/1",
       "{'rule': 'let', 'layer': {'rescaled': {'of': 0, 'lambda': '2'}}, 'fact': 'let Z(1)'}",
       "coefficients that sum to 1"},
      {"sink", "/5/steps/0/theorem", "'head-outputs-of-means'", "nonzero(value-bias) = 0"},
      {"sink", "/6/steps/1/uses", "[]", "rank(Z|1Y) <= rank(Z|1)"},
      {"sink", "/6/steps/1/theorem", "'missed-labels-bias'", "rank(Z|1Y) >= rank(Z|1)+1"},
  });
}

TEST_CASE("sinks: enclosures and derivatives of a plain softmax are no proof") {
  check_added({{"sink", 0, step("ball", "distinct(Z) >= 2", "'rows': [0, 1], 'precision': 64"),
                "expected enclosures of a plain softmax"}});
  for (const char* name :
       {"exponent-count", "moving-directions", "transcendental-outputs", "integer-outputs"})
    check_added({{"sink", 0, theorem(name, ""), "convex = 1"}});
}

TEST_CASE("sinks: another logit of one is another layer") {
  CHECK(verdict_with_case("sink", "queries = [[1], [2]]", "queries = [[2], [2]]").starts_with("rejected: "));
  CHECK(
      verdict_with_case("sink", "value_bias = [[1, 0]]", "value_bias = [[1, 1]]").starts_with("rejected: "));
  CHECK(
      verdict_with_case("sink", "value_bias = [[1, 0]]", "value_bias = [[-2, 0]]").starts_with("rejected: "));
}

TEST_CASE("heads that point at tokens: one change and it is rejected") {
  check_added(
      {{"sink", 3, step("coefficients", "capacity >= 1", "'p': 7, 'rows': [0], 'cols': [0], 'tokens': [[0]]"),
        "coefficients that sum to 1"}});
  const std::string of = "/0/steps/0", parallel = "queries that are pairwise no multiples of each other";
  check_changes({
      {"pointing", of + "/p", "9", "an odd prime below 2^23"},
      {"pointing", of + "/p", "2", "an odd prime below 2^23"},
      {"pointing", of + "/p", "8388617", "an odd prime below 2^23"},
      {"pointing", of + "/p", "3", "a denominator prime to 3"},
      {"pointing", of + "/p", "'101'", "an integer >= 0"},
      {"pointing", of + "/rows", "[0, 2, 3, 3]", "distinct indices"},
      {"pointing", of + "/rows", "[0, 2, 3, 5]", "an index below 5"},
      {"pointing", of + "/cols", "[0, 1, 2]", "4 columns, as many as rows"},
      {"pointing", of + "/cols", "[0, 1, 2, 4]", "an index below 4"},
      {"pointing", of + "/cols", "[0, 1, 2, 2]", "distinct indices"},
      {"pointing", of + "/tokens", "[[0, 1], [0, 1], [0, 0]]", "an array of 4 entries"},
      {"pointing", of + "/tokens/0", "[0]", "an array of 2 entries"},
      {"pointing", of + "/tokens/0/1", "2", "an index below 2"},
      {"pointing", of + "/tokens/0/1", "[1]", "an integer >= 0"},
      {"pointing", of + "/tokens/0/1", "0", "a minor that is not 0 mod p"},
      {"pointing", of + "/tokens/3/0", "2", "an index below 2"},  // where it does not matter, too
      {"pointing", of + "/g", "4", "only known keys"},
      {"pointing", of + "/of", "'rank(Z(any))'", "a quantity of the rule coefficients"},
      {"pointing", of + "/fact", "'capacity >= 5'", "the fact capacity >= 4"},
  });
  CHECK(verdict_with("pointing", of + "/tokens/3", json_of("[0, 1]")).starts_with("valid"));
  check_added(
      {{"lemmas", 7, step("coefficients", "capacity >= 0", "'p': 7, 'rows': [], 'cols': [], 'tokens': []"),
        "a case with [layer]"}});
  // Queries of the rows that move: a multiple, opposite ones; of another row it does not matter.
  for (const char* query : {"[2, 0]", "[-1, 0]", "[101, 0]", "['-1/3', 0]"})
    check_rejected(verdict_with_case("pointing", "[0, 1], [1, 1]", std::string("[0, 1], ") + query),
                   parallel);
  CHECK(verdict_with_case("pointing", "[0, 1], [1, 1]", "[2, 0], [1, 1]").starts_with("valid"));
  // Modulo p = 101 it is 0, or equal to another one, or a multiple: that says nothing.
  for (const char* query : {"[101, 202]", "[1, 101]", "[2, 101]"})
    CHECK(verdict_with_case("pointing", "[0, 1], [1, 1]", std::string("[0, 1], ") + query)
              .starts_with("valid"));
  // An example whose tokens are equal, or whose query is 0, does not move; others do.
  check_rejected(verdict_with_case("pointing", "[1, 1], [1, 1]", "[1, 1], [1, 2]"), parallel);
  check_rejected(verdict_with_case("pointing", "[2, 2], [0, 0]", "[2, 2], [1, 1]"), parallel);
  check_rejected(verdict_with_case("pointing", "[1, 2], [3, -1]", "[1, 2], [-1, -2]"), "a minor");
}

TEST_CASE("query biases: one coordinate more, of the claims that show the capacity") {
  const auto found = [](const std::string& bias, const std::string& queries, const std::string& claimed) {
    const std::string pointing = "[" +
                                 step("coefficients", "capacity >= 4",
                                      "'p': 7, 'rows': [0, 1, 2, 3], 'cols': [0, 1, 4, 7], "
                                      "'tokens': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]") +
                                 "]";
    return verdict_of(sized_layer(3, 2, 2, 1, 4) + bias +
                          "\n[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = " + queries + "\n" +
                          claim("capacity", claimed) + claim("kruskal-rank", "at_least = 0"),
                      json_of("[{'statement': 'capacity', 'steps': " + pointing +
                              "}, {'statement': 'kruskal-rank', 'steps': []}]"));
  };
  const std::string biased = "query_bias = true", opposite = "[[1, 2], [-1, -2], [3, 1], [-3, -1]]";
  // Without biases the capacity is 3.
  CHECK(found(biased, opposite, "value = 4") == "valid: verified, verified");
  CHECK(found(biased, "[[1, 2], [2, 4], [0, 0], [-3, -1]]", "value = 4") == "valid: verified, verified");
  CHECK(found(biased, opposite, "value = 4\nheads = 3") == "valid: verified, verified");
  check_rejected(found("", opposite, "value = 4"), "an index below 6");
  check_rejected(found("query_bias = false", "[[1, 2], [1, -2], [3, 1], [3, -1]]", "value = 4"),
                 "an index below 6");
  check_rejected(found(biased, "[[1, 2], [1, 2], [3, 1], [-3, -1]]", "value = 4"), "no multiples");
  check_rejected(found(biased, opposite, "value = 4\nheads = 2"), "an index below 6");
}

TEST_CASE("vectors x with Z x = 0 for all weights") {
  const std::string contexts = "[[[1, 0], [1, 0]], [[0, 1], [2, 1]], [[1, 1], [1, 3]]]";
  const auto found = [&](const std::string& kind, const std::string& queries, const std::string& vectors,
                         std::size_t most, const std::string& p = "101", const std::string& of = "capacity") {
    const std::string fact = of + " <= " + std::to_string(most);
    return verdict_of(
        sized_layer(2, 2, 2, 1, 3) + kind + "\n[data]\ncontexts = " + contexts + "\nqueries = " + queries +
            "\n" + claim("capacity", "at_most = " + std::to_string(most)),
        json_of("[{'statement': 'capacity', 'steps': [" +
                step("zero", fact, "'side': 'right', 'p': " + p + ", 'vectors': " + vectors) + "]}]"));
  };
  const std::string e1 = "[[0, 0], [1, 0], [0, 0]]", all_0 = "[[0, 0], [0, 0], [0, 0]]", wrong = "M x = 0";
  // Tokens (0, 1) and (2, 1) move, the sums (2, 0) and (2, 4) do not: the second coordinate is that of a
  // constant.
  const std::string second = "[[[1, '1'], [3, '-1']]]", first = "[[[0, '1'], [2, '-1']]]";
  CHECK(found("", e1, second, 3) == "valid: verified");
  check_rejected(found("", e1, first, 3), wrong);
  check_rejected(found("", e1, "[[[1, '1'], [3, '1']]]", 3), wrong);
  check_rejected(found("", e1, "[[[1, '1'], [3, '-2']]]", 3), wrong);
  check_rejected(found("", e1, "[[[1, '1']]]", 3), wrong);
  check_rejected(found("", e1, "[[[1, '1'], [3, '-1']], [[1, '2'], [3, '-2']]]", 2), "independent");
  check_rejected(found("", e1, "[[[1, '101'], [3, '-101']]]", 3), "independent");
  check_rejected(found("", e1, "[[[1, '1'], [4, '-1']]]", 3), "an index below 4");
  check_rejected(found("", e1, second, 3, "101", "largest_rank"), "the side left");
  // The last example moves both coordinates, once its query is not 0.
  check_rejected(found("", "[[0, 0], [1, 0], [0, 1]]", second, 3), wrong);
  CHECK(found("", all_0, "[[[1, '1'], [3, '-1']], [[0, '1'], [2, '-1']]]", 2) == "valid: verified");
  // Coefficients that do not sum to 1 also move what the tokens have in common; where the query is 0 sigmoid
  // ones are equal in all heads, and those of sinks up to a factor of each head, for one number of tokens.
  const std::string sigmoid = "coefficients = 'sigmoid'", sink = "sink = true";
  check_rejected(found(sigmoid, e1, second, 3), wrong);
  CHECK(found(sigmoid, "[[1, 0], [0, 0], [0, 0]]", second, 3) == "valid: verified");
  check_rejected(found(sigmoid, "[[1, 0], [0, 0], [0, 0]]", "[[[1, '1']]]", 3), wrong);
  CHECK(found(sigmoid, all_0, "[[[1, '1'], [3, '-1']], [[0, '1'], [2, '-1']]]", 2) == "valid: verified");
  check_rejected(found(sink, e1, second, 3), wrong);
  CHECK(found(sink, all_0, second, 3) == "valid: verified");
  CHECK(found(sink, all_0, "[[[1, '1'], [3, '-1']], [[0, '1'], [2, '-1']]]", 2) == "valid: verified");
  CHECK(found(sink, "[[1, 0], [0, 0], [0, 0]]", second, 3) == "valid: verified");
  check_rejected(found(sink, "[[1, 0], [0, 0], [0, 0]]", first, 3), wrong);
  check_rejected(found(sink, all_0, "[[[1, '1']]]", 3), wrong);
  CHECK(found(sink, all_0 + "\nmask = [[1, 0], [1, 1], [1, 1]]", second, 3) == "valid: verified");
  check_rejected(found(sink, all_0 + "\nmask = [[1, 1], [1, 0], [1, 1]]", second, 3), wrong);
  // With query biases no query is 0.
  check_rejected(found("query_bias = true", e1, "[[[1, '1'], [4, '-1']]]", 5), wrong);
  CHECK(found("query_bias = true", e1, "[[[2, '1']], [[5, '1']]]", 4) == "valid: verified");
}
