// Certificates about sinks, outputs, biases and single heads that differ from an accepted one in one place.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("sinks: another logit of one is another layer") {
  CHECK(verdict_with_case("sink", "queries = [[1], [2]]", "queries = [[2], [2]]").starts_with("rejected: "));
  CHECK(
      verdict_with_case("sink", "value_bias = [[1, 0]]", "value_bias = [[1, 1]]").starts_with("rejected: "));
  CHECK(
      verdict_with_case("sink", "value_bias = [[1, 0]]", "value_bias = [[-2, 0]]").starts_with("rejected: "));
}

TEST_CASE("heads that point at tokens: one change and it is rejected") {
  const std::string of = "/0/steps/0", parallel = "queries that are pairwise no multiples of each other";
  CHECK(verdict_with("pointing", of + "/tokens/3", json_of("[0, 1]")).starts_with("valid"));
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
