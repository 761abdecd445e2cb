// The frame of claims and steps, and the rules let, minor, zero, subsets, compare and split: what is
// rejected, and why.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("the frame of claims and steps") {
  check_changes({
      {"opposite", "/0", "[]", "expected an object"},
      {"opposite", "/0/statement", "'capacity'", "expected the statement rank"},
      {"opposite", "/0/statement", "1", "expected a string"},
      {"opposite", "/0/steps", "{}", "expected an array"},
      {"opposite", "/0/verdict", "'verified'", "only known keys"},
      {"opposite", "/0/reason", "7", "expected a string"},
      {"opposite", "/0/steps/0/more", "1", "only known keys"},
      {"opposite", "/0/steps/0/label", "1", "expected a string"},
      {"opposite", "/0/steps/0/rule", "'guess'", "expected a rule"},
      {"opposite", "/0/steps/0/fact", "'rank(Z(given)) >= 4'", "expected the fact rank(Z(given)) >= 3"},
      {"opposite", "/0/steps/0/fact", "'rank(Z(given)) <= 3'", "expected the fact rank(Z(given)) >= 3"},
      {"opposite", "/0/steps/0", "3", "expected an object"},
  });
  for (const char* key : {"rule", "fact", "of", "p", "g", "rows", "cols"}) {
    check_rejected("opposite", "expected the key", [&](Json& claims) { claims[0]["steps"][0].erase(key); });
  }
  check_rejected("opposite", "an array of 8 entries", [](Json& claims) { claims.erase(7); });
  check_rejected("opposite", "an array of 8 entries", [](Json& claims) { claims.push_back(claims[0]); });
  check_rejected("opposite", "the statement rank", [](Json& claims) { std::swap(claims[0], claims[6]); });
}

TEST_CASE("let") {
  const std::string random = "/5/steps/2/layer/random", heads = "/1/steps/0/layer/heads";
  check_changes({
      {"opposite", random + "/bound", "0", "a bound from 1 to 2^62"},
      {"opposite", random + "/bound", "4611686018427387905", "a bound from 1 to 2^62"},
      {"opposite", random + "/seed", "9223372036854775808", "a seed below 2^63"},
      {"opposite", random + "/seed", "-1", "an integer >= 0"},
      {"opposite", random + "/kind", "'integers'", "only known keys"},
      {"opposite", "/5/steps/2/layer/heads", "[]", "only known keys"},
      {"opposite", "/5/steps/2/fact", "'let Z(1)'", "the fact let Z(2)"},
      {"theorem", heads, "[]", "an array of 2 entries"},
      {"theorem", heads + "/0/query", "[v(1 0)]", "an array of 2 entries"},
      {"theorem", heads + "/0/key/0", "v(1 0 0)", "an array of 2 entries"},
      {"theorem", heads + "/0/key/0/den", "'0'", "a positive denominator"},
      {"theorem", heads + "/0/key/0/den", "'-1'", "a positive denominator"},
      {"theorem", heads + "/0/key/0/den", "'1/2'", "expected an integer"},
      {"theorem", heads + "/0/key/0/num/0", "'x'", "a rational number"},
      {"theorem", heads + "/0/bias", "[]", "only known keys"},
      {"theorem", heads + "/1/separator/w", "[]", "only known keys"},
      {"theorem", heads + "/0/separator", "{'u': v(1 0), 'v': v(1 0), 'lambda': '1'}",
       "weights of rank at most 2"},
      {"theorem", "/4/steps/2/layer/rescaled/of", "1", "a layer that is given or of an earlier let"},
      {"theorem", "/4/steps/2/layer/rescaled/of", "'given'", "an integer >= 0"},
  });
  check_added(
      {{"lemmas", 7, "{'rule': 'let', 'layer': {'heads': []}, 'fact': 'let Z(0)'}", "a case with [layer]"}});
}

TEST_CASE("hadamard") {
  const std::string step = "/0/steps/1", enough = "primes whose product exceeds Hadamard's bound";
  check_changes({
      {"matrices", step + "/primes", "[181]", enough},
      {"matrices", step + "/primes", "[]", enough},
      {"matrices", step + "/primes", "[191, 191]", "primes that decrease"},
      {"matrices", step + "/primes", "[181, 191]", "primes that decrease"},
      {"matrices", step + "/primes", "[189]", "an odd prime below 2^23"},
      {"matrices", step + "/primes", "[191, 2]", "an odd prime below 2^23"},
      {"matrices", step + "/primes", "[8388617]", "an odd prime below 2^23"},
      {"matrices", step + "/rows", "[0]", "rows that are independent mod p, and all others combinations"},
      {"matrices", step + "/rows", "[0, 0]", "distinct indices"},
      {"matrices", step + "/rows", "[0, 3]", "an index below 3"},
      {"matrices", step + "/rows", "[0, 1, 2]", "fewer rows than the matrix has rows or columns"},
      {"matrices", step + "/of", "'rank(vectors)'", "a claim with vectors"},
      {"matrices", step + "/fact", "'rank(matrix) <= 1'", "the fact rank(matrix) <= 2"},
      {"matrices", step + "/p", "191", "only known keys"},
  });
  check_added(
      {{"which", 0, test::step("hadamard", "rank(contexts) <= 0", "'rows': [], 'primes': [3]"), "a matrix"}});
}

TEST_CASE("minor") {
  const std::string z = "/0/steps/0";
  check_changes({
      {"opposite", z + "/rows", "[0, 1]", "2 columns, as many as rows"},
      {"opposite", z + "/rows", "[0, 1, 1]", "distinct indices"},
      {"opposite", z + "/rows", "[0, 1, 4]", "an index below 4"},
      {"opposite", z + "/cols", "[0, 1, 6]", "an index below 6"},
      {"opposite", z + "/p", "8388617", "p < 2^23"},
      {"opposite", z + "/p", "1000918", "an odd prime p"},
      {"opposite", z + "/p", "1000917", "an odd prime p"},
      {"opposite", z + "/p", "1000003", "p with (p - 1)/2 an odd prime"},
      {"opposite", z + "/p", "5", "p with (p - 1)/2 an odd prime"},
      {"opposite", z + "/g", "1", "g of order q"},
      {"opposite", z + "/g", "0", "g of order q"},
      {"opposite", z + "/g", "1000918", "g of order q"},
      {"opposite", z + "/g", "1000923", "g of order q"},
      {"scalar", "/0/steps/1/g", "4", "g = 2, the image of b = 2"},
      {"opposite", z + "/of", "'rank(Z(0))'", "a layer that is given or of an earlier let"},
      {"opposite", z + "/of", "'rank(Z(any))'", "a layer that is given or of an earlier let"},
      {"opposite", "/5/steps/0/of", "'rank(encoding)'", "a matrix over Q that this claim has"},
      {"opposite", "/5/steps/0/of", "'rank(value)'", "a matrix over Q that this claim has"},
      {"opposite", z + "/of", "'capacity'", "a quantity of the rule minor"},
      {"opposite", "/5/steps/0/of", "'rank(queries)'", "an index below 2"},
      {"opposite", z + "/of", "'rank(Z(00))'", "a layer that is given or of an earlier let"},
      {"opposite", "/5/steps/0/p", "9", "an odd prime below 2^23"},
      {"opposite", "/5/steps/0/p", "2", "an odd prime below 2^23"},
      {"opposite", "/5/steps/0/p", "8388617", "an odd prime below 2^23"},
      {"opposite", "/5/steps/0/cols", "[0, 3]", "an index below 3"},
      {"lemmas", "/1/steps/0/of", "'rank(a)'", "a claim with a"},
      {"lemmas", "/0/steps/1/cols", "[0, 1, 2]", "a minor that is not 0 mod p"},
      {"moment", "/3/steps/0/rows", "[0]", "only known keys"},
      {"moment", "/3/steps/0/of", "'rank(subset-contexts)'", "a claim with subset"},
  });
  // e and -e, f and -f: four rows are dependent.
  check_rejected("opposite", "a minor that is not 0 mod p, found a singular one", [](Json& claims) {
    Json& step = claims[0]["steps"][0];
    step["rows"] = {0, 1, 2, 3};
    step["cols"] = {0, 1, 2, 4};
    step["fact"] = "rank(Z(given)) >= 4";
  });
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
  const std::string z = "/0/steps/1";
  check_changes({
      {"opposite", z + "/side", "'up'", "right or left"},
      {"opposite", z + "/of", "'kruskal(tokens)'", "a quantity of the rule zero"},
      {"opposite", z + "/of", "'readout'", "a quantity of the rule zero"},
      {"opposite", z + "/vectors/0/3/1", "'1'", "y Z = 0 for vector 0"},
      {"opposite", z + "/vectors/0/3/1", "1", "expected an array"},
      {"opposite", z + "/vectors/0/3/1", "[['-1', '1']]", "rational values when there is no g"},
      {"opposite", z + "/vectors/0/3/1", "'-1/1000003'", "a denominator prime to 1000003"},
      {"opposite", z + "/vectors/0/3/0", "2", "increasing positions"},
      {"opposite", z + "/vectors/0/3", "[3, '1', '1']", "an array of 2 entries"},
      {"opposite", z + "/vectors/0", "[]", "vectors that are independent mod p"},
      {"opposite", z + "/vectors", "[[], [], [], [], []]", "at most 4 vectors"},
      {"opposite", z + "/member", "0", "only known keys"},
      {"opposite", "/1/steps/0/g", "1000916", "g of order q"},
      {"opposite", "/1/steps/0/vectors/0/0/1/0/1", "'1/500459'", "a denominator prime to 500459"},
      {"opposite", "/3/steps/0/vectors/0/2/1", "'1'", "M x = 0 for vector 0"},
      {"opposite", "/3/steps/0/vectors/0/2/1", "[['-1', '0']]", "expected a string"},
      {"opposite", "/3/steps/0/side", "'both'", "right or left"},
      {"opposite", "/3/steps/0/g", "4", "only known keys"},
      {"opposite", "/6/steps/0/side", "'right'", "the fact capacity <= 5"},
      {"opposite", "/6/steps/0/vectors/0/2/1", "'1'", "y Z = 0 for all weights, for vector 0"},
      {"equal", "/1/steps/0/vectors/0/1/1", "'1'", "Z x = 0 for vector 0"},
      {"dependent", "/0/steps/0/side", "'right'", "the side left"},
      {"dependent", "/0/steps/0/vectors/0/1/1", "'2'", "y M = 0 for vector 0"},
      {"dependent", "/0/steps/0/vectors", "[[[1, '1'], [3, '3']], [[1, '1'], [3, '3']]]",
       "an array of 1 entries"},
      {"dependent", "/1/steps/0/member", "4", "an index below 4"},
      {"dependent", "/1/steps/0/member", "0", "y M = 0 for vector 0"},
      {"scalar", "/0/steps/0/vectors/0/0/1/0/1", "'5/2'", "y Z = 0 for vector 0"},
  });
  // Differences of the tokens of each context, not of one only; the first of each is 0.
  check_changes({
      {"translates", "/0/steps/0/vectors/0/1/1", "'1'", "M x = 0 for vector 0"},
      {"translates", "/0/steps/0/vectors/0", "[[0, '1']]", "M x = 0 for vector 0"},
      {"translates", "/0/steps/0/vectors/1", "[[0, '4'], [1, '-2']]", "vectors that are independent mod p"},
      {"translates", "/0/steps/0/fact", "'rank(differences) <= 0'", "the fact rank(differences) <= 1"},
      {"translates", "/0/steps/3/rows", "[4]", "a minor"},
      {"translates", "/0/steps/3/rows", "[12]", "an index below 12"},
      {"translates", "/0/steps/1/fact", "'rank(Z(any)) <= 3'", "the fact rank(Z(any)) <= 4"},
      {"translates", "/0/steps/1/uses", "[]", "expected the fact"},
  });
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

TEST_CASE("subsets") {
  check_changes({
      {"moment", "/0/steps/0/k", "4", "independent vectors mod p in every subset of 4"},
      {"moment", "/1/steps/0/k", "4", "independent vectors mod p in every subset of 4"},
      {"moment", "/1/steps/0/k", "5", "independent vectors mod p in every subset of 5"},
      {"moment", "/0/steps/0/k", "6", "k <= 5"},
      {"moment", "/0/steps/0/p", "3", "independent vectors mod p in every subset of 3"},
      {"moment", "/0/steps/0/p", "9223372036854775783", "an odd prime below 2^62"},
      {"moment", "/0/steps/0/method", "'all'", "dual or subsets"},
      {"moment", "/0/steps/0/of", "'kruskal(contexts)'", "a quantity of the rule subsets"},
      {"moment", "/0/steps/0/of", "'rank(queries)'", "a quantity of the rule subsets"},
  });
  check_added({{"lemmas", 7, step("subsets", "kruskal(queries) >= 0", "'k': 0, 'p': 7, 'method': 'dual'"),
                "queries in the case"},
               {"lemmas", 7, step("minor", "rank(contexts) >= 0", "'p': 7"), "contexts in the case"},
               {"moment", 0, step("minor", "rank(Z(given)) >= 0", "'p': 23, 'g': 2, 'rows': [], 'cols': []"),
                "weights in the case"}});
}

TEST_CASE("compare") {
  const std::string gap = "/4/steps/1";
  check_changes({
      {"separated", "/0/steps/0/u", "v(1 1)", "different entries of (E_t u)(v . e_t)"},
      {"separated", "/0/steps/0/v", "v(1 -2)", "v . e_t = 0 at the member"},
      {"separated", "/0/steps/0/u", "v(0 0)", "u and v other than 0"},
      {"separated", "/0/steps/0/v", "v(0 0)", "u and v other than 0"},
      {"separated", "/0/steps/0/of", "'capacity'", "a quantity of the rule compare"},
      {"given", "/1/steps/0/neurons/0/a", "'2'", "the output 1 at example 1"},
      {"given", "/1/steps/0/neurons/0/w", "['0']", "an array of 2 entries"},
      {"given", "/1/steps/0/neurons/0/c", "'0'", "only known keys"},
      {"given", "/1/steps/0/neurons", "[]", "an array of 2 entries"},
      {"given", "/1/steps/0/output_bias", "'0'", "no output_bias"},
      {"given", "/2/steps/0/output_bias", "'2'", "the output 0 at example 0"},
      {"lemmas", gap + "/mu", "'0'", "a positive number"},
      {"lemmas", gap + "/mu", "'2'", "eigenvalues of G that are 0 or at least mu"},
      {"lemmas", gap + "/mu", "'1/8'", "eigenvalues of S below mu"},
      {"lemmas", gap + "/side", "'maybe'", "holds or fails"},
      {"lemmas", gap + "/side", "'fails'", "an eigenvalue of S that is at least mu"},
      {"lemmas", "/5/steps/1/mu", "'2'", "an eigenvalue of S that is at least mu"},
      {"lemmas", "/5/steps/1/mu", "'1/2'", "an eigenvalue of G above 0 that is at most mu"},
  });
  check_added({
      {"lemmas", 1, step("compare", "perturbation >= 1", "'mu': '1', 'side': 'holds'"), "a claim with a"},
      {"separated", 4, step("compare", "separator >= 1", "'u': v(1 0), 'v': v(1 0)"), "a claim with subset"},
      {"network", 0, step("compare", "network(given) >= 1", "'neurons': []"), "a claim with !labels"},
      {"network", 0, step("split", "network(given) <= 0", "'trees': []"), "a claim with !labels"},
  });
}

TEST_CASE("split") {
  const std::string trees = "/0/steps/0/trees", leaf = trees + "/1/1";
  check_changes({
      {"given", "/0/steps/0/of", "'network(integer)'", "a quantity of the rule split"},
      {"given", trees, "[]", "an array of 2 entries"},
      {"given", trees + "/0", "[]", "a tree for each branch"},
      {"given", trees + "/1/2", "{'neuron': 0, 'example': 1}", "a pair that is not decided yet"},
      {"given", trees + "/1/2", "{'neuron': 0, 'example': 2}", "a tree for each branch"},
      {"given", trees + "/1/0/example", "3", "an index below 3"},
      {"given", leaf + "/examples", "['-1', '0', '-1']", "a positive combination of the labels"},
      {"given", leaf + "/examples/1", "'1/2'", "expected an integer"},
      {"given", leaf + "/neurons/0", "['0', '-2', '1']", "a combination of the inputs that is 0"},
      {"given", leaf + "/neurons/0", "['2', '-4', '2']", "a factor <= 1 at neuron 0, example 0"},
      {"given", leaf + "/neurons/0", "['-1', '2', '-1']", "a factor >= 0 at neuron 0, example 0"},
      {"given", leaf + "/order", "['0']", "an array of 0 entries"},
  });
  check_rejected("given", "1 nodes in this tree, found 2", [](Json& claims) {
    Json& tree = claims[0]["steps"][0]["trees"][0];
    tree.push_back(tree[0]);
  });
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
  check_rejected("given", "a factor 0 between neurons of different signs", [&](Json& claims) {
    const auto node = [](const char* order) {
      return Json{
          {"examples", {"0", "1", "0"}}, {"neurons", {{"0", "0", "0"}, {"0", "0", "0"}}}, {"order", {order}}};
    };
    claims[1]["steps"] = {{{"rule", "split"},
                           {"of", "network(given)"},
                           {"fact", "network(given) <= 0"},
                           {"trees", {{node("0")}, {node("1")}, {node("0")}}}}};
  });
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

TEST_CASE("contexts of different lengths, and projected queries") {
  const std::string minor = "'p': 1000919, 'g': 4, 'rows': [0], 'cols': ";
  check_added({
      {"listed", 1, step("minor", "rank(contexts) >= 1", "'p': 101"), "expected contexts of one length"},
      {"listed", 1, step("minor", "rank(mixed-contexts) >= 1", "'p': 101"),
       "expected contexts of one length"},
      {"listed", 1, step("minor", "rank(Z(given)) >= 2", minor + "[0, 1]"), "expected "},
      {"projected", 1, theorem("some-weights", "capacity >= 0", "[]", "'layer': 'given'"),
       "expected in_shape(given) = 1"},
      {"projected", 1, theorem("equal-examples", "capacity <= 1"), "expected the fact capacity <= 2"},
      // A random layer needs queries.
      {"projected", 1,
       "[{'rule': 'let', 'layer': {'random': {'bound': 9, 'seed': 1}}, 'fact': 'let Z(1)'}, " +
           step("minor", "rank(Z(1)) >= 1", minor + "[0]") + "]",
       "expected queries in the case"},
  });
}
