// Facts about Jacobians that are rejected, with the reason.
#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;

namespace {

void check_rejected(const std::string& found, const std::string& reason) {
  CAPTURE(reason);
  CAPTURE(found);
  CHECK(found.starts_with("rejected: "));
  CHECK(found.find(reason) != std::string::npos);
}

void check_change(const std::string& pointer, const std::string& value, const std::string& reason) {
  CAPTURE(pointer);
  CAPTURE(value);
  check_rejected(verdict_with("jacobian", pointer, json_of(value)), reason);
}

void check_added(const std::string& claim, const std::vector<std::string>& steps, const std::string& reason) {
  const auto add = [&](Json& claims) {
    for (const std::string& step : steps) claims[Json::json_pointer(claim)]["steps"].push_back(json_of(step));
  };
  check_rejected(verdict_after("jacobian", add), reason);
}

}  // namespace

TEST_CASE("minors of a Jacobian") {
  check_change("/0/steps/5/cols", "[0, 2, 4, 5, 7, 6]", "as many as rows");
  check_change("/0/steps/5/cols", "[0, 1, 4, 5, 6]",
               "a minor that is not 0 mod p");  // keys move one direction
  check_change("/0/steps/5/cols", "[0, 2, 4, 5, 8]", "expected ");
  check_change("/0/steps/5/rows", "[0, 1, 2, 3, 8]", "expected ");
  check_change("/0/steps/5/rows", "[0, 1, 2, 3, 3]", "expected ");
  check_change("/0/steps/5/rows", "[0, 2, 4, 6, 1]",
               "a minor that is not 0 mod p");  // a relation of examples
  check_change("/0/steps/5/fact", "'rank(J(given)) >= 6'", "the fact rank(J(given)) >= 5");
  check_change("/0/steps/5/g", "1", "g of order q");
  check_change("/0/steps/5/g", "8388286", "g of order q");
  check_change("/0/steps/5/p", "8388593", "(p - 1)/2 an odd prime");
  check_change("/1/steps/9/of", "'rank(J(7))'", "a layer that is given or of an earlier let");
  check_change("/1/steps/9/of", "'rank(J(given))'", "the fact rank(J(given)) >= 5");
  // Six rows of a matrix of rank 5.
  check_added(
      "/0",
      {"{'rule': 'minor', 'of': 'rank(J(given))', 'p': 8388287, 'g': 4848783, 'rows': [0, 1, 2, 3, 4, "
       "5], 'cols': [0, 2, 4, 5, 6, 7], 'fact': 'rank(J(given)) >= 6'}"},
      "a minor that is not 0 mod p");
  check_added("/1",
              {"{'rule': 'let', 'layer': {'heads': [{'key': [v(1 0 / 1)], 'query': [v(1 1 / 1)]}]}, 'fact': "
               "'let Z(14)'}",
               "{'rule': 'minor', 'of': 'rank(J(14))', 'p': 8388287, 'g': 4848783, 'rows': [0], 'cols': [0], "
               "'fact': 'rank(J(14)) >= 1'}"},
              "a layer of given or random weights");
}

TEST_CASE("a Jacobian of other weights") {
  // Denominators that vanish mod p.
  for (const auto& [from, to] : {std::pair{"readout = [[1, 0]", "readout = [[\"1/8388287\", 0]"},
                                 {"key = [[[1]", "key = [[[\"1/8388287\"]"},
                                 {"queries = [[1, 2]", "queries = [[\"1/8388287\", 2]"}}) {
    CAPTURE(to);
    check_rejected(verdict_with_case("jacobian", from, to), "expected ");
  }
  // No read-out: only the identity is none, and the means have two entries.
  const Case source = case_of(R"(format = 1
title = "no read-out"
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 1
examples = 1
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2]]
[weights]
key = [[[1], [0]]]
query = [[[1], [1]]]
[[claim]]
statement = "functional-dimension"
)");
  const checker::Problem problem(source);
  const Json claims = json_of(
      "[{'statement': 'functional-dimension', 'steps': [{'rule': 'minor', 'of': 'rank(J(given))', 'p': "
      "8388287, "
      "'g': 4848783, 'rows': [0], 'cols': [4], 'fact': 'rank(J(given)) >= 1'}]}]");
  check_rejected(verdict(problem, certificate_of(problem, claims).dump()), "a layer with a read-out");
  // A query bias: the weights are none of those that the functional dimension is about.
  check_rejected(verdict_with_case("jacobian", "readout = ", "query_bias = [[1]]\nreadout = "),
                 "in_shape(given) = 1");
}

TEST_CASE("bounds of Jacobians") {
  check_change("/0/steps/15/vectors", "[[[0, '1'], [2, '-1'], [3, '1']], [[0, '1'], [1, '1']]]", "J x = 0");
  check_change("/0/steps/15/vectors", "[[[0, '1'], [2, '-1'], [3, '-1']], [[0, '1'], [1, '1'], [4, '1']]]",
               "J x = 0");
  check_change("/0/steps/15/vectors", "[[[0, '1'], [1, '1']], [[0, '2'], [1, '2']]]", "independent mod p");
  check_change("/0/steps/15/vectors", "[[[0, [['1', '1']]], [1, [['1', '1']]]]]", "expected a string");
  check_change("/0/steps/15/side", "'left'", "the side right");
  check_change("/0/steps/15/fact", "'rank(J(given)) <= 5'", "the fact rank(J(given)) <= 6");
  check_change("/0/steps/8/vectors", "[[[0, '1'], [1, '-1'], [2, '1'], [3, '1']]]",
               "y Z = 0 for all weights");
  check_change("/0/steps/8/fact", "'largest_rank <= 2'", "the fact largest_rank <= 3");
  check_change("/0/steps/8/of", "'functional_dimension'", "a rule of the table and a quantity");
  check_change("/0/steps/9/uses", "[0, 8]", "the fact functional_dimension <= ");
  check_change("/0/steps/9/uses", "[3, 0, 6]", "facts about quantities of moving-directions");
  check_change("/0/steps/10/layer", "3", "a layer that is given or of an earlier let");
  check_change("/0/steps/12/fact", "'rank(J(given)) <= 6'", "the fact rank(J(given)) <= 7");
  check_change("/0/steps/14/fact", "'rank(J(given)) <= 4'", "the fact rank(J(given)) <= 8");
  check_change("/2/steps/2/fact", "'rank(exponents) <= 1'", "the fact rank(exponents) <= 2");
  check_change("/2/steps/3/rows", "[1, 3]", "a minor that is not 0 mod p");
  check_change("/2/steps/6/vectors", "[[[0, '1'], [2, '1']], [[1, '1'], [3, '-1']]]", "M x = 0");
  check_change("/2/steps/5/uses", "[0]", "that it is not shown");
}

TEST_CASE("a claim about a Jacobian does not say which outputs are right") {
  const std::string found = verdict_after("jacobian", [](Json& claims) {
    claims[0]["steps"].push_back(
        json_of("{'rule': 'ball', 'of': 'accurate', 'side': 'below', 'count': 1, 'precision': 64, 'fact': "
                "'accurate <= 1'}"));
  });
  CHECK(found.find("a claim with classes or epsilon") != std::string::npos);
}
