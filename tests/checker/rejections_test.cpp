// Certificates that differ from an accepted one in one place and are rejected, with the reason.
#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;

namespace {

struct Change {
  std::string sample, pointer, value, reason;
};

void check_rejected(const std::string& found, const std::string& reason) {
  CAPTURE(reason);
  CAPTURE(found);
  CHECK(found.starts_with("rejected: "));
  CHECK(found.find(reason) != std::string::npos);
}

void check_changes(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    CAPTURE(change.sample);
    CAPTURE(change.pointer);
    CAPTURE(change.value);
    check_rejected(verdict_with(change.sample, change.pointer, json_of(change.value)), change.reason);
  }
}

/// A step that is added to the end of a claim.
void check_added(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    CAPTURE(change.value);
    const auto add = [&](Json& claims) {
      claims[Json::json_pointer(change.pointer)]["steps"].push_back(json_of(change.value));
    };
    check_rejected(verdict_after(change.sample, add), change.reason);
  }
}

}  // namespace

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
    check_rejected(verdict_after("opposite", [&](Json& claims) { claims[0]["steps"][0].erase(key); }),
                   "expected the key");
  }
  check_rejected(verdict_after("opposite", [](Json& claims) { claims.erase(7); }), "an array of 8 entries");
  check_rejected(verdict_after("opposite", [](Json& claims) { claims.push_back(claims[0]); }),
                 "an array of 8 entries");
  check_rejected(verdict_after("opposite", [](Json& claims) { std::swap(claims[0], claims[6]); }),
                 "the statement rank");
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
  check_added({{"lemmas", "/7", "{'rule': 'let', 'layer': {'heads': []}, 'fact': 'let Z(0)'}",
                "a case with [layer]"}});
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
      {"opposite", "/5/steps/3/of", "'rank(Z(02))'", "a layer that is given or of an earlier let"},
      {"opposite", "/5/steps/0/p", "9", "an odd prime below 2^23"},
      {"opposite", "/5/steps/0/p", "2", "an odd prime below 2^23"},
      {"opposite", "/5/steps/0/p", "8388617", "an odd prime below 2^23"},
      {"opposite", "/5/steps/0/cols", "[0, 3]", "an index below 3"},
      {"lemmas", "/1/steps/0/of", "'rank(a)'", "a matrix over Q that this claim has"},
      {"lemmas", "/0/steps/1/cols", "[0, 1, 2]", "a minor that is not 0 mod p"},
      {"moment", "/3/steps/0/rows", "[0]", "only known keys"},
      {"moment", "/3/steps/0/of", "'rank(subset-contexts)'", "a matrix over Q that this claim has"},
  });
  // e and -e, f and -f: four rows are dependent.
  check_rejected(verdict_after("opposite",
                               [](Json& claims) {
                                 Json& step = claims[0]["steps"][0];
                                 step["rows"] = {0, 1, 2, 3};
                                 step["cols"] = {0, 1, 2, 4};
                                 step["fact"] = "rank(Z(given)) >= 4";
                               }),
                 "a minor that is not 0 mod p, found a singular one");
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
    std::string toml = sample(name).toml;
    const attest::Case source = case_of(toml.replace(toml.find(from), from.size(), to));
    const attest::checker::Problem problem(source);
    return verdict(problem, certificate_of(problem, claims).dump());
  };
  check_rejected(minor_alone("irrational", "query_bias = [[0, \"1/3\"]]", "query_bias = [[0, \"1/500459\"]]"),
                 "a denominator prime to 500459");
  check_rejected(minor_alone("scalar", "logit_scale = \"1/2\"", "logit_scale = \"1/500459\""),
                 "a denominator prime to 500459");
}

TEST_CASE("a softmax denominator that is 0 mod p") {
  // Logits 0, 1, 2 with g = 2 of order 3 mod 7: 1 + 2 + 4 = 0.
  const attest::Case source = case_of(R"(format = 1
[layer]
heads = 1
context = 3
embed_dim = 1
head_dim = 1
examples = 1
[data]
contexts = [[0], [1], [2]]
queries = [[1]]
[weights]
combined = [[[1]]]
[[claim]]
statement = "rank"
)");
  const attest::checker::Problem problem(source);
  const auto found = [&](std::uint64_t p, std::uint64_t g) {
    const Json step = {{"rule", "minor"}, {"of", "rank(Z(given))"},       {"p", p}, {"g", g}, {"rows", {0}},
                       {"cols", {0}},     {"fact", "rank(Z(given)) >= 1"}};
    return verdict(problem, certificate_of(problem, {{{"statement", "rank"}, {"steps", {step}}}}).dump());
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
      {"opposite", "/6/steps/0/side", "'right'", "the side left"},
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
    const attest::Case source = case_of(R"(format = 1
[layer]
heads = 1
context = 2
embed_dim = 4
head_dim = 1
examples = 2
[data]
contexts = [[["1/7", 0, 5, 5], [2, 0, "-1/2", "-0.5"]], [[3, 0, 1000000000, 1000000000], )" +
                                        last + R"(]]
queries = [[1, 0, 0, 0], [0, 1, 0, 0]]
[[claim]]
statement = "affine-hull-bound"
)");
    const attest::checker::Problem problem(source);
    const Json step = {{"rule", "zero"},
                       {"of", "rank(tokens)"},
                       {"side", "right"},
                       {"p", 101},
                       {"vectors", {{{1, "2"}}, {{2, "1/3"}, {3, "-1/3"}}}},
                       {"fact", "rank(tokens) <= 2"}};
    return verdict(problem,
                   certificate_of(problem, {{{"statement", "affine-hull-bound"}, {"steps", {step}}}}).dump());
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
  check_added(
      {{"lemmas", "/7",
        "{'rule': 'subsets', 'of': 'kruskal(queries)', 'k': 0, 'p': 7, 'method': 'dual', 'fact': "
        "'kruskal(queries) >= 0'}",
        "queries in the case"},
       {"lemmas", "/7", "{'rule': 'minor', 'of': 'rank(contexts)', 'p': 7, 'fact': 'rank(contexts) >= 0'}",
        "contexts in the case"},
       {"moment", "/0",
        "{'rule': 'minor', 'of': 'rank(Z(given))', 'p': 23, 'g': 2, 'rows': [], 'cols': [], 'fact': "
        "'rank(Z(given)) >= 0'}",
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
      {"lemmas", "/1",
       "{'rule': 'compare', 'of': 'perturbation', 'mu': '1', 'side': 'holds', 'fact': "
       "'perturbation >= 1'}",
       "a claim with a"},
      {"separated", "/4",
       "{'rule': 'compare', 'of': 'separator', 'u': v(1 0), 'v': v(1 0), 'fact': 'separator >= 1'}",
       "a claim with subset"},
      {"network", "/0",
       "{'rule': 'compare', 'of': 'network(given)', 'neurons': [], 'fact': 'network(given) >= 1'}",
       "a claim with labels=given"},
      {"network", "/0",
       "{'rule': 'split', 'of': 'network(given)', 'trees': [], 'fact': 'network(given) <= 0'}",
       "a claim with labels=given"},
  });
}

TEST_CASE("ball") {
  const std::string hot = "/3/steps/0";
  check_changes({
      {"separated", "/2/steps/0/vertex", "1", "the largest entry of E W' e at the vertex"},
      {"separated", "/2/steps/0/vertex", "2", "an index below 2"},
      {"separated", "/2/steps/0/lambda", "'0'", "a positive number"},
      {"separated", "/2/steps/0/lambda", "'6'", "a distance of at most 1/"},
      {"separated", "/2/steps/0/of", "'weights'", "a quantity of the rule ball"},
      {"theorem", hot + "/lambda", "'4'", "a distance of at most 1/10"},
      {"theorem", hot + "/lambda", "'-5'", "a distance of at most 1/10"},
      {"theorem", hot + "/v", "v(1 0)", "v . e_t = 0 at the member 0"},
      {"theorem", hot + "/u", "v(1 1)", "different entries of (E_t u)(v . e_t)"},
      {"theorem", hot + "/left_inverse/0", "v(2 0)", "L_k . e_t' = [t = t']"},
      {"theorem", hot + "/right_inverses/0/1", "v(0 2)", "E_t R = I at member 0"},
  });
  check_rejected(verdict_with_case("theorem", "epsilon = \"1/10\"", "epsilon = \"1/100\""),
                 "of at most 1/100");
}

TEST_CASE("inverse") {
  const std::string weights = "/2/steps/2", readout = "/0/steps/5", tail = "/4/steps/1";
  check_changes({
      {"theorem", weights + "/of", "'capacity'", "a quantity of the rule inverse"},
      {"theorem", weights + "/left_inverse/0", "v(1 1)", "L_k . e_t' = [t = t']"},
      {"theorem", weights + "/right_inverses/1/0", "v(1 1)", "E_t R = I at member 1"},
      {"theorem", readout + "/cols", "[0, 1]", "3 columns"},
      {"theorem", readout + "/cols", "[0, 1, 3]", "||I - R A|| < 1"},
      {"theorem", readout + "/layer", "1", "a layer that is given or of an earlier let"},
      {"theorem", readout + "/precision", "65537", "at most 65536 bits"},
      {"theorem", readout + "/inverse/0/0", "'0'", "||I - R A|| < 1"},
      {"theorem", readout + "/weights/1/0/mid", "'-3.1553511157'",
       "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", readout + "/weights/1/0/rad", "'1e-60'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", readout + "/weights/1/0/rad", "'-1'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", readout + "/weights/1/0/more", "1", "only known keys"},
      {"base-2", "/0/steps/3/weights/0/0/mid", "'-421/42'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"base-2", "/1/steps/3/weights/0/0/mid", "'-421/43'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"base-2", "/0/steps/3/weights/0/0", "'-421/43'", "an object"},
      {"base-2", "/0/steps/3/precision", "64", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"base-2", "/0/steps/0/layer/heads/0/key/0", "v(1 0 / 2)",
       "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", tail + "/lambda", "'0'", "a positive number"},
      {"theorem", tail + "/lambda", "'1/2'", "|I - R M| w < w for all lambdas >= L"},
      {"theorem", tail + "/scale/0", "'0'", "a positive number"},
      {"theorem", tail + "/rows", "[0, 1]", "2 columns, as many as rows"},
      {"theorem", tail + "/inverse/0/0", "'1'", "|I - R M| w < w for all lambdas >= L"},
      {"theorem", "/4/steps/0/layer/heads/1/separator/u", "v(1 1)",
       "a separator of head 1 that separates all examples but 1"},
  });
  // Every key has its effect, so none can be left out.
  for (const char* key : {"precision", "inverse", "weights"}) {
    CAPTURE(key);
    check_rejected(verdict_after("base-2", [&](Json& claims) { claims[0]["steps"][3].erase(key); }), key);
  }
  check_rejected(verdict_with_case("theorem", "head_dim = 2", "head_dim = 1"), "weights of rank at most 1");
  check_added({
      {"theorem", "/1",
       "{'rule': 'inverse', 'of': 'weights', 'right_inverses': [], 'left_inverse': [], 'fact': 'weights >= "
       "1'}",
       "a claim with subset"},
      {"opposite", "/5",
       "{'rule': 'inverse', 'of': 'tail_rank', 'layer': 2, 'lambda': '1', 'rows': [], 'cols': [], 'inverse': "
       "[], 'scale': [], 'fact': 'tail_rank >= 0'}",
       "a layer that is defined by its heads"},
  });
}

TEST_CASE("prescribed weights need a small subset") {
  const auto with_rank_one = [](Json& claims) {
    claims[0]["steps"] = Json::array(), claims[1]["steps"] = Json::array(),
    claims[4]["steps"] = Json::array();
  };
  Json claims = sample("theorem").claims;
  with_rank_one(claims);
  std::string toml = sample("theorem").toml;
  toml.replace(toml.find("head_dim = 2"), 12, "head_dim = 1");
  const attest::Case source = case_of(toml);
  const attest::checker::Problem problem(source);
  check_rejected(verdict(problem, certificate_of(problem, claims).dump()), "a subset of at most 1");
}

TEST_CASE("a read-out without labels") {
  std::string toml = sample("theorem").toml;
  const std::string labels = "labels = [[1], [2], [-1]]\n";
  toml.erase(toml.find(labels), labels.size());
  const attest::Case source = case_of(toml);
  const attest::checker::Problem problem(source);
  check_rejected(verdict(problem, certificate_of(problem, sample("theorem").claims).dump()),
                 "labels in the case");
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
  check_rejected(verdict_after("given",
                               [](Json& claims) {
                                 Json& tree = claims[0]["steps"][0]["trees"][0];
                                 tree.push_back(tree[0]);
                               }),
                 "1 nodes in this tree, found 2");
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
  check_rejected(verdict_after("given",
                               [&](Json& claims) {
                                 const auto node = [](const char* order) {
                                   return Json{{"examples", {"0", "1", "0"}},
                                               {"neurons", {{"0", "0", "0"}, {"0", "0", "0"}}},
                                               {"order", {order}}};
                                 };
                                 claims[1]["steps"] = {{{"rule", "split"},
                                                        {"of", "network(given)"},
                                                        {"fact", "network(given) <= 0"},
                                                        {"trees", {{node("0")}, {node("1")}, {node("0")}}}}};
                               }),
                 "a factor 0 between neurons of different signs");
}

TEST_CASE("theorem") {
  check_changes({
      {"opposite", "/3/steps/1/theorem", "'riemann'", "a theorem of the table"},
      {"opposite", "/3/steps/1/uses", "[1]", "an index below 1"},
      {"opposite", "/3/steps/1/uses", "[0, 0]", "expected each step once in uses, found 0"},
      {"opposite", "/3/steps/1/layer", "'given'", "no layer"},
      {"opposite", "/6/steps/2/layer", "0", "a layer that is given or of an earlier let"},
      {"opposite", "/6/steps/2/layer", "'any'", "an integer >= 0"},
      {"opposite", "/6/steps/2/uses", "[0]", "expected"},
      {"opposite", "/6/steps/2/fact", "'capacity >= 4'", "the fact capacity >= 3"},
      {"lemmas", "/6/steps/1/theorem", "'integer-labels'", "expected"},
  });
  check_rejected(verdict_after("opposite", [](Json& claims) { claims[6]["steps"][2].erase("layer"); }),
                 "a layer");
  check_rejected(
      verdict_with_case("irrational", "query_bias = [[0, \"1/3\"]]", "query_bias = [[0, \"1/2\"]]"),
      "Z x = 0");
  check_added({
      {"opposite", "/0",
       "{'rule': 'theorem', 'theorem': 'integer-labels', 'uses': [], 'fact': 'network(integer) <= 0'}",
       "a quantity that this case and claim have"},
      {"irrational", "/0",
       "{'rule': 'theorem', 'theorem': 'some-weights', 'uses': [1], 'layer': 'given', 'fact': 'capacity >= "
       "1'}",
       "in_shape(given) = 1"},
      {"dependent", "/0",
       "{'rule': 'theorem', 'theorem': 'moment-curve', 'uses': [], 'fact': 'kruskal(queries) >= 2'}",
       "off_moment_curve = 0"},
      {"moment", "/0",
       "{'rule': 'theorem', 'theorem': 'some-weights', 'uses': [], 'layer': 'given', 'fact': 'capacity >= "
       "0'}",
       "weights in the case"},
  });
}

TEST_CASE("a case without data has no queries and no contexts, however often one asks") {
  // The network sample has those of Proposition 3, and the same theorem applies there.
  check_added({{"encoding", "/0",
                "{'rule': 'theorem', 'theorem': 'moment-curve', 'uses': [], 'fact': 'kruskal(queries) >= 1'}",
                "expected queries in the case"},
               {"lemmas", "/0",
                "{'rule': 'subsets', 'of': 'kruskal(mixed-queries)', 'k': 1, 'p': 101, 'method': 'subsets', "
                "'fact': 'kruskal(mixed-queries) >= 1'}",
                "expected queries in the case"},
               {"lemmas", "/0",
                "{'rule': 'minor', 'of': 'distinct(Z)', 'p': 101, 'g': 1, 'rows': [], 'cols': [], 'fact': "
                "'distinct(Z) >= 0'}",
                "expected weights in the case"}});
  const attest::Case source = case_of(sample("encoding").toml);
  const attest::checker::Problem problem(source);
  Json claims = sample("encoding").claims;
  const std::string good = certificate_of(problem, claims).dump();
  claims[0]["steps"].push_back(json_of(
      "{'rule': 'minor', 'of': 'rank(mixed-contexts)', 'p': 101, 'fact': 'rank(mixed-contexts) >= 1'}"));
  const std::string bad = certificate_of(problem, claims).dump();
  for (int time = 0; time < 2; ++time) check_rejected(verdict(problem, bad), "expected contexts in the case");
  CHECK(verdict(problem, good) == "valid: verified");
}

TEST_CASE("messages are bounded and on one line") {
  const std::string found =
      verdict_with("opposite", "/0/steps/0/fact", std::string(100'000, 'x') + "\n\x1b[31m");
  CHECK(found.size() < 700);
  CHECK(found.find('\n') == std::string::npos);
  CHECK(found.find('\x1b') == std::string::npos);
  CHECK(verdict_with("opposite", "/0/steps/0/rule", std::string(100'000, '\x1b')).size() < 700);
  CHECK(verdict_with("opposite", "/0/steps/0/" + std::string(100'000, 'k'), 1).size() < 900);
  CHECK(verdict_with("theorem", "/1/steps/0/layer/heads/0/key/0/den",
                     std::string("-") + std::string(100'000, '7'))
            .size() < 700);
}

TEST_CASE("a member of a family without members is rejected") {
  const std::string toml =
      "format = 1\n[layer]\nheads = 1\ncontext = 1\nembed_dim = 2\nhead_dim = 1\nexamples = 2\n[data]\n"
      "contexts = [[1, 1]]\nqueries = [[1, 2], [3, 4]]\n[[claim]]\nstatement = 'lemma-3'\n";
  const Case source = case_of(toml);
  const checker::Problem problem(source);
  const auto with = [&](const std::string& member, const std::string& fact) {
    return verdict(problem,
                   certificate_of(problem, json_of("[{'statement': 'lemma-3', 'steps': [{'rule': 'zero', "
                                                   "'of': 'rank(" +
                                                   fact.substr(5, fact.find(')') - 5) +
                                                   ")', 'side': 'right', 'vectors': [], 'p': 7, " + member +
                                                   "'fact': '" + fact + "'}]}]"))
                       .dump());
  };
  CHECK(with("", "rank(contexts) <= 2").starts_with("valid"));
  CHECK(with("'member': 0, ", "rank(contexts) <= 2").starts_with("valid"));
  check_rejected(with("", "rank(subset-contexts) <= 2"), "expected a family with a member");
  check_rejected(with("'member': 0, ", "rank(subset-contexts) <= 2"), "expected a family with a member");
}

TEST_CASE("contexts of different lengths, and projected queries") {
  check_added({
      {"listed", "/1", "{'rule': 'minor', 'of': 'rank(contexts)', 'p': 101, 'fact': 'rank(contexts) >= 1'}",
       "expected contexts of one length"},
      {"listed", "/1",
       "{'rule': 'minor', 'of': 'rank(mixed-contexts)', 'p': 101, 'fact': 'rank(mixed-contexts) >= 1'}",
       "expected contexts of one length"},
      {"listed", "/1",
       "{'rule': 'minor', 'of': 'rank(Z(given))', 'p': 1000919, 'g': 4, 'rows': [0], 'cols': [0, 1], 'fact': "
       "'rank(Z(given)) >= 2'}",
       "expected "},
      {"projected", "/1",
       "{'rule': 'theorem', 'theorem': 'all-weights', 'uses': [], 'layer': 'given', 'fact': 'rank(Z(given)) "
       "<= 2'}",
       "expected in_shape(given) = 1"},
      {"projected", "/1",
       "{'rule': 'theorem', 'theorem': 'equal-examples', 'uses': [], 'fact': 'capacity <= 1'}",
       "expected the fact capacity <= 2"},
  });
  // A random layer needs queries.
  const auto add = [](Json& claims) {
    Json& steps = claims[1]["steps"];
    steps.push_back(
        json_of("{'rule': 'let', 'layer': {'random': {'bound': 9, 'seed': 1}}, 'fact': 'let Z(1)'}"));
    steps.push_back(
        json_of("{'rule': 'minor', 'of': 'rank(Z(1))', 'p': 1000919, 'g': 4, 'rows': [0], 'cols': "
                "[0], 'fact': 'rank(Z(1)) >= 1'}"));
  };
  check_rejected(verdict_after("projected", add), "expected queries in the case");
}

TEST_CASE("equal examples with equal labels have equal rows in [Z Y]") {
  const auto after = [](const std::string& labels, const std::string& bound) {
    const attest::Case source = case_of(
        "format = 1\n[layer]\nheads = 2\ncontext = 2\nembed_dim = 2\nhead_dim = 1\nexamples = 3\n"
        "[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 2], [3, 4], [1, 2]]\nlabels = " +
        labels +
        "\n[weights]\nkey = [[[1], [0]], [[0], [1]]]\nquery = [[[1], [0]], [[0], [1]]]\n"
        "[[claim]]\nstatement = \"memorizes\"\nexpect = \"undecided\"\n");
    const attest::checker::Problem problem(source);
    const Json claims = json_of(
        "[{'statement': 'memorizes', 'steps': [{'rule': 'theorem', 'theorem': 'equal-labelled-rows', "
        "'uses': [], 'fact': 'rank(Z|Y) <= " +
        bound + "'}]}]");
    return verdict(problem, certificate_of(problem, claims).dump());
  };
  CHECK(after("[[5], [7], [5]]", "2") == "valid: undecided");
  CHECK(after("[[5], [7], [6]]", "3") == "valid: undecided");
  check_rejected(after("[[5], [7], [6]]", "2"), "expected the fact rank(Z|Y) <= 3");
  check_rejected(after("[[5], [5], [5]]", "1"), "expected the fact rank(Z|Y) <= 2");
  // With projected queries examples are not compared.
  check_rejected(verdict_after("labelled",
                               [](Json& claims) {
                                 claims[0]["steps"].push_back(
                                     json_of("{'rule': 'theorem', 'theorem': 'equal-labelled-rows', 'uses': "
                                             "[], 'fact': 'rank(Z|Y) <= 2'}"));
                               }),
                 "expected the fact rank(Z|Y) <= 3");
  check_rejected(verdict_after("equal",
                               [](Json& claims) {
                                 claims[0]["steps"].push_back(
                                     json_of("{'rule': 'theorem', 'theorem': 'equal-labelled-rows', 'uses': "
                                             "[], 'fact': 'rank(Z|Y) <= 2'}"));
                               }),
                 "a quantity that this case and claim have");
}

TEST_CASE("the labels beside Z do not lower its rank") {
  const auto after = [](const std::string& uses, const std::string& bound) {
    return verdict_after("labelled", [&](Json& claims) {
      claims[0]["steps"].push_back(json_of("{'rule': 'theorem', 'theorem': 'labels-beside', 'uses': " + uses +
                                           ", 'fact': 'rank(Z|Y) >= " + bound + "'}"));
    });
  };
  CHECK(after("[0]", "2").starts_with("valid: verified"));
  check_rejected(after("[0]", "3"), "expected the fact rank(Z|Y) >= 2");
  check_rejected(after("[]", "2"), "expected the fact rank(Z|Y) >= 0");
  check_rejected(verdict_after("opposite",
                               [](Json& claims) {
                                 claims[0]["steps"].push_back(
                                     json_of("{'rule': 'theorem', 'theorem': 'labels-beside', 'uses': [], "
                                             "'fact': 'rank(Z|Y) >= 0'}"));
                               }),
                 "a quantity that this case and claim have");
}

TEST_CASE("a tail rank needs heads that separate all examples but r - 1, and freeze rows to one token") {
  const auto after = [](const std::string& contexts, const std::function<void(Json & steps)>& change) {
    const attest::Case source = case_of(
        "format = 1\n[layer]\nheads = 2\ncontext = 2\nembed_dim = 2\nhead_dim = 2\nexamples = 3\n[data]\n"
        "contexts = " +
        contexts +
        "\nqueries = [[1, 0], [0, 1], [1, 1]]\n[[claim]]\nstatement = \"finite-lambda\"\nlambda = \"1/2\"\n");
    const attest::checker::Problem problem(source);
    Json claims = Json::array({sample("theorem").claims[4]});
    change(claims[0]["steps"]);
    return verdict(problem, certificate_of(problem, claims).dump());
  };
  const auto second = [](Json& steps) -> Json& { return steps[0]["layer"]["heads"][1]; };
  const std::string shared = "[[1, 0], [0, 1]]", leaves_all = "all examples but 1, found one that leaves 3";
  CHECK(after(shared, [](Json&) {}).starts_with("valid: verified"));
  check_rejected(after(shared, [&](Json& steps) { second(steps).erase("separator"); }), leaves_all);
  // Folded into fixed weights.
  check_rejected(after(shared,
                       [&](Json& steps) {
                         Json& head = second(steps);
                         head["key"].push_back(head["separator"]["u"]);
                         head["query"].push_back(head["separator"]["v"]);
                         head.erase("separator");
                       }),
                 leaves_all);
  check_rejected(after(shared, [&](Json& steps) { second(steps)["separator"]["u"] = json_of("v(1 1)"); }),
                 leaves_all);
  // One example may have equal entries, but not as a row that is frozen.
  check_rejected(after("[[[1, 0], [0, 1]], [[2, 0], [0, 1]], [[3, 0], [0, 1]]]",
                       [&](Json& steps) {
                         second(steps)["separator"]["u"] = json_of("v(1 1)");
                         second(steps)["separator"]["v"] = json_of("v(2 -1)");
                       }),
                 "one largest entry of (E_t u)(v . e_t) in head 1");
  check_rejected(after(shared, [](Json& steps) { steps[2]["layer"]["rescaled"]["lambda"] = "1/3"; }),
                 "the claim's lambda in every head");
  check_rejected(after(shared, [](Json& steps) { steps[5]["layer"] = 0; }),
                 "the claim's lambda in every head");
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
    const attest::Case source = case_of(
        "format = 1\n[layer]\nheads = 2\ncontext = 2\nembed_dim = 2\nhead_dim = 2\nexamples = 3\noutput_dim "
        "= 2\n"
        "value_dim = " +
        dimension +
        "\n[data]\ncontexts = [[1, 0], [0, 1]]\nqueries = [[1, 0], [0, 1], [1, 1]]\n"
        "[[claim]]\nstatement = \"theorem-1\"\n");
    const attest::checker::Problem problem(source);
    Json claims = Json::array({sample("theorem").claims[0]});
    claims[0]["steps"].erase(5);  // the read-out of one output
    return verdict(problem, certificate_of(problem, claims).dump());
  };
  CHECK(with_values("2") == "valid: verified");
  check_rejected(with_values("1"), "expected d_out <= d_v");
}

TEST_CASE("theorems about Z for the given weights need weights") {
  const attest::Case source = case_of(
      "format = 1\n[layer]\nheads = 1\ncontext = 1\nembed_dim = 2\nhead_dim = 1\nexamples = 1\n[data]\n"
      "contexts = [[1, 0]]\nqueries = [[1, 2]]\nlabels = [[5]]\n[[claim]]\nstatement = \"theorem-1\"\n");
  const attest::checker::Problem problem(source);
  for (const std::string text : {"equal-labelled-rows', 'uses': [], 'fact': 'rank(Z|Y) <= 1",
                                 "labels-beside', 'uses': [], 'fact': 'rank(Z|Y) >= 0",
                                 "equal-outputs', 'uses': [], 'fact': 'distinct(Z) <= 1"}) {
    const Json claims =
        json_of("[{'statement': 'theorem-1', 'steps': [{'rule': 'theorem', 'theorem': '" + text + "'}]}]");
    check_rejected(verdict(problem, certificate_of(problem, claims).dump()), "weights in the case");
  }
}

TEST_CASE("labels beside Z, different rows, saturated heads") {
  check_changes({
      // Row 0 twice, and a column of labels that is a multiple of another.
      {"labelled", "/3/steps/0/rows", "[0, 2]", "a minor that is not 0 mod p"},
      {"labelled", "/3/steps/0/cols", "[3, 0]", "expected "},
      {"labelled", "/3/steps/0/cols", "[0, 0]", "expected "},
      // y Z = 0, but the labels differ; and a vector that does not annihilate Z.
      {"labelled", "/0/steps/1/side", "'right'", "expected the side left"},
      {"labelled", "/0/steps/1/vectors", "[[[0, '1'], [1, '-1']]]", "y Z = 0"},
      {"labelled", "/0/steps/1/vectors", "[]", "expected "},
      {"labelled", "/1/steps/0/rows", "[0, 2]", "expected rows that are different mod p"},
      {"labelled", "/1/steps/0/rows", "[0, 3]", "expected "},
      {"labelled", "/1/steps/0/rows", "[0, 0]", "expected "},
      {"labelled", "/1/steps/0/cols", "[2]", "expected "},
      {"labelled", "/1/steps/0/cols", "[]", "expected "},
      {"labelled", "/1/steps/1/side", "'right'", "expected the side left"},
      {"labelled", "/1/steps/1/vectors", "[[[0, '2'], [2, '-1']]]", "a multiple of e_s - e_t"},
      {"labelled", "/1/steps/1/vectors", "[[[0, '1'], [1, '-1']]]", "y Z = 0"},
      {"labelled", "/2/steps/0/count", "3", "expected 3 pairs of head and example"},
      {"labelled", "/2/steps/1/count", "2", "expected 2 pairs of head and example"},
      {"labelled", "/2/steps/0/side", "'left'", "above or below"},
      {"labelled", "/2/steps/0/precision", "65537", "at most 65536 bits"},
  });
  check_changes({
      {"whole", "/0/steps/0/count", "3", "expected 3 examples, found 2"},
      {"whole", "/0/steps/1/count", "2", "expected 2 examples, found 1"},
      {"whole", "/0/steps/0/side", "'right'", "above or below"},
      {"whole", "/0/steps/0/precision", "65537", "at most 65536 bits"},
      {"whole", "/1/steps/0/count", "3", "expected 3 examples, found 2"},
      {"whole", "/1/steps/0/side", "'above'", "expected 2 examples, found 1"},
      {"whole", "/2/steps/0/count", "3", "expected 3 examples, found 2"},
      {"whole", "/2/steps/0/side", "'above'", "expected 2 examples, found 1"},
      {"whole", "/3/steps/0/side", "'below'", "expected 3 examples, found 0"},
  });
  // Every part of the layer counts.
  const std::vector<std::pair<std::string, std::string>> parts = {
      {"value = [[[2]], [[-4]]]", "value = [[[2]], [[4]]]"},
      {"value_bias = [[1], [-2]]", "value_bias = [[1], [0]]"},
      {"output = [[1], [-1]]", "output = [[1], [-2]]"},
      {"output_bias = [-5]", "output_bias = [-3]"},
      {"skip = true", "skip = [[1], [3], [1]]"},
      {"readout = [[1, -1]]", "readout = [[1, 1]]"},
      {"readout_bias = [-1, 3]", "readout_bias = [0, 3]"},
      {"classes = [0, 0, 0]", "classes = [0, 0, 1]"},
      {"base = \"2\"", "base = \"2\"\nlogit_scale = \"-9\""}};
  for (const auto& part : parts) {
    CAPTURE(part.second);
    check_rejected(verdict_with_case("whole", part.first, part.second), "examples, found ");
  }
  check_rejected(verdict_with_case("whole", "epsilon = \"6\"", "epsilon = \"5\""), "examples, found ");
  // Labels that differ where the rows do not.
  check_rejected(verdict_with_case("labelled", "labels = [5, 7, 5]", "labels = [5, 7, 6]"), "y Y = 0");
  check_rejected(verdict_with_case("labelled", "[[2, 0]], [[0, 1]]", "[[1, 0]], [[0, 1]]"), "expected ");
  check_added({
      {"labelled", "/1",
       "{'rule': 'ball', 'of': 'saturated', 'side': 'above', 'count': 0, 'precision': 64, 'fact': "
       "'saturated >= 0'}",
       "a claim with threshold"},
      {"whole", "/4",
       "{'rule': 'ball', 'of': 'accurate', 'side': 'above', 'count': 0, 'precision': 64, 'fact': "
       "'accurate >= 0'}",
       "a claim with whole"},
      {"listed", "/1",
       "{'rule': 'minor', 'of': 'rank(Z|Y)', 'p': 1000919, 'g': 4, 'rows': [0], 'cols': [0], 'fact': "
       "'rank(Z|Y) >= 1'}",
       "a claim with labels"},
  });
}

TEST_CASE("the largest coefficient against a threshold") {
  struct Layer {
    const char *logits, *base, *scale, *threshold;
    bool above;
  };
  for (const Layer& each : {
           Layer{"5, 1, 1, 1, 1, 1", "2", "1", "15/21", true},  // the coefficient is 16/21
           Layer{"1, 1, 1, 5, 1, 1", "2", "1", "16/21", false},
           Layer{"1, 1, 1, 1, 1, 5", "2", "1", "17/21", false},
           Layer{"-5, -1, -1, -1, -1, -1", "2", "-1", "15/21", true},
           Layer{"-1, -1, -1, -1, -5, -1", "2", "-1", "16/21", false},
           Layer{"0, 0", "e", "1", "1/2", false},
           Layer{"0, 0", "e", "1", "499999/1000000", true},
           Layer{"0, -3, 1", "e", "-1", "0.93", true},  // 0.936...
           Layer{"0, 1, -3", "e", "-1", "0.94", false},
           Layer{"0, 1, 2, 3, 4, 9", "e", "1/sqrt(9)", "0.64", true},  // 0.649...
           Layer{"9, 0, 1, 2, 3, 4", "e", "1/sqrt(9)", "0.65", false},
           Layer{"7", "e", "1", "0.999", true},
           Layer{"7", "e", "1", "1", false},
           Layer{"7, 7", "e", "1", "1e30", false},
           Layer{"7, 7, 7", "e", "1", "1e-30", true},
       }) {
    CAPTURE(std::string(each.logits) + " above " + each.threshold);
    const std::string logits = each.logits,
                      tokens = std::to_string(
                          std::count(&each.logits[0], &each.logits[0] + logits.size(), ',') + 1);
    std::string contexts;
    for (int i = 0; i < std::stoi(tokens); ++i) contexts += i == 0 ? "[1]" : ", [1]";
    const attest::Case source = case_of(
        "format = 1\n[layer]\nheads = 1\ncontext = " + tokens +
        "\nembed_dim = 1\nhead_dim = 1\nexamples = 1\nbase = \"" + each.base + "\"\nlogit_scale = \"" +
        each.scale + "\"\n[data]\ncontexts = [" + contexts + "]\n[weights]\nlogits = [[[" + logits +
        "]]]\n[[claim]]\nstatement = \"saturation\"\nthreshold = \"" + each.threshold + "\"\n");
    const attest::checker::Problem problem(source);
    const auto found = [&](bool above) {
      const Json step = {
          {"rule", "ball"}, {"of", "saturated"}, {"side", above ? "above" : "below"},
          {"count", 1},     {"precision", 96},   {"fact", above ? "saturated >= 1" : "saturated <= 0"}};
      return verdict(problem,
                     certificate_of(problem, {{{"statement", "saturation"}, {"steps", {step}}}}).dump());
    };
    CHECK(found(each.above).rfind("valid", 0) == 0);
    check_rejected(found(!each.above), "expected 1 pairs of head and example, found 0");
  }
}

TEST_CASE("what claims of saturation have in common is of one head, threshold and precision") {
  struct Counted {
    int head;  ///< -1: all
    const char* threshold;
    int precision, above, below;
  };
  // The largest coefficients are 0.999.., 0.5 and 0.731.., and in the second example 0.999.. and twice
  // 0.731..
  const auto found = [](const std::vector<Counted>& list) {
    std::string toml =
        "format = 1\n[layer]\nheads = 3\ncontext = 2\nembed_dim = 1\nhead_dim = 1\nexamples = 2\n[data]\n"
        "contexts = [[1], [2]]\n[weights]\nlogits = [[[0, 9], [0, 0], [0, 1]], [[9, 0], [0, 1], [1, 0]]]\n";
    Json claims = Json::array();
    for (const Counted& each : list) {
      toml += std::string("[[claim]]\nstatement = \"saturation\"\nthreshold = \"") + each.threshold + "\"\n" +
              (each.head < 0 ? "" : "head = " + std::to_string(each.head) + "\n");
      const int pairs = each.head < 0 ? 6 : 2;
      const auto step = [&](bool above) {
        return Json{{"rule", "ball"},
                    {"of", "saturated"},
                    {"side", above ? "above" : "below"},
                    {"count", above ? each.above : each.below},
                    {"precision", each.precision},
                    {"fact", above ? "saturated >= " + std::to_string(each.above)
                                   : "saturated <= " + std::to_string(pairs - each.below)}};
      };
      claims.push_back({{"statement", "saturation"}, {"steps", {step(true), step(false)}}});
    }
    const attest::Case source = case_of(toml);
    const attest::checker::Problem problem(source);
    return verdict(problem, certificate_of(problem, claims).dump());
  };
  // 1 / (1 + e^-1) begins with these digits: 64 bits do not decide, 128 do.
  const char* const near = "0.73105857863000487925115924";
  const std::vector<Counted> all = {{-1, "0.7", 96, 5, 1}, {0, "0.7", 96, 2, 0},  {1, "0.7", 96, 1, 1},
                                    {2, "0.7", 96, 2, 0},  {-1, "0.8", 96, 2, 4}, {0, "0.8", 96, 2, 0},
                                    {-1, near, 64, 2, 1},  {2, near, 64, 0, 0},   {2, near, 128, 2, 0},
                                    {-1, near, 128, 5, 1}, {1, near, 64, 0, 1}};
  CHECK(found(all).rfind("valid", 0) == 0);
  CHECK(found({all.rbegin(), all.rend()}).rfind("valid", 0) == 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    for (const bool above : {true, false}) {
      std::vector<Counted> more = all;
      ++(above ? more[i].above : more[i].below);
      check_rejected(found(more),
                     "claim " + std::to_string(i) + " (saturation): step " + (above ? "0" : "1"));
      check_rejected(found({more.rbegin(), more.rend()}), "pairs of head and example, found");
    }
  }
}

TEST_CASE("singular values above and below a tolerance") {
  check_changes({
      {"labelled", "/4/steps/0/side", "'left'", "above or below"},
      {"labelled", "/4/steps/0/bits", "65537", "at most 65536 bits"},
      {"labelled", "/4/steps/0/vectors", "[]", "expected a vector"},
      {"labelled", "/4/steps/0/vectors", "[['3']]", "expected "},
      {"labelled", "/4/steps/0/vectors", "[['3', '1/2']]", "expected "},
      // The square of a theta below 0 would do for everything.
      {"labelled", "/4/steps/1/bits", "0", "bits enough"},
      {"labelled", "/4/steps/1/bits", "2", "bits enough"},
      // A vector that is not stretched, or not shrunk, enough; 0; two where there is one; the same one twice.
      {"labelled", "/4/steps/0/vectors", "[['0', '1']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/vectors", "[['0', '0']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/vectors", "[['3', '1'], ['1', '-3']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/vectors", "[['3', '1'], ['3', '1']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/1/vectors", "[['1', '0']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/side", "'below'", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/bits", "0", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/fact", "'numerical_rank >= 2'", "the fact numerical_rank >= 1"},
      {"labelled", "/5/steps/0/vectors", "[['1', '0'], ['0', '1']]", "a diagonally dominant matrix"},
      {"projected", "/2/steps/0/vectors", "[['7', '8', '0', '0']]", "expected "},
      {"projected", "/2/steps/0/vectors", "[['8', '-7']]", "a diagonally dominant matrix"},
      {"projected", "/2/steps/1/vectors", "[['7', '8']]", "a diagonally dominant matrix"},
  });
  check_added({{"labelled", "/1",
                "{'rule': 'ball', 'of': 'numerical_rank', 'side': 'above', 'bits': 20, 'vectors': [['3', "
                "'1']], 'fact': 'numerical_rank >= 1'}",
                "a claim with tolerance"}});
  // Other weights: the largest singular value is 1 now, or the tolerance is just not exceeded.
  check_rejected(
      verdict_with_case("labelled", "[[2, 0]], [[0, 1]], [[2, 0]]", "[[0, 0]], [[0, 0]], [[0, 0]]"),
      "expected ");
  check_rejected(verdict_with_case("labelled", "tolerance = 1\n", "tolerance = \"1.3274\"\n"),
                 "a diagonally dominant matrix");
  check_rejected(verdict_with_case("labelled", "tolerance = 1\n", "tolerance = \"0.6519\"\n"),
                 "a diagonally dominant matrix");
}
