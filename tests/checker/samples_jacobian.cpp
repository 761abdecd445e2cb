// A sample of Jacobians: opposite queries on two shared tokens, two outputs of one head.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {
namespace {

/// The claim about labels of this kind.
std::string unfittable(const std::string& labels) {
  return R"json({"statement": "unfittable-labels", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "vectors": [[[0, "-1"], [1, "-1"]]], "p": 8388593, "fact": "rank(differences) <= 1"},
  {"rule": "minor", "of": "rank(differences)", "p": 8388593, "rows": [1], "cols": [0], "fact": "rank(differences) >= 1"},
  {"rule": "theorem", "theorem": "exponent-products", "uses": [0], "fact": "rank(exponents) <= 2"},
  {"rule": "minor", "of": "rank(exponents)", "p": 8388593, "rows": [1, 5], "cols": [0, 1], "fact": "rank(exponents) >= 2"},
  {"rule": "minor", "of": "rank(tokens)", "p": 8388593, "rows": [0, 1], "cols": [0, 1], "fact": "rank(tokens) >= 2"},
  {"rule": "theorem", "uses": [2, 0], "theorem": ")json" +
         labels + R"json(-outputs", "fact": "layer()json" + labels + R"json() <= 0"},
  {"rule": "zero", "of": "rank(exponents)", "side": "right", "p": 101, "vectors": [[[0, "1"], [2, "1"]], [[1, "1"], [3, "1"]]], "fact": "rank(exponents) <= 2"}]})json";
}

}  // namespace

std::vector<Sample> jacobian_samples() {
  return {
      {"jacobian",
       sized_layer(1, 2, 2, 1, 4) + R"(output_dim = 2
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2], [-1, -2], [3, -1], [-3, 1]]
[weights]
key = [[[1], [0]]]
query = [[[1], [1]]]
readout = [[1, 0], [0, 1]]
)" + claim("jacobian-rank") +
           claim("functional-dimension") + claim("unfittable-labels") +
           claim("unfittable-labels", "labels = 'integer'"),
       json_of(R"json([{"statement": "jacobian-rank", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "vectors": [[[0, "-1"], [1, "-1"]]], "p": 8388593, "fact": "rank(differences) <= 1"},
  {"rule": "theorem", "theorem": "exponent-products", "uses": [0], "fact": "rank(exponents) <= 2"},
  {"rule": "theorem", "theorem": "exponent-count", "uses": [1, 0], "fact": "functional_dimension <= 6"},
  {"rule": "minor", "of": "rank(differences)", "p": 8388593, "rows": [1], "cols": [0], "fact": "rank(differences) >= 1"},
  {"rule": "theorem", "theorem": "all-jacobians", "uses": [2], "layer": "given", "fact": "rank(J(given)) <= 6"},
  {"rule": "minor", "of": "rank(J(given))", "p": 8388287, "g": 4848783, "rows": [0, 1, 2, 3, 4], "cols": [0, 2, 4, 5, 6], "fact": "rank(J(given)) >= 5"},
  {"rule": "minor", "of": "rank(Z(given))", "p": 8388287, "g": 4848783, "rows": [0, 1], "cols": [0, 1], "fact": "rank(Z(given)) >= 2"},
  {"rule": "theorem", "theorem": "some-coefficients", "uses": [6], "layer": "given", "fact": "rank(Z(any)) >= 2"},
  {"rule": "zero", "of": "largest_rank", "side": "left", "vectors": [[[0, "-1"], [1, "-1"], [2, "1"], [3, "1"]]], "p": 8388593, "fact": "largest_rank <= 3"},
  {"rule": "theorem", "theorem": "moving-directions", "uses": [3, 0, 8], "fact": "functional_dimension <= 5"},
  {"rule": "theorem", "theorem": "all-jacobians", "uses": [9], "layer": "given", "fact": "rank(J(given)) <= 5"},
  {"rule": "theorem", "theorem": "some-jacobian", "uses": [5], "layer": "given", "fact": "functional_dimension >= 5"},
  {"rule": "theorem", "theorem": "tangents", "uses": [], "layer": "given", "fact": "rank(J(given)) <= 7"},
  {"rule": "theorem", "theorem": "biased-tangents", "uses": [0], "layer": "given", "fact": "rank(J(given)) <= 7"},
  {"rule": "theorem", "theorem": "equal-jacobian-rows", "uses": [], "layer": "given", "fact": "rank(J(given)) <= 8"},
  {"rule": "zero", "of": "rank(J(given))", "side": "right", "p": 101, "vectors": [[[0, "1"], [2, "-1"], [3, "-1"]], [[0, "1"], [1, "1"]]], "fact": "rank(J(given)) <= 6"}]},
{"statement": "functional-dimension", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "vectors": [[[0, "-1"], [1, "-1"]]], "p": 8388593, "fact": "rank(differences) <= 1"},
  {"rule": "theorem", "theorem": "exponent-products", "uses": [0], "fact": "rank(exponents) <= 2"},
  {"rule": "theorem", "theorem": "exponent-count", "uses": [1, 0], "fact": "functional_dimension <= 6"},
  {"rule": "minor", "of": "rank(differences)", "p": 8388593, "rows": [1], "cols": [0], "fact": "rank(differences) >= 1"},
  {"rule": "zero", "of": "largest_rank", "side": "left", "vectors": [[[0, "-1"], [1, "-1"], [2, "1"], [3, "1"]]], "p": 8388593, "fact": "largest_rank <= 3"},
  {"rule": "theorem", "theorem": "moving-directions", "uses": [3, 0, 4], "fact": "functional_dimension <= 5"},
  {"rule": "minor", "of": "rank(J(given))", "p": 8388287, "g": 4848783, "rows": [0, 1, 2, 3, 4], "cols": [0, 2, 4, 5, 6], "fact": "rank(J(given)) >= 5"},
  {"rule": "theorem", "theorem": "some-jacobian", "uses": [6], "layer": "given", "fact": "functional_dimension >= 5"},
  {"rule": "let", "layer": {"random": {"bound": 9, "seed": 1}}, "fact": "let Z(8)"},
  {"rule": "minor", "of": "rank(J(8))", "p": 8388287, "g": 4848783, "rows": [0, 1, 2, 3, 4], "cols": [0, 3, 4, 5, 6], "fact": "rank(J(8)) >= 5"},
  {"rule": "theorem", "theorem": "some-jacobian", "uses": [9], "layer": 8, "fact": "functional_dimension >= 5"},
  {"rule": "theorem", "theorem": "related-outputs", "uses": [4], "fact": "functional_dimension <= 6"},
  {"rule": "theorem", "theorem": "different-examples", "uses": [], "fact": "largest_rank <= 4"}]},
)json" + unfittable("transcendental") +
               ", " + unfittable("integer") + "]")},
  };
}

}  // namespace attest::test
