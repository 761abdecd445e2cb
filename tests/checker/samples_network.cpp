// Samples of Proposition 3.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> network_samples() {
  return {
      // The data set that Proposition 3 has of its own: queries (1, x) with x = -2, ..., 1.
      {"network", R"(format = 1
title = "one neuron"
[layer]
context = 1
embed_dim = 2
[[claim]]
statement = "proposition-3"
neurons = 1
[[claim]]
statement = "proposition-3"
neurons = 1
labels = "transcendental"
[[claim]]
statement = "proposition-3"
neurons = 1
output_bias = true
expect = "inapplicable"
)",
       json_of(R"json([{"statement": "proposition-3", "steps": [
  {"rule": "theorem", "theorem": "moment-curve", "uses": [], "fact": "kruskal(queries) >= 2"},
  {"rule": "minor", "of": "rank(contexts)", "p": 1000003, "fact": "rank(contexts) >= 1"},
  {"rule": "theorem", "theorem": "integer-labels", "uses": [], "fact": "network(integer) <= 0"}]},
{"statement": "proposition-3", "steps": [
  {"rule": "theorem", "theorem": "transcendental-labels", "uses": [],
   "fact": "network(transcendental) <= 0"}]},
{"statement": "proposition-3", "steps": []}])json")},
      // f(x) = max(0, x) - 2 max(0, x - 1) has the values 0, 1, 0 at 0, 1, 2; one neuron, convex or not
      // positive, has not.
      {"given",
       sized_layer(1, 1, 1, 1, 3) + R"([data]
contexts = [[1]]
queries = [[0], [1], [2]]
labels = [0, 1, 0]
)" + claim("relu-memorizes", "neurons = 1\nexpect = 'refuted'") +
           claim("relu-memorizes", "neurons = 2") +
           claim("relu-memorizes", "neurons = 2\noutput_bias = true"),
       json_of(R"json([{"statement": "relu-memorizes", "steps": [
  {"rule": "split", "of": "network(given)",
   "trees": [[{"examples": ["0", "1", "0"], "neurons": [["0", "0", "0"]], "order": []}], [{"neuron": 0,
   "example": 1}, {"examples": ["-1", "2", "-1"], "neurons": [["1", "-2", "1"]], "order": []},
   {"examples": ["0", "1", "0"], "neurons": [["0", "0", "0"]], "order": []}]],
   "fact": "network(given) <= 0"}]},
{"statement": "relu-memorizes", "steps": [
  {"rule": "compare", "of": "network(given)",
   "neurons": [{"w": ["0", "1"], "b": "0", "a": "1"}, {"w": ["-1", "1"], "b": "0", "a": "-2"}],
   "fact": "network(given) >= 1"}]},
{"statement": "relu-memorizes", "steps": [
  {"rule": "compare", "of": "network(given)",
   "neurons": [{"w": ["1", "-1"], "b": "0", "a": "-1"}, {"w": ["0", "1"], "b": "-1", "a": "-1"}],
   "output_bias": "1", "fact": "network(given) >= 1"}]}])json")},
  };
}

}  // namespace attest::test
