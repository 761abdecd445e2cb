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

TEST_CASE("hulls of what moves") {
  const auto found = [](const std::string& sizes, const std::string& data, std::size_t most,
                        const std::string& vectors = "", const std::string& of = "capacity") {
    const std::string fact = of + " <= " + std::to_string(most);
    return verdict_of(sizes + "\n[data]\n" + data + "\n" + claim("capacity", "at_most = 4"),
                      json_of("[{'statement': 'capacity', 'steps': [" +
                              step("hulls", fact, "'vectors': [" + vectors + "]") + "]}]"));
  };
  const auto exactly = [&](const std::string& sizes, const std::string& data, std::size_t most,
                           const std::string& vectors = "") {
    CAPTURE(data);
    CHECK(found(sizes, data, most, vectors).starts_with("valid: "));
    check_rejected(found(sizes, data, most - 1, vectors), "capacity <= " + std::to_string(most));
  };
  const std::string layer = sized_layer(2, 2, 2, 1, 3), first = "{'den': '1', 'num': ['1', '0']}",
                    second = "{'den': '2', 'num': ['0', '3']}";
  const auto queries = [](const std::string& each) {
    return "contexts = [[[1, 0], [1, 0]], [[0, 1], [2, 1]], [[1, 1], [1, 3]]]\nqueries = " + each;
  };
  const std::string e0 = queries("[[1, 0], [0, 0], [0, 0]]"), e1 = queries("[[0, 0], [1, 0], [0, 0]]"),
                    all_0 = queries("[[0, 0], [0, 0], [0, 0]]");
  // Tokens (0, 1) and (2, 1) move; the second coordinate is that of a constant.
  exactly(layer, e1, 3);
  exactly(layer, e1, 3, first);
  exactly(layer, e1, 4, second);
  // The last example moves both coordinates, once its query is not 0.
  exactly(layer, queries("[[0, 0], [1, 0], [0, 1]]"), 4);
  exactly(layer, all_0, 2);
  check_rejected(found(layer, e1, 3, "{'den': '1', 'num': ['1']}"), "");
  check_rejected(found(layer, e1, 3, "{'den': '0', 'num': ['1', '0']}"), "");
  check_rejected(found(layer, e1, 3, "", "largest_rank"), "");
  // Coefficients that do not sum to 1 also move what the tokens have in common.
  const std::string sigmoid = layer + "coefficients = 'sigmoid'", sink = layer + "sink = true";
  exactly(sigmoid, e1, 4);
  exactly(sigmoid, e0, 3);
  exactly(sigmoid, all_0, 2);
  exactly(sink, e1, 4);
  exactly(sink, e0, 3);
  exactly(sink, all_0, 2);
  // Beside sinks those with other numbers of tokens have other factors in each head.
  exactly(sink, all_0 + "\nmask = [[1, 0], [1, 1], [1, 1]]", 3);
  exactly(sink, all_0 + "\nmask = [[1, 0], [1, 1], [1, 1]]", 3, first);
  exactly(sigmoid, all_0 + "\nmask = [[1, 0], [1, 1], [1, 1]]", 2);
  const std::string numbers =
      "contexts = [[[1, 0], [0, 0], [0, 0]], [[0, 1], [0, 1], [0, 0]], [[1, 1], [1, 1], [1, 1]]]\n"
      "mask = [[1, 0, 0], [1, 1, 0], [1, 1, 1]]\nqueries = [[0, 0], [0, 0], [0, 0]]";
  exactly(sized_layer(1, 3, 2, 1, 3) + "sink = true", numbers, 3);
  exactly(sized_layer(1, 3, 2, 1, 3) + "sink = true", numbers, 2, first + ", " + second);
  // With query biases no query is 0.
  exactly(layer + "query_bias = true", e1, 4);
  check_rejected(found(layer + "query_bias = true", e1, 4, first), "");
}
