// Samples of Kruskal ranks and the assumptions.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> kruskal_samples() {
  return {
      // Points of the moment curve are in general position.
      {"moment",
       sized_layer(1, 2, 3, 2, 5) + R"([data]
contexts = [[1, 0, 0], [0, 1, 0]]
queries = [[1, 1, 1], ["1/2", 1, 2], [1, 3, 9], [1, 4, 16], [1, 5, 25]]
)" + claim("kruskal-rank", "value = 3") +
           claim("general-position") + claim("assumption-1") + claim("assumption-2"),
       json_of(R"json([{"statement": "kruskal-rank", "steps": [
  {"rule": "subsets", "of": "kruskal(queries)", "k": 3, "p": 4611686018427387847, "method": "subsets",
   "fact": "kruskal(queries) >= 3"}]},
{"statement": "general-position", "steps": [
  {"rule": "subsets", "of": "kruskal(queries)", "k": 3, "p": 1000003, "method": "dual",
   "fact": "kruskal(queries) >= 3"}]},
{"statement": "assumption-1", "steps": [
  {"rule": "subsets", "of": "kruskal(queries)", "k": 2, "p": 101, "method": "subsets",
   "fact": "kruskal(queries) >= 2"}]},
{"statement": "assumption-2", "steps": [
  {"rule": "minor", "of": "rank(contexts)", "p": 101, "fact": "rank(contexts) >= 2"}]}])json")},
      // Query 3 is a multiple of query 1; context 1 is singular and differs from context 0, also in the sums
      // of its tokens.
      {"dependent",
       sized_layer(2, 2, 2, 2, 4) + R"([data]
contexts = [[[1, 0], [0, 1]], [[1, 2], [2, 4]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]
queries = [[1, 0], [1, 2], [0, 1], ["-1/3", "-2/3"]]
)" + claim("kruskal-rank", "value = 2\nexpect = 'refuted'") +
           claim("assumption-2", "expect = 'refuted'") + claim("proposition-2", "expect = 'inapplicable'") +
           claim("proposition-5", "expect = 'inapplicable'") + claim("theorem-1", "expect = 'inapplicable'") +
           claim(
               "claim-1",
               "subset = [1, 3]\ncoefficients = [['1/2', '1/2'], ['1/3', '2/3']]\nexpect = 'inapplicable'") +
           claim(
               "claim-1",
               "subset = [0, 1]\ncoefficients = [['1/2', '1/2'], ['1/3', '2/3']]\nexpect = 'inapplicable'") +
           claim("claim-2",
                 "subset = [0, 2]\ncoefficients = [['1/2', '1/2'], ['1/3', '2/3']]\nepsilon = 1\nexpect = "
                 "'inapplicable'"),
       json_of(R"json([{"statement": "kruskal-rank", "steps": [
  {"rule": "zero", "of": "kruskal(queries)", "side": "left", "p": 1000003,
   "vectors": [[[1, "1"], [3, "3"]]], "fact": "kruskal(queries) <= 1"}]},
{"statement": "assumption-2", "steps": [
  {"rule": "zero", "of": "rank(contexts)", "side": "left", "p": 1000003, "member": 1,
   "vectors": [[[0, "2"], [1, "-1"]]], "fact": "rank(contexts) <= 1"}]},
{"statement": "proposition-2", "steps": []},
{"statement": "proposition-5", "steps": []},
{"statement": "theorem-1", "steps": []},
{"statement": "claim-1", "steps": [
  {"rule": "zero", "of": "rank(subset-queries)", "side": "left", "p": 7, "vectors": [[[0, "1"], [1, "3"]]],
   "fact": "rank(subset-queries) <= 1"}]},
{"statement": "claim-1", "steps": [
  {"rule": "zero", "of": "rank(subset-contexts)", "side": "left", "p": 7, "member": 1,
   "vectors": [[[0, "2"], [1, "-1"]]], "fact": "rank(subset-contexts) <= 1"}]},
{"statement": "claim-2", "steps": []}])json")},
  };
}

}  // namespace attest::test
