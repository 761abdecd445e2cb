// Facts about Jacobians that are rejected, with the reason.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

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
