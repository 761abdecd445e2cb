// Of the rules minor, zero and split what is rejected of other cases than the samples are
// (samples/*/rejections.json).
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("minor") {
  check_rejected(verdict_with_case("moment", "[0, 1, 0]]", "[2, 0, 0]]"),
                 "rows that are independent mod p in every member");
  check_rejected(verdict_with_case("moment", "[0, 1, 0]]", "[2, \"1/101\", 0]]"),
                 "denominators prime to 101");
  // The denominators of tokens, queries and weights, mod p = 2 q + 1 and q = 500459.
  check_rejected(verdict_with_case("opposite", "\"3/2\", 1", "\"3/500459\", 1"),
                 "a denominator prime to 500459");
  check_rejected(
      verdict_with_case("opposite", "[[1, 0], [0, 1]]\nqueries", "[[\"1/1000919\", 0], [0, 1]]\nqueries"),
      "a denominator prime to 1000919");
  check_rejected(verdict_with_case("opposite", "key = [[[1, 0]", "key = [[[\"1/500459\", 0]"),
                 "a denominator prime to 500459");
  const auto minor_alone = [](const std::string& name, const std::string& from, const std::string& to) {
    Json claims = sample(name).claims;
    claims[0]["steps"] = Json::array({claims[0]["steps"][1]});
    return verdict_of(replaced(sample(name).toml, from, to), claims);
  };
  check_rejected(minor_alone("irrational", "query_bias = [[0, \"1/3\"]]", "query_bias = [[0, \"1/500459\"]]"),
                 "a denominator prime to 500459");
  check_rejected(minor_alone("scalar", "logit_scale = \"1/2\"", "logit_scale = \"1/500459\""),
                 "a denominator prime to 500459");
}

TEST_CASE("a softmax denominator that is 0 mod p") {
  // Logits 0, 1, 2 with g = 2 of order 3 mod 7: 1 + 2 + 4 = 0.
  const std::string toml = sized_layer(1, 3, 1, 1, 1) + R"([data]
contexts = [[0], [1], [2]]
queries = [[1]]
[weights]
combined = [[[1]]]
)" + claim("rank");
  const auto found = [&](std::uint64_t p, std::uint64_t g) {
    const Json step = {{"rule", "minor"}, {"of", "rank(Z(given))"},       {"p", p}, {"g", g}, {"rows", {0}},
                       {"cols", {0}},     {"fact", "rank(Z(given)) >= 1"}};
    return verdict_of(toml, {{{"statement", "rank"}, {"steps", {step}}}});
  };
  CHECK(found(23, 2) == "valid: verified");
  check_rejected(found(7, 2), "softmax denominators that are not 0 mod p");
}

TEST_CASE("zero") {
  // Differences of the tokens of each context, not of one only; the first of each is 0.
  check_rejected(verdict_with_case("translates", "[3, 1, 3]]", "[3, 1, 4]]"), "M x = 0 for vector 1");
  check_rejected(verdict_with_case("translates", "[2, 3, 1]", "[2, 4, 1]"), "M x = 0 for vector 0");
  // The identity holds for these weights and not for all.
  check_rejected(verdict_with_case("opposite", "\"-3/2\", -1", "\"-3/2\", -2"), "y Z = 0");
}

TEST_CASE("vectors that are 0 in most coordinates are multiplied with every token") {
  // Coordinate 1 is 0, coordinate 3 equals coordinate 2, and coordinate 0 is used by no vector.
  const auto found = [](const std::string& last) {
    const Json kernel =
        json_of(step("zero", "rank(tokens) <= 2",
                     "'side': 'right', 'p': 101, 'vectors': [[[1, '2']], [[2, '1/3'], [3, '-1/3']]]"));
    return verdict_of(sized_layer(1, 2, 4, 1, 2) + R"([data]
contexts = [[["1/7", 0, 5, 5], [2, 0, "-1/2", "-0.5"]], [[3, 0, 1000000000, 1000000000], )" +
                          last + R"(]]
queries = [[1, 0, 0, 0], [0, 1, 0, 0]]
[[claim]]
statement = "affine-hull-bound"
)",
                      {{{"statement", "affine-hull-bound"}, {"steps", {kernel}}}});
  };
  CHECK(found("[4, 0, 8, 8]").rfind("valid", 0) == 0);
  check_rejected(found("[4, 1, 8, 8]"), "M x = 0 for vector 0, found another value in row 3");
  check_rejected(found("[4, 0, 8, 9]"), "M x = 0 for vector 1, found another value in row 3");
  check_rejected(found("[4, 0, \"8/3\", 8]"), "M x = 0 for vector 1, found another value in row 3");
}

TEST_CASE("split") {
  // Two neurons: factors of the order, and with an output bias the sum of the factors.
  const auto two_neurons = [](std::size_t claim, const std::string& order, const std::string& neurons,
                              const std::string& examples) {
    return verdict_after("given", [&](Json& claims) {
      const Json leaf_node = {
          {"examples", json_of(examples)}, {"neurons", json_of(neurons)}, {"order", {order}}};
      claims[claim]["steps"] = {{{"rule", "split"},
                                 {"of", "network(given)"},
                                 {"fact", "network(given) <= 0"},
                                 {"trees", {{leaf_node}, {leaf_node}, {leaf_node}}}}};
    });
  };
  const std::string none = "[['0', '0', '0'], ['0', '0', '0']]";
  check_rejected(two_neurons(1, "-1", none, "['0', '1', '0']"), "factors of the order >= 0");
  check_rejected(two_neurons(1, "1", "[['1', '0', '0'], ['-1', '0', '0']]", "['0', '1', '0']"), "a factor");
  check_rejected(two_neurons(2, "0", none, "['0', '1', '0']"), "factors of the examples that sum to 0");
}

TEST_CASE("messages are bounded and on one line") {
  const std::string found =
      verdict_with("opposite", "/0/steps/0/fact", std::string(100'000, 'x') + "\n\x1b[31m");
  CHECK(found.size() < 700);
  CHECK(!contains(found, "\n"));
  CHECK(!contains(found, "\x1b"));
  CHECK(verdict_with("opposite", "/0/steps/0/rule", std::string(100'000, '\x1b')).size() < 700);
  CHECK(verdict_with("opposite", "/0/steps/0/" + std::string(100'000, 'k'), 1).size() < 900);
  CHECK(verdict_with("theorem", "/1/steps/0/layer/heads/0/key/0/den",
                     std::string("-") + std::string(100'000, '7'))
            .size() < 700);
}
