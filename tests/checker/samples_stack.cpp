// Samples of a layer behind a stack.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> stack_samples() {
  return {
      // One token for each example, which attention with zero weights and a residual connection doubles: Z
      // is twice the unit matrix.
      {"doubled",
       sized_layer(1, 1, 2, 2, 2) + R"([data]
hidden = [[[1, 0]], [[0, 1]]]
positions = "last"
[[before]]
kind = "attention"
heads = 1
combined = [[[0, 0], [0, 0]]]
[weights]
combined = [[[1, 0], [0, 1]]]
)" + claim("rank", "value = 2") +
           claim("injective") + claim("rank", "at_most = 2"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "inverse", "of": "rank(Z(given))", "rows": [0, 1], "cols": [0, 1], "precision": 20,
   "inverse": [["1/2", "0"], ["0", "1/2"]], "fact": "rank(Z(given)) >= 2"},
  {"rule": "theorem", "theorem": "opposite-examples", "uses": [], "fact": "rank(Z(given)) <= 2"}]},
{"statement": "injective", "steps": [
  {"rule": "ball", "of": "distinct(Z)", "rows": [1, 0], "precision": 8, "fact": "distinct(Z) >= 2"},
  {"rule": "theorem", "theorem": "equal-outputs", "uses": [], "fact": "distinct(Z) <= 2"}]},
{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "entering-affine-hull", "uses": [], "fact": "rank(Z(any)) <= 2"},
  {"rule": "theorem", "theorem": "entering-linear-hull", "uses": [], "fact": "rank(Z(any)) <= 2"},
  {"rule": "theorem", "theorem": "entering-differences", "uses": [], "fact": "rank(Z(any)) <= 2"},
  {"rule": "theorem", "theorem": "any-coefficients", "uses": [0], "layer": "given",
   "fact": "rank(Z(given)) <= 2"},
  {"rule": "theorem", "theorem": "entering-equal-heads", "uses": [], "fact": "rank(Z(given)) <= 2"}]}])json")},
      // What enters, e + mean(E) and tokens x + mean(E): every two queries, and the tokens of each, are
      // independent; the mean added once more changes nothing of that.
      {"enters",
       sized_layer(2, 2, 3, 2, 3) + R"(layers_before = "given"
[data]
hidden = [[[1, 0, 2], [0, 1, -1]], [[1, 1, 3], [2, -1, 0]], [[1, 4, 1], [0, 1, 1]]]
positions = "last"
[[before]]
kind = "attention"
heads = 1
key = [[[0], [0], [0]]]
query = [[[0], [0], [0]]]
)" + claim("proposition-4") +
           claim("assumption-1"),
       json_of(R"json([{"statement": "proposition-4", "steps": [
  {"rule": "theorem", "theorem": "entering-contexts", "uses": [], "fact": "rank(contexts) <= 2"},
  {"rule": "ball", "of": "rank(contexts)", "precision": 60, "fact": "rank(contexts) >= 2"},
  {"rule": "ball", "of": "kruskal(mixed-queries)", "k": 2, "precision": 60,
   "fact": "kruskal(mixed-queries) >= 2"},
  {"rule": "ball", "of": "rank(mixed-contexts)", "precision": 60, "fact": "rank(mixed-contexts) >= 2"}]},
{"statement": "assumption-1", "steps": [
  {"rule": "theorem", "theorem": "entering-queries", "uses": [], "fact": "kruskal(queries) <= 3"},
  {"rule": "ball", "of": "kruskal(queries)", "k": 2, "precision": 60, "fact": "kruskal(queries) >= 2"}]}])json")},
      // The same stack with any weights of the last one, the case's and others; of two tokens each,
      // at
      // 0 and x, the second of which has the whole mean nearly.
      {"behind", sized_layer(1, 2, 2, 1, 2) + R"(layers_before = "given"
[data]
hidden = [[[0, 0], [1, 0]], [[0, 0], [0, 1]]]
positions = "last"
[[before]]
kind = "mlp"
weight_1 = [[1, 0], [0, 1]]
weight_2 = [[1, 0], [0, 1]]
activation = "relu"
)" + claim("capacity", "value = 2"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "theorem", "theorem": "entering-linear-hull", "uses": [], "fact": "rank(Z(any)) <= 2"},
  {"rule": "theorem", "theorem": "any-weights", "uses": [0], "fact": "capacity <= 2"},
  {"rule": "theorem", "theorem": "opposite-outputs", "uses": [], "fact": "capacity <= 2"},
  {"rule": "let", "layer": {"heads": [{"key": [{"num": ["0", "0"], "den": "1"}],
   "query": [{"num": ["1", "0"], "den": "1"}]}]}, "fact": "let Z(3)"},
  {"rule": "inverse", "of": "rank(Z(3))", "rows": [0, 1], "cols": [0, 1], "precision": 20,
   "inverse": [["1", "0"], ["0", "1"]], "fact": "rank(Z(3)) >= 2"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [4], "layer": 3, "fact": "capacity >= 2"},
  {"rule": "let", "layer": {"random": {"bound": 1, "seed": 1}}, "fact": "let Z(6)"},
  {"rule": "inverse", "of": "rank(Z(6))", "rows": [0], "cols": [0], "precision": 20,
   "inverse": [["1"]], "fact": "rank(Z(6)) >= 1"}]}])json")},
      // Equal and opposite sequences through all kinds of layers that keep them so; two equal heads.
      {"kept",
       sized_layer(2, 3, 2, 1, 4) + R"([data]
hidden = [[[1, 2], [3, 1], [0, 1]], [[3, 1], [1, 2], [0, 1]], [[-1, -2], [-3, -1], [0, -1]], [[0, 0], [0, 0], [0, 0]]]
positions = [2]
[[before]]
kind = "rmsnorm"
gain = [1, "1/2"]
epsilon = 1
[[before]]
kind = "mlp"
weight_1 = [[1], [1]]
weight_2 = [[1, 1]]
activation = "tanh"
[[before]]
kind = "attention"
heads = 1
key = [[[1], [0]]]
query = [[[0], [1]]]
value = [[[1, 1], [0, 1]]]
residual = false
[weights]
key = [[[1], [2]], [[2], [4]]]
query = [[[2], [-2]], [[1], [-1]]]
)" + claim("rank", "value = 1") +
           claim("injective", "expect = 'refuted'") + claim("saturation", "threshold = '1/2'") +
           claim("numerical-rank", "tolerance = '1/1000'\nat_least = 0"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "inverse", "of": "rank(Z(given))", "rows": [0], "cols": [1], "precision": 30,
   "inverse": [["1/3"]], "fact": "rank(Z(given)) >= 1"},
  {"rule": "theorem", "theorem": "opposite-examples", "uses": [], "fact": "rank(Z(given)) <= 1"},
  {"rule": "theorem", "theorem": "entering-equal-heads", "uses": [], "fact": "rank(Z(given)) <= 2"}]},
{"statement": "injective", "steps": [
  {"rule": "theorem", "theorem": "equal-outputs", "uses": [], "fact": "distinct(Z) <= 3"},
  {"rule": "ball", "of": "distinct(Z)", "rows": [0, 2, 3], "precision": 30, "fact": "distinct(Z) >= 3"}]},
{"statement": "saturation", "steps": [
  {"rule": "ball", "of": "saturated", "side": "above", "count": 6, "precision": 100,
   "fact": "saturated >= 6"},
  {"rule": "ball", "of": "saturated", "side": "below", "count": 2, "precision": 100,
   "fact": "saturated <= 6"}]},
{"statement": "numerical-rank", "steps": []}])json")},
      // Two layers of numbers, any weights: the outputs depend on w_1, v_1^2 w_2 and v_1 u.
      {"free",
       sized_layer(1, 2, 1, 1, 4) + R"(layers_before = "free"
[data]
hidden = [[[1], [2]], [[3], [-1]]]
positions = "all"
[[before]]
kind = "attention"
heads = 1
head_dim = 1
residual = false
)" + claim("functional-dimension", "value = 3") +
           claim("capacity", "value = 1"),
       json_of(R"json([{"statement": "functional-dimension", "steps": [
  {"rule": "theorem", "theorem": "stack-means", "uses": [], "fact": "capacity <= 1"},
  {"rule": "theorem", "theorem": "stack-symmetries", "uses": [0], "fact": "functional_dimension <= 3"},
  {"rule": "nested", "of": "functional_dimension", "primes": [2094509, 4189019, 8378039], "bound": 1000000,
   "seed": 1, "rows": [0, 1, 2], "cols": [0, 3, 5], "fact": "functional_dimension >= 3"},
  {"rule": "theorem", "theorem": "opposite-outputs", "uses": [], "fact": "capacity <= 4"},
  {"rule": "theorem", "theorem": "opposite-jacobian-rows", "uses": [],
   "fact": "functional_dimension <= 4"}]},
{"statement": "capacity", "steps": [
  {"rule": "theorem", "theorem": "stack-means", "uses": [], "fact": "capacity <= 1"},
  {"rule": "nested", "of": "capacity", "primes": [2094509, 4189019, 8378039], "bound": 1000000, "seed": 1,
   "rows": [3], "cols": [0], "fact": "capacity >= 1"}]}])json")},
      // Opposite sequences, of which one denominator is 3; weights of the last layer, which the claims are
      // not about.
      {"turned",
       sized_layer(2, 3, 2, 1, 2) + R"(output_dim = 3
layers_before = "free"
[data]
hidden = [[[1, "1/3"], [3, 1], [0, 1]], [[-1, "-1/3"], [-3, -1], [0, -1]]]
positions = "last"
causal = true
[[before]]
kind = "attention"
heads = 2
head_dim = 3
[weights]
combined = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
readout = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
)" + claim("capacity", "value = 1") +
           claim("functional-dimension", "value = 3"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "theorem", "theorem": "opposite-outputs", "uses": [], "fact": "capacity <= 1"},
  {"rule": "nested", "of": "capacity", "primes": [2094509, 4189019, 8378039], "bound": 9, "seed": 2,
   "rows": [1], "cols": [3], "fact": "capacity >= 1"}]},
{"statement": "functional-dimension", "steps": [
  {"rule": "theorem", "theorem": "opposite-jacobian-rows", "uses": [], "fact": "functional_dimension <= 3"},
  {"rule": "theorem", "theorem": "stack-symmetries", "uses": [], "fact": "functional_dimension <= 28"},
  {"rule": "nested", "of": "functional_dimension", "primes": [2094509, 4189019, 8378039], "bound": 9,
   "seed": 2, "rows": [3, 4, 5], "cols": [36, 38, 37], "fact": "functional_dimension >= 3"}]}])json")},
      // Two sequences of two vectors in three dimensions, one head in each layer: a line for each, moved by
      // one matrix and met at two points. The matrix may stretch what it does not have to keep: 4 + 9 - 2
      // numbers.
      {"composed", sized_layer(1, 2, 3, 1, 4) + R"(output_dim = 3
[data]
hidden = [[[3, -9, 1], [-7, -4, -3]], [[-4, 2, 5], [8, 8, -5]]]
positions = "all"
[[before]]
kind = "attention"
heads = 1
head_dim = 1
residual = false
)" + claim("functional-dimension", "value = 11"),
       json_of(R"json([{"statement": "functional-dimension", "steps": [
  {"rule": "nested", "of": "functional_dimension", "primes": [2094509, 4189019, 8378039], "bound": 1000000,
   "seed": 1, "rows": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "cols": [0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 12],
   "fact": "functional_dimension >= 11"},
  {"rule": "theorem", "theorem": "composed-means", "uses": [], "fact": "functional_dimension <= 13"},
  {"rule": "theorem", "theorem": "composed-means-maps", "uses": [], "fact": "functional_dimension <= 11"}]}])json")},
      // Behind attention the first entry of a vector is at most 2 + 2, so that the first neuron is off.
      {"off", sized_layer(1, 2, 2, 2, 2) + R"([data]
hidden = [[[1, 0], [0, 1]], [[1, 1], [2, 0]]]
positions = "last"
[[before]]
kind = "attention"
heads = 1
combined = [[[0, 0], [0, 0]]]
value = [[[1, 0], [0, 1]]]
[[before]]
kind = "mlp"
activation = "relu"
residual = false
weight_1 = [[1, 0], [0, 1]]
bias_1 = [-4, 0]
weight_2 = [[1, 0], [0, 1]]
[weights]
combined = [[[1, 0], [0, 1]]]
)" + claim("rank", "at_most = 1"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "entering-linear-hull", "uses": [], "fact": "rank(Z(any)) <= 1"},
  {"rule": "theorem", "theorem": "any-coefficients", "uses": [0], "layer": "given",
   "fact": "rank(Z(given)) <= 1"}]}])json")},
      // Three tokens, of which two meet.
      {"few", sized_layer(2, 2, 3, 3, 4) + R"([data]
hidden = [[[1, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 0, 1]]]
positions = "all"
[[before]]
kind = "rmsnorm"
epsilon = 1
[weights]
combined = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0, 1, 0], [1, 0, 0]]]
)" + claim("rank", "at_most = 4"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "entering-affine-hull", "uses": [], "fact": "rank(Z(any)) <= 5"},
  {"rule": "theorem", "theorem": "entering-linear-hull", "uses": [], "fact": "rank(Z(any)) <= 6"},
  {"rule": "theorem", "theorem": "entering-differences", "uses": [], "fact": "rank(Z(any)) <= 4"},
  {"rule": "theorem", "theorem": "any-coefficients", "uses": [2], "layer": "given",
   "fact": "rank(Z(given)) <= 4"}]}])json")},
  };
}

}  // namespace attest::test
