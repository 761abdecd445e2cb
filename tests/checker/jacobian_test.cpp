// Facts about Jacobians that are rejected, with the reason.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("minors of a Jacobian") {
  check_changes({
      {"jacobian", "/0/steps/5/cols", "[0, 2, 4, 5, 7, 6]", "as many as rows"},
      {"jacobian", "/0/steps/5/cols", "[0, 1, 4, 5, 6]",
       "a minor that is not 0 mod p"},  // keys move one direction
      {"jacobian", "/0/steps/5/cols", "[0, 2, 4, 5, 8]", "expected "},
      {"jacobian", "/0/steps/5/rows", "[0, 1, 2, 3, 8]", "expected "},
      {"jacobian", "/0/steps/5/rows", "[0, 1, 2, 3, 3]", "expected "},
      {"jacobian", "/0/steps/5/rows", "[0, 2, 4, 6, 1]",
       "a minor that is not 0 mod p"},  // a relation of examples
      {"jacobian", "/0/steps/5/fact", "'rank(J(given)) >= 6'", "the fact rank(J(given)) >= 5"},
      {"jacobian", "/0/steps/5/g", "1", "g of order q"},
      {"jacobian", "/0/steps/5/g", "8388286", "g of order q"},
      {"jacobian", "/0/steps/5/p", "8388593", "(p - 1)/2 an odd prime"},
      {"jacobian", "/1/steps/9/of", "'rank(J(7))'", "a layer that is given or of an earlier let"},
      {"jacobian", "/1/steps/9/of", "'rank(J(given))'", "the fact rank(J(given)) >= 5"},
  });
  check_added({
      // Six rows of a matrix of rank 5.
      {"jacobian", 0,
       step("minor", "rank(J(given)) >= 6",
            "'p': 8388287, 'g': 4848783, 'rows': [0, 1, 2, 3, 4, 5], 'cols': [0, 2, 4, 5, 6, 7]"),
       "a minor that is not 0 mod p"},
      {"jacobian", 1,
       "[{'rule': 'let', 'layer': {'heads': [{'key': [v(1 0 / 1)], 'query': [v(1 1 / 1)]}]}, 'fact': 'let "
       "Z(13)'}, " +
           step("minor", "rank(J(13)) >= 1", "'p': 8388287, 'g': 4848783, 'rows': [0], 'cols': [0]") + "]",
       "a layer of given or random weights"},
      // Which outputs are right is no question of this claim.
      {"jacobian", 0, step("ball", "accurate <= 1", "'side': 'below', 'count': 1, 'precision': 64"),
       "a claim with classes or epsilon"},
  });
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
  const Json claims = json_of(
      "[{'statement': 'functional-dimension', 'steps': [" +
      step("minor", "rank(J(given)) >= 1", "'p': 8388287, 'g': 4848783, 'rows': [0], 'cols': [4]") + "]}]");
  check_rejected(verdict_of(sized_layer(1, 2, 2, 1, 1) + R"([data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2]]
[weights]
key = [[[1], [0]]]
query = [[[1], [1]]]
)" + claim("functional-dimension"),
                            claims),
                 "a layer with a read-out");
  // A query bias: the weights are none of those that the functional dimension is about.
  check_rejected(verdict_with_case("jacobian", "readout = ", "query_bias = [[1]]\nreadout = "),
                 "in_shape(given) = 1");
}

TEST_CASE("bounds of Jacobians") {
  check_changes({
      {"jacobian", "/0/steps/15/vectors", "[[[0, '1'], [2, '-1'], [3, '1']], [[0, '1'], [1, '1']]]",
       "J x = 0"},
      {"jacobian", "/0/steps/15/vectors",
       "[[[0, '1'], [2, '-1'], [3, '-1']], [[0, '1'], [1, '1'], [4, '1']]]", "J x = 0"},
      {"jacobian", "/0/steps/15/vectors", "[[[0, '1'], [1, '1']], [[0, '2'], [1, '2']]]",
       "independent mod p"},
      {"jacobian", "/0/steps/15/vectors", "[[[0, [['1', '1']]], [1, [['1', '1']]]]]", "expected a string"},
      {"jacobian", "/0/steps/15/side", "'left'", "the side right"},
      {"jacobian", "/0/steps/15/fact", "'rank(J(given)) <= 5'", "the fact rank(J(given)) <= 6"},
      {"jacobian", "/0/steps/8/vectors", "[[[0, '1'], [1, '-1'], [2, '1'], [3, '1']]]",
       "y Z = 0 for all weights"},
      {"jacobian", "/0/steps/8/fact", "'largest_rank <= 2'", "the fact largest_rank <= 3"},
      {"jacobian", "/0/steps/8/of", "'functional_dimension'", "a rule of the table and a quantity"},
      {"jacobian", "/0/steps/9/uses", "[0, 8]", "the fact functional_dimension <= "},
      {"jacobian", "/0/steps/9/uses", "[3, 0, 6]", "facts about quantities of moving-directions"},
      {"jacobian", "/0/steps/10/layer", "3", "a layer that is given or of an earlier let"},
      {"jacobian", "/0/steps/12/fact", "'rank(J(given)) <= 6'", "the fact rank(J(given)) <= 7"},
      {"jacobian", "/0/steps/14/fact", "'rank(J(given)) <= 4'", "the fact rank(J(given)) <= 8"},
      {"jacobian", "/2/steps/2/fact", "'rank(exponents) <= 1'", "the fact rank(exponents) <= 2"},
      {"jacobian", "/2/steps/3/rows", "[1, 3]", "a minor that is not 0 mod p"},
      {"jacobian", "/2/steps/6/vectors", "[[[0, '1'], [2, '1']], [[1, '1'], [3, '-1']]]", "M x = 0"},
      {"jacobian", "/2/steps/5/uses", "[0]", "that it is not shown"},
  });
}
