// Samples of Kruskal ranks and the assumptions.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> kruskal_samples() {
  return {
      // Points of the moment curve are in general position.
      {"moment", R"(format = 1
title = "general position"
[layer]
heads = 1
context = 2
embed_dim = 3
head_dim = 2
examples = 5
[data]
contexts = [[1, 0, 0], [0, 1, 0]]
queries = [[1, 1, 1], ["1/2", 1, 2], [1, 3, 9], [1, 4, 16], [1, 5, 25]]
[[claim]]
statement = "kruskal-rank"
value = 3
[[claim]]
statement = "general-position"
[[claim]]
statement = "assumption-1"
[[claim]]
statement = "assumption-2"
)",
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
      {"dependent", R"(format = 1
title = "hypotheses that fail"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 4
[data]
contexts = [[[1, 0], [0, 1]], [[1, 2], [2, 4]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]
queries = [[1, 0], [1, 2], [0, 1], ["-1/3", "-2/3"]]
[[claim]]
statement = "kruskal-rank"
value = 2
expect = "refuted"
[[claim]]
statement = "assumption-2"
expect = "refuted"
[[claim]]
statement = "proposition-2"
expect = "inapplicable"
[[claim]]
statement = "proposition-5"
expect = "inapplicable"
[[claim]]
statement = "theorem-1"
expect = "inapplicable"
[[claim]]
statement = "claim-1"
subset = [1, 3]
coefficients = [["1/2", "1/2"], ["1/3", "2/3"]]
expect = "inapplicable"
[[claim]]
statement = "claim-1"
subset = [0, 1]
coefficients = [["1/2", "1/2"], ["1/3", "2/3"]]
expect = "inapplicable"
[[claim]]
statement = "claim-2"
subset = [0, 2]
coefficients = [["1/2", "1/2"], ["1/3", "2/3"]]
epsilon = 1
expect = "inapplicable"
)",
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
