// Samples of encodings, of layers with labels or a whole layer, and of other forms of a layer.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> layer_samples() {
  return {
      {"encoding", R"(format = 1
title = "an encoding"
[layer]
context = 2
embed_dim = 3
[[claim]]
statement = "positional-encoding"
)",
       json_of(R"json([{"statement": "positional-encoding", "steps": [
  {"rule": "theorem", "theorem": "vandermonde-encoding", "uses": [], "fact": "rank(encoding) >= 2"}]}])json")},
      // Examples 0 and 2 are the same, and so are their labels in the first column; the logits of the one
      // head are 2, 0 and 0, 1 and 2, 0. The singular values are 1.327... and 0.652...
      {"labelled",
       sized_layer(1, 2, 2, 2, 3) + R"([data]
contexts = [[1, 0], [0, 1]]
labels = [5, 7, 5]
[weights]
logits = [[[2, 0]], [[0, 1]], [[2, 0]]]
)" + claim("memorizes") +
           claim("injective", "expect = 'refuted'") + claim("saturation", "threshold = '0.8'\nvalue = 2") +
           claim("memorizes", "expect = 'undecided'") + claim("numerical-rank", "tolerance = 1\nvalue = 1") +
           claim("numerical-rank", "tolerance = '1/2'"),
       json_of(R"json([{"statement": "memorizes", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"},
  {"rule": "zero", "of": "rank(Z|Y)", "side": "left", "vectors": [[[0, "1"], [2, "-1"]]], "p": 101,
   "fact": "rank(Z|Y) <= 2"},
  {"rule": "theorem", "theorem": "fitted-labels", "uses": [0, 1], "fact": "memorized(given) >= 1"}]},
{"statement": "injective", "steps": [
  {"rule": "minor", "of": "distinct(Z)", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [1],
   "fact": "distinct(Z) >= 2"},
  {"rule": "zero", "of": "distinct(Z)", "side": "left", "vectors": [[[0, "2"], [2, "-2"]]], "p": 101,
   "fact": "distinct(Z) <= 2"}]},
{"statement": "saturation", "steps": [
  {"rule": "ball", "of": "saturated", "side": "above", "count": 2, "precision": 64,
   "fact": "saturated >= 2"},
  {"rule": "ball", "of": "saturated", "side": "below", "count": 1, "precision": 64,
   "fact": "saturated <= 2"}]},
{"statement": "memorizes", "steps": [
  {"rule": "minor", "of": "rank(Z|Y)", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [2, 0],
   "fact": "rank(Z|Y) >= 2"}]},
{"statement": "numerical-rank", "steps": [
  {"rule": "ball", "of": "numerical_rank", "side": "above", "bits": 20, "vectors": [["3", "1"]],
   "fact": "numerical_rank >= 1"},
  {"rule": "ball", "of": "numerical_rank", "side": "below", "bits": 20, "vectors": [["1", "-3"]],
   "fact": "numerical_rank <= 1"}]},
{"statement": "numerical-rank", "steps": [
  {"rule": "ball", "of": "numerical_rank", "side": "above", "bits": 30,
   "vectors": [["30", "10"], ["1", "-3"]], "fact": "numerical_rank >= 2"}]}])json")},
      // With s = 2^e / (2^e + 1), e the query, the heads put out 2 s + 1 and 6 - 4 s, u = e + 2 - 2 s, and
      // the scores are u - 1 and 3 - u: class 0 is right when e > 2 s, for the second example and the third.
      // The first scores are -1/3 + 1, 2/5 + 1 and 11/9 + 1.
      {"whole",
       sized_layer(2, 2, 1, 1, 3) + R"(output_dim = 2
base = "2"
[data]
contexts = [[0], [1]]
queries = [[1], [2], [3]]
labels = [["2/3", "4/3"], ["7/5", "1/2"], ["20/9", 5]]
[weights]
key = [[[1]], [[1]]]
query = [[[1]], [[-1]]]
value = [[[2]], [[-4]]]
value_bias = [[1], [-2]]
output = [[1], [-1]]
output_bias = [-5]
skip = true
readout = [[1, -1]]
readout_bias = [-1, 3]
)" + claim("accuracy", "classes = [0, 0, 0]\nvalue = 2") +
           claim("accuracy", "classes = [1, 1, 1]\nexpect = 'refuted'\nat_least = 2") +
           claim("accuracy", "epsilon = '1/100'\nexpect = 'undecided'") +
           claim("accuracy", "epsilon = '6'\nat_least = 3") + claim("rank", "expect = 'undecided'"),
       json_of(R"json([{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "above", "count": 2, "precision": 64, "fact": "accurate >= 2"},
  {"rule": "ball", "of": "accurate", "side": "below", "count": 1, "precision": 64,
   "fact": "accurate <= 2"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "below", "count": 2, "precision": 64,
   "fact": "accurate <= 1"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "below", "count": 2, "precision": 64,
   "fact": "accurate <= 1"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "above", "count": 3, "precision": 64,
   "fact": "accurate >= 3"}]},
{"statement": "rank", "steps": []}])json")},
      // The first head puts out 1 / (e + 1) and e / (e + 1), the second 1/2: outputs z and 1/2, and scores
      // 1/2 - 9, z and z + 10^-30. So the first is 1/2 away from its label, exactly, beside a head without a
      // rational coefficient, and the last two differ by less than an enclosure of z tells.
      {"apart",
       sized_layer(2, 2, 1, 1, 2) + R"(output_dim = 3
[data]
contexts = [[1], [0]]
queries = [[-1], [1]]
labels = [[-9, "1/2", 0], [-8, "1/2", "1/2"]]
[weights]
key = [[[1]], [[0]]]
query = [[[1]], [[0]]]
readout = [[0, 1, 1], [1, 0, 0]]
readout_bias = [-9, 0, "1e-30"]
)" + claim("accuracy", "epsilon = '1/2'\nvalue = 2") +
           claim("accuracy", "epsilon = '49/100'\nvalue = 0") +
           claim("accuracy", "classes = [2, 1]\nvalue = 1"),
       json_of(R"json([{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "above", "count": 2, "precision": 64,
   "fact": "accurate >= 2"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "below", "count": 2, "precision": 64,
   "fact": "accurate <= 0"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "above", "count": 1, "precision": 64, "fact": "accurate >= 1"},
  {"rule": "ball", "of": "accurate", "side": "below", "count": 1, "precision": 64,
   "fact": "accurate <= 1"}]}])json")},
      // Positions of a sequence, each with the tokens up to it: 1, 2, 1 and 2 tokens.
      {"listed",
       sized_layer(2, 3, 2, 2, 4) + R"([data]
hidden = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [1, 2], ["1/3", 0]]]
positions = [0, 1]
causal = true
[weights]
key = [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]
query = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
)" + claim("rank", "at_least = 2") +
           claim("rank", "expect = 'undecided'"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 3], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"}]},
{"statement": "rank", "steps": []}])json")},
      // The same with what the softmax sees. The singular values are 1.788... and 0.238...
      {"projected",
       sized_layer(2, 2, 2, 1, 2) + R"([data]
contexts = [[1, 0], [0, 1]]
[weights]
projected_queries = [[[1], [2]], [[3], ["1/2"]]]
projected_keys = [[[[1]], [[2]]], [[[0]], [[5]]]]
)" + claim("rank", "value = 2") +
           claim("rank", "expect = 'undecided'") + claim("numerical-rank", "tolerance = 1"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"}]},
{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "equal-rows", "uses": [], "layer": "given",
   "fact": "rank(Z(given)) <= 2"}]},
{"statement": "numerical-rank", "steps": [
  {"rule": "ball", "of": "numerical_rank", "side": "above", "bits": 16, "vectors": [["7", "8"]],
   "fact": "numerical_rank >= 1"},
  {"rule": "ball", "of": "numerical_rank", "side": "below", "bits": 12, "vectors": [["8", "-7"]],
   "fact": "numerical_rank <= 1"}]}])json")},
  };
}

}  // namespace attest::test
