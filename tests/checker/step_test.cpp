// Every side condition of every step: the samples are the nearest valid certificates, these the nearest
// invalid ones.
#include <doctest/doctest.h>

#include "checker/check.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::checker;
using namespace attest::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Requires that a sample with one changed value is rejected in this way.
struct Rejects {
  const char* sample;
  std::string prefix;  ///< of JSON pointers
  void operator()(const std::string& pointer, const Json& value, const std::string& message) const {
    const std::string verdict = verdict_with(sample, prefix + pointer, value);
    CAPTURE(pointer);
    CAPTURE(verdict);
    CHECK(verdict.rfind("REJECTED: ", 0) == 0);
    CHECK(contains(verdict, message));
  }
};

Json text_json(const char* text) {
  return Json::parse(text);
}

void check_valid(const std::string& verdict) {
  CAPTURE(verdict);
  CHECK(verdict.rfind("valid (", 0) == 0);
}

void check_rejected(const std::string& verdict, const std::string& message) {
  CAPTURE(verdict);
  CHECK(verdict.rfind("REJECTED: ", 0) == 0);
  CHECK(contains(verdict, message));
}

}  // namespace

TEST_CASE("steps in general") {
  const Rejects step{"opposite", "/0/steps/0"};
  step("/argument", "affine", "step 0 (affine): expected an argument of this format, found affine");
  step("/argument", 1, "expected a string");
  step("/argument", "kruskal-lower", "expected a step that belongs to rank, found kruskal-lower");
  step("/argument", "construction", "expected a step that belongs to rank");
  step("/argument", "random", "expected a step that belongs to rank");
  step("/theorem", "lindemann-weierstrass", "expected the theorem affine-hull-bound");
  step("/more", 1, "expected only known keys, found the key \"more\"");
  check_rejected(verdict_after("opposite", [](Json& c) { c[0]["steps"].push_back(c[0]["steps"][3]); }),
                 "step 4 (character-minor): expected steps that differ");
  check_rejected(verdict_after("opposite", [](Json& c) { c[0]["steps"][0].erase("p"); }),
                 "expected the key \"p\"");
  check_rejected(verdict_after("opposite", [](Json& c) { c[0]["steps"][0].erase("theorem"); }),
                 "expected the key \"theorem\"");
  check_rejected(verdict_after("moment", [](Json& c) { c[3]["steps"].push_back(c[2]["steps"][0]); }),
                 "expected a step that belongs to assumption-2, found kruskal-lower");
}

TEST_CASE("character-minor") {
  const Rejects step{"opposite", "/0/steps/3"};
  step("/theorem", "base-2", "expected the theorem lindemann-weierstrass");
  step("/layer", "random", "expected a layer that rank is about, found random");
  step("/layer", "construction", "expected a layer that rank is about");
  step("/p", 1000918, "expected an odd prime p");
  step("/p", 1000003, "expected p with (p - 1)/2 prime");
  step("/p", 5, "softmax denominators that are not 0 mod p");  // 4 has order q = 2, but 1 + 4 = 0
  step("/p", 4294967087, "expected p < 2^31");
  step("/g", 1, "g of order q");
  step("/g", 0, "g of order q");
  step("/g", 1000918, "g of order q");      // order 2
  step("/g", 4 + 1000919, "g of order q");  // not reduced
  step("/rows", {0, 1, 1}, "expected distinct indices, found 1 twice");
  step("/rows", {0, 1, 4}, "expected an index below 4, found 4");
  step("/rows", {0, 1}, "expected as many columns as rows");
  step("/cols", {0, 1, 0}, "expected distinct indices");
  step("/cols", {0, 1, 6}, "expected an index below 6, found 6");
  // Columns of one head: (x, 1 - x) for three rows has rank 2. Four rows have rank 3.
  step("/rows", {0, 1, 2, 3}, "expected as many columns as rows");
  check_rejected(verdict_after("opposite",
                               [](Json& c) {
                                 c[0]["steps"][3]["rows"] = {0, 1, 2, 3};
                                 c[0]["steps"][3]["cols"] = {0, 1, 2, 4};
                               }),
                 "expected a minor that is not 0 mod p, found a singular one");
  check_rejected(verdict_after("opposite",
                               [](Json& c) {
                                 c[0]["steps"][3]["cols"] = {0, 1, 2};
                                 c[0]["steps"][3]["rows"] = {0, 1, 2};
                                 c[0]["steps"][3]["layer"] = "none";
                               }),
                 "expected a layer that rank is about, found none");
  // A smaller minor is a valid step, but does not prove the rank.
  check_rejected(verdict_after("opposite",
                               [](Json& c) {
                                 c[0]["steps"][3]["rows"] = {0, 1};
                                 c[0]["steps"][3]["cols"] = {0, 1};
                               }),
                 "expected result");
  // Base 2 needs g = 2 and p = 7 mod 8.
  const Rejects base_2{"scalar", "/0/steps/2"};
  base_2("/g", 4, "expected g = 2");
  base_2("/p", 1000667, "");
  base_2("/theorem", "gelfond-schneider", "expected the theorem base-2");
}

TEST_CASE("denominators that p or q divides") {
  // q = 500459. Queries and weights enter through q, tokens through p and q.
  const std::string sha_free = "denominators prime to";
  check_rejected(verdict_with_case("opposite", "[1, 2]", "[\"1/500459\", 2]"),
                 "another value in head");  // left kernel fails first
  const auto minor_only = [](const std::string& from, const std::string& to) {
    const Bench bench;
    Sample changed = sample("opposite");
    changed.toml.erase(changed.toml.find("[[claim]]\nstatement = \"rank\"\nvalue"));
    changed.toml += "[[claim]]\nstatement = \"rank\"\n";
    changed.toml.replace(changed.toml.find(from), from.size(), to);
    changed.claims = Json::array({changed.claims[2]});
    changed.claims[0]["index"] = 0;
    return bench.check(bench.certificate(changed));
  };
  check_valid(minor_only("[1, 2]", "[\"1/500461\", 2]"));
  check_rejected(minor_only("[1, 2]", "[\"1/500459\", 2]"), sha_free + " 500459");
  check_rejected(minor_only("key = [[[1,", "key = [[[\"1/500459\","), sha_free + " 500459");
  check_rejected(minor_only("query = [[[1,", "query = [[[\"1/500459\","), sha_free + " 500459");
  check_rejected(minor_only("[[1, 0], [0, 1]]", "[[\"1/500459\", 0], [0, 1]]"), sha_free + " 500459");
  check_rejected(minor_only("[[1, 0], [0, 1]]", "[[\"1/1000919\", 0], [0, 1]]"), sha_free + " 1000919");
  // p may divide denominators of queries and weights: they only occur in exponents.
  check_valid(minor_only("[1, 2]", "[\"1/1000919\", 2]"));
  check_rejected(verdict_with_case("scalar", "\"1/2\"", "\"1/500459\""), "");
  // Biases of queries enter, those of keys do not.
  check_rejected(
      minor_only("[[claim]]",
                 "key_bias = [[0,0],[0,0],[0,0]]\nquery_bias = [[\"1/500459\",0],[0,0],[0,0]]\n[[claim]]"),
      "denominator prime to 500459");
}

TEST_CASE("a softmax denominator that vanishes mod p") {
  // p = 7, q = 3, g = 2: 2^0 + 2^1 + 2^2 = 0 mod 7.
  const char* const toml = R"(format = 1
title = "zero denominator"
[layer]
heads = 1
context = 3
embed_dim = 3
head_dim = 3
examples = 1
[data]
contexts = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
queries = [[0, 1, 2]]
[weights]
combined = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]]
[[claim]]
statement = "rank"
)";
  const Json claims = text_json(R"([{"index": 0, "statement": "rank", "verdict": "verified",
    "result": {"bounds": {"paper_lower": 1, "affine_hull": 1}, "rank": {"lower": 1, "upper": 1}},
    "steps": [{"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens",
               "tokens": [[0, 0], [0, 1], [0, 2]], "bound": 3},
              {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "given", "p": 7, "g": 2,
               "rows": [0], "cols": [0]}]}])");
  const Bench bench;
  check_rejected(bench.check(bench.certificate({"zero", toml, claims})),
                 "expected softmax denominators that are not 0 mod p, found one that is 0 in row 0");
  Sample other{"other", toml, claims};
  other.toml.replace(other.toml.find("[[0, 1, 2]]"), 11, "[[0, 1, 1]]");
  check_valid(bench.check(bench.certificate(other)));
}

TEST_CASE("solutions of F7") {
  const Rejects step{"solutions", "/0/steps/3"};
  const Json right = sample("solutions").claims[0]["steps"][3]["solutions"];
  REQUIRE(right.size() == 7);
  step("/solutions/0/0", (right[0][0].get<std::uint64_t>() + 1) % 1000919,
       "expected solutions x_j with A x_j = b_j");
  step("/solutions/6/2", 1000919, "expected an index below 1000919");
  step("/solutions/3", right[2], "expected solutions x_j with A x_j = b_j");
  step("/solutions/0", {1, 2}, "expected an array of 3 entries");
  Json list = right;
  list.erase(6);
  step("/solutions", list, "expected an array of 7 entries, found 6 entries");
  list = right;
  list.push_back(right[6]);
  step("/solutions", list, "expected an array of 7 entries, found 8 entries");
  step("/solutions", Json::array(), "expected an array of 7 entries");

  // Each ingredient of the hash matters: solutions for one statement do not fit another.
  step("/g", 16, "expected solutions");
  step("/rows", {1, 0, 2}, "expected solutions");
  step("/cols", {1, 0, 2}, "expected solutions");
  check_rejected(verdict_with_case("solutions", "opposite queries", "another title"), "expected solutions");
  check_rejected(verdict_after("solutions", [](Json& c) { c[2]["steps"].push_back(c[0]["steps"][3]); }),
                 "expected solutions");
  check_rejected(verdict_with("solutions", "/5/steps/1/seed", 2), "expected solutions");

  // The policy decides what is used.
  const Bench bench;
  const Json with = bench.certificate(sample("solutions")), without = bench.certificate(sample("opposite"));
  const auto note = [&](const Json& certificate, Minors minors, std::size_t limit) {
    CheckPolicy policy;
    policy.minors = minors;
    policy.elimination_limit = limit;
    return check_certificate(bench.write(certificate), policy).claims[0].steps[3].note;
  };
  CHECK(note(with, Minors::automatic, 3) == "elimination");
  CHECK(note(with, Minors::probabilistic, 3) == "7 solutions, error below 2^-128");
  CHECK(note(without, Minors::probabilistic, 3) == "elimination");
  CHECK(note(without, Minors::deterministic, 2) == "elimination");
  CHECK_THROWS_AS(note(with, Minors::automatic, 2), LimitError);  // claim 2 has no solutions
  CHECK_THROWS_AS(note(without, Minors::automatic, 2), LimitError);
  // A singular minor is rejected by elimination and has no solutions either.
  CheckPolicy probabilistic;
  probabilistic.minors = Minors::probabilistic;
  const auto singular = [](Json& c) {
    c[0]["steps"][3]["rows"] = {0, 1, 2, 3};
    c[0]["steps"][3]["cols"] = {0, 1, 2, 4};
    for (Json& solution : c[0]["steps"][3]["solutions"]) solution.push_back(0);
  };
  check_rejected(verdict_after("solutions", singular, probabilistic), "expected solutions");
}

TEST_CASE("random") {
  const Rejects step{"opposite", "/5/steps/1"};
  step("/kind", "rationals", "expected the kind integers");
  step("/kind", 1, "expected a string");
  step("/bound", 0, "expected a bound from 1 to 2^62");
  step("/bound", (std::uint64_t{1} << 62) + 1, "expected a bound from 1 to 2^62");
  step("/seed", -1, "expected an integer >= 0");
  step("/seed", std::uint64_t{1} << 63, "expected a seed below 2^63");
  check_rejected(verdict_after("opposite",
                               [](Json& c) {
                                 Json second = c[5]["steps"][1];
                                 second["seed"] = 2;
                                 c[5]["steps"].push_back(second);
                               }),
                 "expected one step random");
  check_rejected(verdict_after("opposite", [](Json& c) { c[5]["steps"].erase(1); }),
                 "expected a step that defines the layer random before this one, found none");
  check_rejected(verdict_after("opposite", [](Json& c) { std::swap(c[5]["steps"][1], c[5]["steps"][2]); }),
                 "expected a step that defines the layer random before this one");
  // One claim, one layer.
  check_rejected(verdict_after("opposite", [](Json& c) { c[5]["steps"].push_back(c[0]["steps"][2]); }),
                 "expected one layer in all steps of a claim: random, found given");
}

TEST_CASE("affine-hull by functionals") {
  const Rejects step{"opposite", "/0/steps/0"};
  step("/witness", "none", "expected the witness functionals or tokens");
  step("/functionals/0/c", "1", "expected functional 0 equal to 1 on every token, found 1/2");
  step("/functionals/0/v/num/0", "2", "expected functional 0 equal to 1/2");
  step("/functionals/0/v/den", "3", "expected functional 0");
  step("/functionals/0/v/den", "0", "expected a positive denominator");
  step("/functionals/0/v/num", {"1"}, "expected an array of 2 entries");
  step("/functionals/0/more", 1, "expected only known keys");
  step("/functionals", Json::array(), "expected bound 7");
  step("/functionals", {{{"v", {{"den", "1"}, {"num", {"0", "0"}}}}, {"c", "0"}}},
       "functionals that are independent mod p");
  step("/p", 1000004, "expected a prime below 2^62");
  step("/p", 2, "denominators prime to 2");
  step("/bound", 3, "expected bound 4, found 3");
  step("/bound", 5, "expected bound 4, found 5");
  // The same functional twice, or a multiple of it.
  check_rejected(
      verdict_after("opposite",
                    [](Json& c) {
                      Json& list = c[0]["steps"][0]["functionals"];
                      list.push_back(text_json(R"({"v": {"den": "1", "num": ["3", "3"]}, "c": "3"})"));
                      c[0]["steps"][0]["bound"] = 1;
                    }),
      "functionals that are independent mod p");
  // The + 1 goes only when every c is 0: here it is 1/2.
  step("/bound", 3, "expected bound 4");
}

TEST_CASE("affine-hull: a linear hull loses the + 1") {
  const char* const toml = R"(format = 1
title = "a linear hull"
[layer]
heads = 2
context = 2
embed_dim = 3
head_dim = 1
examples = 6
[data]
contexts = [[1, -1, 0], [0, 2, -2]]
queries = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]]
[[claim]]
statement = "affine-hull-bound"
)";
  const Json claims = text_json(R"([{"index": 0, "statement": "affine-hull-bound", "verdict": "verified",
    "result": {"bounds": {"paper_lower": 1, "affine_hull": 4}},
    "steps": [{"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "functionals",
               "functionals": [{"v": {"den": "1", "num": ["1", "1", "1"]}, "c": "0"}], "p": 7, "bound": 4}]}])");
  const Bench bench;
  check_valid(bench.check(bench.certificate({"linear", toml, claims})));
  Sample shifted{"shifted", toml, claims};
  shifted.toml.replace(shifted.toml.find("[0, 2, -2]"), 10, "[0, 2, -1]");
  check_rejected(bench.check(bench.certificate(shifted)),
                 "expected functional 0 equal to 0 on every token, found 1");
}

TEST_CASE("affine-hull by tokens") {
  const Rejects step{"opposite", "/1/steps/0"};
  step("/tokens", {{0, 0}}, "expected every token in the list, found another one at example 0");
  step("/tokens", Json::array(), "expected every token in the list");
  step("/tokens", {{0, 0}, {1, 0}, {0, 1}}, "expected tokens that differ, found equal ones");
  step("/tokens", {{0, 0}, {0, 2}}, "expected an index below 2, found 2");
  step("/tokens", {{0, 0}, {4, 1}}, "expected an index below 4, found 4");
  step("/tokens/0", {0, 0, 0}, "expected an array of 2 entries");
  step("/bound", 3, "expected bound 4, found 3");
  step("/p", 7, "expected only known keys");
}

TEST_CASE("token-minor") {
  const Rejects step{"opposite", "/0/steps/1"};
  step("/tokens/1", {1, 0}, "expected a minor that is not 0 mod p");  // the first token again
  step("/cols", {0, 3}, "expected an index below 3");
  step("/cols", {0, 0}, "expected distinct indices");
  step("/cols", {0}, "expected an array of 1 entries, found 2");
  step("/affine", false, "expected an index below 2, found 2");
  step("/affine", 1, "expected true or false");
  step("/p", 4, "expected a prime below 2^62");
  step("/p", Json(9223372036854775783ULL), "expected a prime below 2^62");
}

TEST_CASE("structure") {
  const Rejects step{"equal", "/0/steps/1"};
  step("/bound", 1, "expected bound 2, found 1");
  step("/bound", 3, "expected bound 2, found 3");
  step("/distinct", {0, 1}, "expected every head in one place, found head 1 in 2");
  step("/distinct", {0, 0}, "expected distinct indices");
  step("/equal", Json::array(), "expected every head in one place, found head 1 in 0");
  step("/equal", {{0, 1}, {2, 1}}, "expected every head in one place, found head 1 in 2");
  step("/equal", {{1, 0}}, "expected pairs whose first head is distinct or constant");
  step("/equal", {{0, 3}}, "expected an index below 3");
  step("/constant", Json::array(), "expected every head in one place, found head 2 in 0");
  check_rejected(verdict_after("equal",
                               [](Json& c) {
                                 c[0]["steps"][1]["constant"] = Json::array();
                                 c[0]["steps"][1]["equal"] = {{0, 1}, {0, 2}};
                               }),
                 "expected equal heads 0 and 2, found different coefficients at example 0");
  check_rejected(verdict_after("equal",
                               [](Json& c) {
                                 c[0]["steps"][1]["constant"] = {2, 1};
                                 c[0]["steps"][1]["equal"] = Json::array();
                               }),
                 "expected a constant head 1, found other coefficients at example 1");
  check_rejected(verdict_after("equal", [](Json& c) { c[0]["steps"].erase(0); }),
                 "expected an affine-hull step before this one");
  check_rejected(verdict_after("equal", [](Json& c) { std::swap(c[0]["steps"][0], c[0]["steps"][1]); }),
                 "expected an affine-hull step before this one");
  check_rejected(verdict_with_case("equal", "[[1, 3], [0, 5]]", "[[1, 3], [0, 6]]"),
                 "expected equal heads 0 and 1");
  check_rejected(verdict_with_case("equal", "[[0, 0], [0, 0]]", "[[0, 0], [0, 1]]"),
                 "expected a constant head 2");
  // Constant heads are constant vectors only when the context is shared.
  check_rejected(verdict_with_case("equal", "[[1, 0], [0, 1]]",
                                   "[[[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]]"),
                 "expected constant heads for shared contexts only");
  // Contexts that are given T times but equal are shared.
  check_valid(verdict_with_case("equal", "[[1, 0], [0, 1]]",
                                "[[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]"));
}

TEST_CASE("right-kernel") {
  const Rejects step{"equal", "/1/steps/1"};
  step("/bound", 1, "expected bound 2, found 1");
  step("/theorem", "equal-and-constant-heads", "expected the theorem lindemann-weierstrass");
  step("/vectors/0/entries/0/1", text_json(R"([["2", "0"]])"), "expected Z x = 0 for vector 0");
  step("/vectors/0/entries/0/1", text_json(R"([["1", "1"]])"), "expected Z x = 0 for vector 0");
  step("/vectors/0/entries/0/0", 1, "expected Z x = 0 for vector 0");
  step("/vectors/0/entries/1/0", 0, "expected increasing positions");
  step("/vectors/0/entries/1/0", 6, "expected an index below 6");
  step("/vectors/0/more", 1, "expected only known keys");
  step("/vectors/3/entries", sample("equal").claims[1]["steps"][1]["vectors"][0]["entries"],
       "expected kernel vectors that are independent mod p");
  step("/vectors/3/entries", Json::array(), "expected kernel vectors that are independent mod p");
  step("/vectors/3/entries/2/1/0/0", "-5/2", "expected Z x = 0 for vector 3");
  step("/p", 1000003, "expected p with (p - 1)/2 prime");
  step("/g", 1000918, "g of order q");
  step("/vectors/0/entries/0/1", text_json(R"([["1/1000919", "0"]])"),
       "expected a denominator prime to 1000919");
  step("/vectors/1/entries/0/1", text_json(R"([["1", "1/500459"]])"),
       "expected a denominator prime to 500459");
  check_rejected(verdict_after("equal", [](Json& c) { c[1]["steps"][1]["vectors"].erase(3); }),
                 "expected bound 3, found 2");
  // The irrational scale: the exponent of b is the logit without it.
  const Rejects irrational{"irrational", "/0/steps/1"};
  irrational("/vectors/0/entries/1/1/0/1", "4/3", "expected Z x = 0");
  irrational("/theorem", "base-2", "expected the theorem gelfond-schneider");
  check_rejected(verdict_with_case("irrational", "1/sqrt(2)", "1/sqrt(4)"), "expected the theorem base-2");
  check_rejected(verdict_with_case("irrational", "\"2\"", "\"e\""),
                 "expected the theorem lindemann-weierstrass");
  check_rejected(verdict_with_case("irrational", "queries = [[1, 1], [1, 1]]", "queries = [[1, 1], [1, 0]]"),
                 "in row 1");
}

TEST_CASE("left-kernel") {
  const Rejects step{"opposite", "/0/steps/2"};
  step("/bound", 2, "expected bound 3, found 2");
  step("/vectors/0/entries/0/1", text_json(R"([["2", "0"]])"),
       "expected y^T Z = 0 for vector 0, found another value in head 0");
  step("/vectors/0/entries/0/1", text_json(R"([["1", "1"]])"), "expected y^T Z = 0");
  step("/vectors/0/entries/3/0", 4, "expected an index below 4");
  step("/vectors/0/entries/1/0", 0, "expected increasing positions");
  step("/vectors/0/entries", Json::array(), "expected kernel vectors that are independent");
  check_valid(verdict_with("opposite", "/0/steps/2/vectors/0/entries/0/1",
                           text_json(R"([["1", "0"], ["1", "2"], ["-1", "2"]])")));
  check_rejected(verdict_with_case("opposite", "[\"-3/2\", -1]", "[\"-3/2\", 1]"),
                 "expected y^T Z = 0 for vector 0");
  // With the relation e1 = -e0 only in the first head the identity fails in another one.
  check_rejected(verdict_with_case("scalar", "\"1/2\"", "\"1/3\""), "expected y^T Z = 0");
  const Rejects scalar{"scalar", "/0/steps/1"};
  scalar("/vectors/0/entries/0/1/3/1", "4", "expected y^T Z = 0");
  // 2 * 2^(5/2) = 2^(7/2): another way to write the same is as good.
  check_valid(verdict_with("scalar", "/0/steps/1/vectors/0/entries/0/1/2", {"1", "7/2"}));
  CheckPolicy few;
  few.max_terms = 10;
  const std::string verdict = verdict_after(
      "opposite", [](Json&) {}, few);
  CHECK(contains(verdict,
                 "LIMIT: claim 0 (rank), step 2 (left-kernel): the expansion of a kernel identity exceeds "
                 "the limit of 10"));
}

TEST_CASE("kruskal-lower") {
  const Rejects step{"moment", "/0/steps/0"};
  step("/k", 4, "expected independent queries mod p in every subset of 4");
  step("/k", 6, "expected k <= 5, found 6");
  step("/p", 1000004, "expected a prime below 2^62");
  step("/p", 2, "expected independent queries mod p in every subset of 3");
  step("/p", Json(std::uint64_t{1} << 62), "expected a prime below 2^62");
  step("/method", "all", "expected the method subsets or dual");
  const Rejects dual{"moment", "/1/steps/0"};
  dual("/k", 4, "expected independent queries mod p in every subset of 4");
  dual("/p", 3, "expected independent queries mod p in every subset of 3");
  check_rejected(verdict_with_case("moment", "[1, 5, 25]", "[2, 6, 18]"), "expected independent queries");
  check_rejected(verdict_with_case("moment", "[1, 5, 25]", "[0, 0, 0]"), "expected independent queries");
  // A denominator that p divides is no obstacle: queries are made primitive.
  check_valid(verdict_with_case("moment", "[1, 5, 25]", "[\"1/101\", \"5/101\", \"25/101\"]"));
}

TEST_CASE("kruskal-upper and subset-dependent") {
  const Rejects step{"dependent", "/0/steps/0"};
  step("/relation", {"1", "-3"}, "expected a combination of the queries that is 0");
  step("/relation", {"0", "0"}, "expected factors that are not 0");
  step("/relation", {"1"}, "expected an array of 2 entries");
  step("/relation", {"1/2", "3/2"}, "expected an integer");
  step("/relation", {1, 3}, "expected a string");
  step("/subset", {1, 1}, "expected distinct indices");
  step("/subset", {1, 4}, "expected an index below 4");
  step("/subset", {0, 3}, "expected a combination of the queries that is 0");
  check_rejected(verdict_after("dependent",
                               [](Json& c) {
                                 c[0]["steps"][0]["subset"] = Json::array();
                                 c[0]["steps"][0]["relation"] = Json::array();
                               }),
                 "expected a subset that is not empty");
  // Three of them are dependent as well: a valid step, a weaker bound.
  check_rejected(verdict_after("dependent",
                               [](Json& c) {
                                 c[0]["steps"][0]["subset"] = {0, 1, 2};
                                 c[0]["steps"][0]["relation"] = {"1", "-1", "2"};
                               }),
                 "expected result");
  check_rejected(verdict_after("dependent",
                               [](Json& c) {
                                 c[8]["steps"][0]["subset"] = {0, 1, 2};
                                 c[8]["steps"][0]["relation"] = {"1", "-1", "2"};
                               }),
                 "expected members of the claim's subset, found 0");
  Rejects{"dependent", "/8/steps/0"}("/relation", {"1", "2"},
                                     "expected a combination of the queries that is 0");
}

TEST_CASE("contexts") {
  Rejects{"moment", "/3/steps/0"}("/p", 100, "expected a prime below 2^62");
  check_rejected(verdict_with_case("moment", "[[1, 0, 0], [0, 1, 0]]", "[[1, 0, 0], [102, 0, 0]]"),
                 "contexts of rank n mod p");
  check_rejected(verdict_with_case("moment", "[[1, 0, 0], [0, 1, 0]]", "[[1, 0, 0], [0, \"1/101\", 0]]"),
                 "denominators prime to 101");
  const Rejects dependent{"dependent", "/3/steps/0"};
  dependent("/relation", {"0", "0"}, "expected a factor that is not 0");
  dependent("/relation", {"2", "1"}, "expected a combination of the tokens that is 0");
  dependent("/relation", {"2", "-1", "0"}, "expected an array of 2 entries");
  dependent("/example", 0, "expected a combination of the tokens that is 0");
  dependent("/example", 4, "expected an index below 4");
  const Rejects subset{"dependent", "/9/steps/0"};
  subset("/example", 2, "expected a combination of the tokens that is 0");
  check_rejected(verdict_with_case("dependent", "subset = [0, 1]\n", "subset = [0, 2]\n"),
                 "expected an example of the claim's subset");
  const Rejects differ{"dependent", "/4/steps/0"};
  differ("/example", 2, "expected an entry that differs from that of context 0");
  differ("/example", 0, "expected an entry that differs");
  differ("/token", 2, "expected an index below 2");
  differ("/coordinate", 0, "expected an entry that differs");
  const Rejects sums{"dependent", "/5/steps/0"};
  sums("/second", {0, 1}, "expected tokens with different sums");
  sums("/first", {0, 2}, "expected an index below 2");
}

TEST_CASE("arithmetic") {
  check_rejected(
      verdict_after("theorem",
                    [](Json& c) {
                      c[0]["steps"].push_back({{"argument", "too-many-examples"}, {"theorem", "arithmetic"}});
                    }),
      "expected more than 3 examples, found 3");
  check_rejected(
      verdict_after("theorem",
                    [](Json& c) {
                      c[2]["steps"].push_back({{"argument", "subset-too-large"}, {"theorem", "arithmetic"}});
                    }),
      "expected a subset of more than 2, found 2");
  check_rejected(
      verdict_after("theorem",
                    [](Json& c) {
                      c[3]["steps"].push_back({{"argument", "subset-too-large"}, {"theorem", "arithmetic"}});
                    }),
      "expected a subset of more than 1, found 1");
  Rejects{"dependent", "/7/steps/0"}("/T", 4, "expected only known keys");
}

TEST_CASE("construction") {
  const Rejects step{"theorem", "/0/steps/3"};
  const Json heads = sample("theorem").claims[0]["steps"][3]["heads"];
  step("/heads/0/fresh", {0, 1, 2}, "expected at most 2 fresh examples in head 0, found 3");
  step("/heads/1/fresh", {2, 1}, "expected at most 1 fresh examples in head 1, found 2");
  step("/heads/0/fresh", {0, 0}, "expected distinct indices");
  step("/heads/1/fresh", {0}, "expected fresh examples that are not rows of earlier heads, found 0 again");
  step("/heads/0/fresh", {0}, "expected an array of 1 entries");
  step("/heads/0/logits/0/0", "2", "expected logit 1 at example 0, found 2");
  step("/heads/0/key/1/num/0", "1", "expected logit 1 at example 1, found 0");
  step("/heads/0/query/0/den", "2", "expected logit 1/2 at example 0, found 1");
  step("/heads/1/separator/v/num/1", "1", "expected logit 7 at example 2, found 1");
  step("/heads/1/separator/u/num/1", "1",
       "expected different entries of E_t u, found equal ones at example 0");
  step("/heads/1/rows", {1}, "expected rows that are not those of earlier heads");
  step("/heads/1/rows", Json::object(), "expected an array");
  step("/heads/1/cols", {1}, "expected columns of head 1, found 1");
  step("/heads/1/cols", {2, 3}, "expected as many columns as rows");
  step("/heads/0/rank_before", 1, "expected rank_before 0");
  step("/heads/1/rank_after", 2, "expected rank_after 3");
  step("/heads", Json::array({heads[0]}), "expected an array of 2 entries");
  step("/heads/0/more", 1, "expected only known keys");
  step("/heads/1/separator/more", 1, "expected only known keys");
  // v = 0: the logits are right, but nothing is separated.
  step("/heads/1/separator/v/num", {"0", "0"}, "expected v . e_t != 0 at the earlier row 0");
  // lambda = 0 hides that v . e_t != 0 at the fresh example.
  check_rejected(verdict_after("theorem",
                               [](Json& c) {
                                 c[0]["steps"][3]["heads"][1]["separator"]["lambda"] = "0";
                                 c[0]["steps"][3]["heads"][1]["separator"]["v"]["num"] = {"1", "1"};
                               }),
                 "expected v . e_t = 0 at the fresh example 2");
  // The rank of the weights: two terms and a separator need d_h = 3.
  check_rejected(verdict_after("theorem",
                               [](Json& c) {
                                 c[0]["steps"][3]["heads"][0]["separator"] =
                                     c[0]["steps"][3]["heads"][1]["separator"];
                               }),
                 "expected weights of rank at most 2, found 3 terms");
  // Fresh examples must be among the rows.
  check_rejected(verdict_after("theorem",
                               [](Json& c) {
                                 c[0]["steps"][3]["heads"][0]["rows"] = {0, 2};
                                 c[0]["steps"][3]["heads"][1]["rows"] = {1};
                               }),
                 "expected fresh examples among the rows, found 1");
  check_rejected(verdict_after("theorem",
                               [](Json& c) {
                                 Json second = c[0]["steps"][3];
                                 second["heads"][1]["separator"]["lambda"] = "4";
                                 c[0]["steps"].push_back(second);
                               }),
                 "expected one step construction");
  // Equal queries with equal logits satisfy every identity, but their examples are not independent.
  check_rejected(verdict_with_case("theorem", "[[1, 0], [0, 1], [1, 1]]", "[[1, 0], [1, 0], [1, 1]]"), "");
  const auto equal_queries = [](Json& c) {
    Json& head = c[0]["steps"][3]["heads"][0];
    head["logits"] = text_json(R"([["1", "0"], ["1", "0"]])");
    head["key"][0]["num"] = {"1", "0"};
    head["key"][1]["num"] = {"0", "0"};
    c[0]["steps"].erase(0);  // the Kruskal rank is 1 then
  };
  const Bench bench;
  Sample equal = sample("theorem");
  equal.toml.replace(equal.toml.find("queries = [[1, 0], [0, 1]"), 25, "queries = [[1, 0], [1, 0]");
  equal_queries(equal.claims);
  check_rejected(bench.check(bench.certificate(equal)),
                 "expected fresh queries that are independent mod 2^61 - 1");
}

TEST_CASE("the minor of a construction") {
  const Rejects step{"theorem", "/0/steps/4"};
  step("/rows", {0, 1}, "expected as many columns as rows");
  step("/rows", {1, 0, 2}, "expected the rows of the construction, in order, found 1 0 2");
  step("/cols", {0, 1, 3}, "expected the columns of the construction, in order, found 0 1 3");
  step("/layer", "given", "expected a layer that theorem-1 is about, found given");
  step("/theorem", "gelfond-schneider", "expected the theorem lindemann-weierstrass");
  check_rejected(verdict_after("theorem", [](Json& c) { std::swap(c[0]["steps"][3], c[0]["steps"][4]); }),
                 "expected a step that defines the layer construction before this one");
  // A leading block that is singular: head 0 with zero weights has equal rows for both examples.
  const auto idle = [](Json& c) {
    Json& head = c[1]["steps"][2]["heads"][0];
    head["logits"] = text_json(R"([["0", "0"], ["0", "0"]])");
    head["key"][0]["num"] = {"0", "0"};
    head["key"][1]["num"] = {"0", "0"};
  };
  check_rejected(verdict_after("theorem", idle), "expected a minor that is not 0 mod p");
}

TEST_CASE("read-out by enclosure") {
  const Rejects step{"theorem", "/0/steps/5"};
  step("/cols", {0, 1, 3}, "expected the columns of the minor, found 0 1 3");
  step("/cols", {0, 1}, "expected the columns of the minor");
  step("/cols", {1, 0, 2}, "expected weights within their balls");
  step("/precision", 0, "expected a precision of at least 1 bit");
  step("/weights/0/0/mid", "18.0515056116620614",
       "expected weights within their balls, found weight [0, 0] outside");
  step("/weights/1/0/rad", "-1e-20", "expected a radius >= 0");
  step("/weights/1/0/rad", "0", "expected weights within their balls, found weight [1, 0] outside");
  step("/weights/1/0/more", "0", "expected only known keys");
  step("/weights/0", Json::array(), "expected an array of 1 entries");
  step("/weights", Json::array(), "expected an array of 3 entries");
  check_valid(verdict_with("theorem", "/0/steps/5/precision", 1));
  check_valid(verdict_with("theorem", "/0/steps/5/weights/0/0", {{"mid", "18"}, {"rad", "1/10"}}));
  check_rejected(verdict_after("theorem", [](Json& c) { std::swap(c[0]["steps"][4], c[0]["steps"][5]); }),
                 "expected a character-minor of all T rows before this step, found 0 rows");
  check_rejected(
      verdict_with_case("theorem", "labels = [[1], [2], [-1]]", "labels = [[1], [2], [\"-1.0000001\"]]"),
      "expected weights within their balls");
  check_rejected(verdict_with_case("theorem", "labels = [[1], [2], [-1]]\n", ""),
                 "expected labels in the case, found none");
  CheckPolicy small;
  small.readout_limit = 2;
  CHECK(contains(verdict_after(
                     "theorem", [](Json&) {}, small),
                 "LIMIT: claim 0 (theorem-1), step 5 (readout-enclosure): a read-out of 3 examples"));
  CHECK(contains(verdict_with("theorem", "/0/steps/5/precision", 1000000000), "LIMIT: "));
  CHECK(contains(verdict_with("theorem", "/0/steps/5/precision", Json(18446744073709551615ULL)), "LIMIT: "));
}

TEST_CASE("exact read-out") {
  const Rejects step{"theorem-2", "/0/steps/5"};
  step("/weights/0/0", "421/43", "expected Z U = Y");
  step("/weights/0/0", "-421/430", "expected Z U = Y");
  step("/cols", {0, 1, 2}, "expected Z U = Y, found output [0, 0]");
  step("/cols", {1, 0, 3}, "expected the columns of the minor");
  step("/weights/0", {"1", "2"}, "expected an array of 1 entries");
  step("/theorem", "nonsingular-minor-and-enclosure", "expected the theorem exact-solution");
  check_rejected(verdict_with_case("theorem-2", "[2], [-1]]", "[2], [1]]"),
                 "expected Z U = Y, found output [2, 0] = -1");
  // Not in base e, and only with integer logits.
  check_rejected(
      verdict_after("theorem", [](Json& c) { c[0]["steps"][5] = sample("theorem-2").claims[0]["steps"][5]; }),
      "expected base 2");
  check_rejected(verdict_with("theorem-2", "/0/steps/3/heads/1/separator/lambda", "5/2"),
                 "expected integer logits");
}

TEST_CASE("weights of Claim 1") {
  const Rejects step{"theorem", "/2/steps/0"};
  step("/right_inverses/0/0/num/0", "2", "expected E_t R = I at example 0");
  step("/right_inverses/1/1/den", "1", "expected E_t R = I at example 1, found another entry [1, 1]");
  step("/right_inverses/1", Json::array(), "expected an array of 2 entries");
  step("/right_inverses", Json::array(), "expected an array of 2 entries");
  step("/left_inverse/0/num/1", "1",
       "expected L_k . e_t' = [t = t'], found another value for members 0 and 1");
  step("/left_inverse/1/num/1", "2", "expected L_k . e_t' = [t = t']");
  step("/left_inverse/0/num", {"1"}, "expected an array of 2 entries");
  step("/u", 1, "expected only known keys");
  check_rejected(verdict_with_case("theorem", "subset = [0, 1]", "subset = [0, 2]"),
                 "expected L_k . e_t' = [t = t']");
}

TEST_CASE("weights of Claim 2") {
  const Rejects step{"theorem", "/3/steps/1"};
  step("/v/num", {"1", "1"}, "expected v . e_t = 0 at the member 0, found 1");
  step("/v/num", {"0", "0"}, "expected different entries of E_t u v . e_t, found equal ones at example 1");
  step("/u/num", {"1", "1"}, "expected different entries of E_t u v . e_t, found equal ones at example 1");
  step("/lambda", "4", "expected 2 (n - 1) b^(s - lambda gamma) <= epsilon, found more at example 2");
  step("/lambda", "-5", "expected 2 (n - 1) b^(s - lambda gamma) <= epsilon");
  step("/left_inverse/0/den", "2", "expected L_k . e_t'");
  check_valid(verdict_with("theorem", "/3/steps/1/lambda", "41/10"));
  check_rejected(verdict_with_case("theorem", "epsilon = \"1/10\"", "epsilon = \"1/30\""),
                 "<= epsilon, found more at example 2");
  check_rejected(verdict_with_case("theorem", "epsilon = \"1/10\"", "epsilon = \"1/200\""),
                 "<= epsilon, found more at example 1");
  check_rejected(verdict_with_case("theorem", "[[\"1/4\", \"3/4\"]]", "[[\"1/99\", \"98/99\"]]"),
                 "<= epsilon, found more at example 2");
}
