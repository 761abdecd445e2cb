// Samples of rank, capacity and the bounds for any coefficients.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> rank_samples() {
  return {
      // Queries e, -e, f, -f over the shared context I: softmax(x) + softmax(-x) = 1, so z(e) + z(-e) = z(f)
      // + z(-f) in every head and for all weights.
      {"opposite",
       sized_layer(3, 2, 2, 2, 4) + R"([data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2], [-1, -2], ["3/2", 1], ["-3/2", -1]]
[weights]
key = [[[1, 0], [0, 1]], [[2, 1], [1, 1]], [[1, 3], [0, -1]]]
query = [[[1, 0], [0, 1]], [[1, 0], [1, 2]], [[0, 1], [1, 1]]]
)" + claim("rank", "value = 3") +
           claim("rank", "at_least = 4\nexpect = 'refuted'") + claim("rank", "expect = 'undecided'") +
           claim("proposition-2") + claim("proposition-5") + claim("affine-hull-bound") +
           claim("capacity", "value = 3") + claim("capacity", "at_most = 4"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(given)) >= 3", "label": "three rows"},
  {"rule": "zero", "of": "rank(Z(given))", "side": "left", "p": 1000003,
   "vectors": [[[0, "1"], [1, "1"], [2, "-1"], [3, "-1"]]], "fact": "rank(Z(given)) <= 3"}]},
{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))", "side": "left", "p": 1000919, "g": 4,
   "vectors": [[[0, [["1", "1/2"]]], [1, [["1", "1/2"]]], [2, [["-1", "1/2"]]], [3, [["-1", "1/2"]]]]],
   "fact": "rank(Z(given)) <= 3"}]},
{"statement": "rank", "reason": "no kernel vector was looked for", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 8388287, "g": 4, "rows": [0, 1, 3], "cols": [0, 1, 4],
   "fact": "rank(Z(given)) >= 3"}]},
{"statement": "proposition-2", "steps": [
  {"rule": "zero", "of": "rank(affine-tokens)", "side": "right", "p": 1000003,
   "vectors": [[[0, "1"], [1, "1"], [2, "-1"]]], "fact": "rank(affine-tokens) <= 2"},
  {"rule": "theorem", "theorem": "affine-hull", "uses": [0], "fact": "rank(Z(any)) <= 4"}]},
{"statement": "proposition-5", "steps": []},
{"statement": "affine-hull-bound", "steps": [
  {"rule": "minor", "of": "rank(affine-tokens)", "p": 8388593, "rows": [1, 0], "cols": [0, 2],
   "fact": "rank(affine-tokens) >= 2"},
  {"rule": "minor", "of": "rank(tokens)", "p": 101, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(tokens) >= 2"},
  {"rule": "let", "layer": {"random": {"bound": 9, "seed": 1}}, "fact": "let Z(2)"},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [0, 2], "cols": [0, 3],
   "fact": "rank(Z(2)) >= 2"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 2"}]},
{"statement": "capacity", "steps": [
  {"rule": "zero", "of": "capacity", "side": "left", "p": 1000003,
   "vectors": [[[0, "1"], [1, "1"], [2, "-1"], [3, "-1"]]], "fact": "capacity <= 3"},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(given)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": "given", "fact": "capacity >= 3"}]},
{"statement": "capacity", "steps": [
  {"rule": "theorem", "theorem": "equal-examples", "uses": [], "fact": "capacity <= 4"}]}])json")},
      // Two equal heads and one with zero weights; the kernel vectors say the same.
      {"equal",
       sized_layer(3, 2, 2, 2, 3) + R"([data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2], [3, 1], [0, 1]]
[weights]
combined = [[[1, 0], [0, 2]], [[1, 3], [0, 5]], [[0, 0], [0, 0]]]
)" + claim("rank", "at_most = 2") +
           claim("rank", "value = 2"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "equal-heads", "layer": "given", "uses": [],
   "fact": "rank(Z(given)) <= 3"},
  {"rule": "theorem", "theorem": "constant-heads", "layer": "given", "uses": [],
   "fact": "rank(Z(given)) <= 2"}]},
{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))", "side": "right", "p": 1000919, "g": 4,
   "vectors": [[[0, "1"], [2, "-1"]], [[1, [["1", "1"]]], [3, [["-1", "1"]]]], [[4, "1"], [5, "-1"]],
   [[0, "1"], [1, "1"], [4, [["-3", "0"], ["1", "0"]]]]], "fact": "rank(Z(given)) <= 2"},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"}]}])json")},
      // Scalar tokens 1 and 2 with logits q and 2 q: a left kernel vector whose entries are sums of powers
      // of b.
      {"scalar", sized_layer(1, 2, 1, 1, 2) + R"(base = "2"
logit_scale = "1/2"
[data]
contexts = [[1], [2]]
queries = [[1], [2]]
[weights]
key = [[[1]]]
query = [[[1]]]
)" + claim("rank", "value = 1"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))", "side": "left", "p": 1000919, "g": 2,
   "vectors": [[[0, [["1", "3/2"], ["1", "2"], ["2", "5/2"], ["2", "3"]]], [1, [["-1", "3/2"], ["-2", "2"],
   ["-1", "5/2"], ["-2", "3"]]]]], "fact": "rank(Z(given)) <= 1"},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 2, "rows": [1], "cols": [0],
   "fact": "rank(Z(given)) >= 1"}]}])json")},
      // Equal queries: both rows of Z are (b^x, 1)/(b^x + 1), and (1, -b^x) is in the right kernel. The
      // scale is not in x. With biases.
      {"irrational", sized_layer(1, 2, 2, 2, 2) + R"case(base = "2"
logit_scale = "1/sqrt(2)"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 1], [1, 1]]
[weights]
key = [[[1, 0], [0, 1]]]
query = [[[2, "1/3"], [1, 0]]]
query_bias = [[0, "1/3"]]
)case" + claim("rank", "value = 1"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))", "side": "right", "p": 1000919, "g": 4,
   "vectors": [[[0, "1"], [1, [["-1", "7/3"]]]]], "fact": "rank(Z(given)) <= 1"},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [1], "cols": [1],
   "fact": "rank(Z(given)) >= 1"},
  {"rule": "theorem", "theorem": "equal-rows", "uses": [], "layer": "given",
   "fact": "rank(Z(given)) <= 1"}]}])json")},
      // Translates of one context: the tokens span the space, the differences within contexts one dimension.
      {"translates",
       sized_layer(2, 2, 3, 1, 6) + R"([data]
contexts = [[[0, 0, 0], [1, 2, 0]], [[1, 0, 0], [2, 2, 0]], [[0, 1, 0], [1, 3, 0]], [[0, 0, 1], [1, 2, 1]],
  [[1, 1, 1], [2, 3, 1]], [[2, -1, 3], [3, 1, 3]]]
queries = [[1, 2, 3], [1, -1, 0], [0, 5, 2], [1, 1, 0], [2, 0, 1], [4, 1, 1]]
)" + claim("capacity", "at_most = 4") +
           claim("any-coefficients", "at_least = 5\nexpect = 'refuted'"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "p": 101,
   "vectors": [[[0, "2"], [1, "-1"]], [[2, "1"]]], "fact": "rank(differences) <= 1"},
  {"rule": "theorem", "theorem": "context-hulls", "uses": [0], "fact": "rank(Z(any)) <= 4"},
  {"rule": "theorem", "theorem": "any-weights", "uses": [1], "fact": "capacity <= 4"},
  {"rule": "minor", "of": "rank(differences)", "p": 101, "rows": [3], "cols": [1],
   "fact": "rank(differences) >= 1"}]},
{"statement": "any-coefficients", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "p": 101,
   "vectors": [[[0, "2"], [1, "-1"]], [[2, "1"]]], "fact": "rank(differences) <= 1"},
  {"rule": "theorem", "theorem": "context-hulls", "uses": [0], "fact": "rank(Z(any)) <= 4"}]}])json")},
      // Contexts of one token: Z has the rows 1, 2 and 1, in every head.
      {"parts",
       sized_layer(3, 1, 1, 1, 3) + R"([data]
contexts = [[[1]], [[2]], [[1]]]
queries = [[1], [1], [1]]
)" + claim("capacity", "value = 1") +
           claim("capacity", "at_most = 1"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "part", "heads": 2, "side": "below", "fact": "capacity(0) <= 1", "steps": [
    {"rule": "zero", "of": "capacity", "side": "left", "p": 7,
     "vectors": [[[0, "2"], [1, "-1"]], [[0, "1"], [2, "-1"]]], "fact": "capacity <= 1"}]},
  {"rule": "part", "heads": 1, "side": "above", "fact": "capacity(1) >= 1", "steps": [
    {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [{"key": [v(1)], "query": [v(1)]}]}},
    {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 4, "rows": [0], "cols": [0],
     "fact": "rank(Z(0)) >= 1"},
    {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 1"}]},
  {"rule": "theorem", "theorem": "concave-from-0", "uses": [0], "parts": [0], "fact": "capacity <= 1"},
  {"rule": "let", "fact": "let Z(3)", "layer": {"heads": [{"key": [v(1)], "query": [v(1)]},
   {"key": [v(1)], "query": [v(1)]}, {"key": [v(1)], "query": [v(1)]}]}},
  {"rule": "minor", "of": "rank(Z(3))", "p": 1000919, "g": 4, "rows": [0], "cols": [0],
   "fact": "rank(Z(3)) >= 1"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [4], "layer": 3, "fact": "capacity >= 1"}]},
{"statement": "capacity", "steps": [
  {"rule": "part", "examples": [1, 0], "side": "below", "fact": "capacity(0) <= 1", "steps": [
    {"rule": "zero", "of": "capacity", "side": "left", "p": 7, "vectors": [[[0, "1"], [1, "-2"]]],
     "fact": "capacity <= 1"}]},
  {"rule": "theorem", "theorem": "part-and-others", "uses": [0], "parts": [0], "fact": "capacity <= 1"},
  {"rule": "part", "heads": 1, "side": "below", "fact": "capacity(2) <= 1", "steps": []},
  {"rule": "theorem", "theorem": "concave-from-0", "uses": [2], "parts": [2], "fact": "capacity <= 3"}]}])json")},
      // Contexts of one token: the tokens are the rows of Z.
      {"which",
       sized_layer(1, 1, 2, 1, 5) + R"([data]
contexts = [[[1, 0]], [[2, 0]], [[0, 1]], [[1, 1]], [[0, 0]]]
queries = [[1, 0], [1, 0], [1, 0], [1, 0], [1, 0]]
)" + claim("capacity", "which = true") +
           claim("capacity", "which = true\nvalues = [0, '1/2', 0, 0, 0]") +
           claim("capacity", "heads = 2\nwhich = true\nvalue = 2"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "zero", "of": "capacity", "side": "left", "p": 7,
   "vectors": [[[0, "2"], [1, "-1"]], [[0, "1"], [2, "1"], [3, "-1"]], [[4, "1"]]],
   "fact": "capacity <= 2"},
  {"rule": "part", "examples": [1, 0], "side": "below", "fact": "capacity(1) <= 1", "steps": [
    {"rule": "zero", "of": "capacity", "side": "left", "p": 7, "vectors": [[[0, "1"], [1, "-2"]]],
     "fact": "capacity <= 1"}]},
  {"rule": "part", "examples": [4], "side": "below", "fact": "capacity(2) <= 0", "steps": [
    {"rule": "zero", "of": "capacity", "side": "left", "p": 7, "vectors": [[[0, "1"]]],
     "fact": "capacity <= 0"}]},
  {"rule": "let", "fact": "let Z(3)", "layer": {"heads": [{"key": [v(1 0)], "query": [v(1 0)]}]}},
  {"rule": "minor", "of": "rank(Z(3))", "p": 1000919, "g": 4, "rows": [0, 2], "cols": [0, 1],
   "fact": "rank(Z(3)) >= 2"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [4], "layer": 3, "fact": "capacity >= 2"},
  {"rule": "circuits", "of": "which(0,2;1:0;3:0,2;4:)", "layer": 3, "p": 1000919, "g": 4, "cols": [1, 0],
   "uses": [0, 1, 2], "fact": "which(0,2;1:0;3:0,2;4:) >= 1"}]},
{"statement": "capacity", "steps": [
  {"rule": "part", "examples": [0, 1], "side": "below", "fact": "capacity(0) <= 1", "steps": [
    {"rule": "zero", "of": "capacity", "side": "left", "p": 7, "vectors": [[[0, "2"], [1, "-1"]]],
     "fact": "capacity <= 1"}]},
  {"rule": "part", "examples": [4], "side": "below", "fact": "capacity(1) <= 0", "steps": [
    {"rule": "zero", "of": "capacity", "side": "left", "p": 7, "vectors": [[[0, "1"]]],
     "fact": "capacity <= 0"}]},
  {"rule": "let", "fact": "let Z(2)", "layer": {"heads": [{"key": [v(1 0)], "query": [v(1 0)]}]}},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [0, 2], "cols": [0, 1],
   "fact": "rank(Z(2)) >= 2"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 2"},
  {"rule": "circuits", "of": "which(1,2;0:1;3:1,2;4:)", "layer": 2, "p": 1000919, "g": 4, "cols": [0, 1],
   "uses": [0, 1], "fact": "which(1,2;0:1;3:1,2;4:) >= 1"}]},
{"statement": "capacity", "steps": [
  {"rule": "zero", "of": "capacity", "side": "left", "p": 7,
   "vectors": [[[0, "2"], [1, "-1"]], [[0, "1"], [2, "1"], [3, "-1"]], [[4, "1"]]],
   "fact": "capacity <= 2"},
  {"rule": "let", "fact": "let Z(1)", "layer": {"heads": [{"key": [v(1 0)], "query": [v(1 0)]},
   {"key": [v(1 0)], "query": [v(1 0)]}]}},
  {"rule": "minor", "of": "rank(Z(1))", "p": 1000919, "g": 4, "rows": [0, 2], "cols": [2, 1],
   "fact": "rank(Z(1)) >= 2"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [2], "layer": 1, "fact": "capacity >= 2"}]}])json")},
      // Tokens x and 0, queries e and 2 e: the rows of Z are x w / (1 + w) and x w^2 / (1 + w^2), w = b^<W,
      // x e^T>. One head has rank 1, with a relation over the functions of W; two heads have rank 2.
      {"functions",
       sized_layer(1, 2, 2, 1, 2) + R"([data]
contexts = [[1, 0], [0, 0]]
queries = [[1, 0], [2, 0]]
)" + claim("capacity", "value = 1") +
           claim("memorizable") + claim("memorizable", "expect = 'undecided'"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "zero", "of": "capacity", "side": "left", "fact": "capacity <= 1",
   "vectors": [[[0, [["1", [[0, "1"]]], ["1", [[0, "2"]]]]], [1, [["-1", []], ["-1", [[0, "2"]]]]]]]},
  {"rule": "let", "fact": "let Z(1)", "layer": {"heads": [{"key": [v(1 0)], "query": [v(1 0)]}]}},
  {"rule": "minor", "of": "rank(Z(1))", "p": 1000919, "g": 4, "rows": [0], "cols": [0],
   "fact": "rank(Z(1)) >= 1"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [2], "layer": 1, "fact": "capacity >= 1"}]},
{"statement": "memorizable", "steps": [
  {"rule": "part", "heads": 2, "side": "above", "fact": "capacity(0) >= 2", "steps": [
    {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [{"key": [v(1 0)], "query": [v(1 0)]},
     {"key": [v(1 0)], "query": [v(2 0)]}]}},
    {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 2],
     "fact": "rank(Z(0)) >= 2"},
    {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 2"}]},
  {"rule": "theorem", "theorem": "many-heads", "uses": [0], "parts": [0], "fact": "largest_rank >= 2"}]},
{"statement": "memorizable", "steps": [
  {"rule": "zero", "of": "largest_rank", "side": "left", "vectors": [], "p": 7,
   "fact": "largest_rank <= 2"}]}])json")},
      // One token and a sink: z = b^q / (1 + b^q).
      {"sink",
       sized_layer(1, 1, 1, 1, 2) + R"(sink = true
[data]
contexts = [[1]]
queries = [[1], [2]]
labels = [[1], [2]]
[weights]
key = [[[1]]]
query = [[[1]]]
value = [[[2, 0]]]
value_bias = [[1, 0]]
)" + claim("rank", "value = 1") +
           claim("output-rank", "value = 1") + claim("rank", "bias = true\nvalue = 2") +
           claim("capacity", "value = 1") + claim("rank", "head = 0\nvalue = 1") +
           claim("output-rank", "head = 0\nat_most = 2") + claim("memorizes", "bias = true"),
       json_of(R"json([{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [1], "cols": [0],
   "fact": "rank(Z(given)) >= 1"}]},
{"statement": "output-rank", "steps": [
  {"rule": "minor", "of": "rank(outputs)", "p": 1000919, "g": 4, "rows": [0], "cols": [0],
   "fact": "rank(outputs) >= 1"},
  {"rule": "zero", "of": "rank(outputs)", "side": "right", "p": 101, "vectors": [[[1, "1"]]],
   "fact": "rank(outputs) <= 1"}]},
{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z|1)", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z|1) >= 2"}]},
{"statement": "capacity", "steps": [
  {"rule": "let", "layer": {"heads": [{"key": [v(1)], "query": [v(2)], "sink": "1/2"}]},
   "fact": "let Z(0)"},
  {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 4, "rows": [0], "cols": [0],
   "fact": "rank(Z(0)) >= 1"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 1"}]},
{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(head)", "p": 1000919, "g": 4, "rows": [1], "cols": [0],
   "fact": "rank(head) >= 1"}]},
{"statement": "output-rank", "steps": [
  {"rule": "theorem", "theorem": "head-output-rows", "uses": [], "fact": "rank(head-outputs) <= 2"}]},
{"statement": "memorizes", "steps": [
  {"rule": "minor", "of": "rank(Z|1)", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z|1) >= 2"},
  {"rule": "theorem", "theorem": "fitted-labels-bias", "uses": [0], "fact": "memorized(bias) >= 1"}]}])json")},
      // Example 3 does not move, nor does 4.
      {"pointing", sized_layer(2, 2, 2, 1, 5) + R"([data]
contexts = [[[1, 0], [0, 1]], [[1, 0], [0, 1]], [["1/3", 1], [2, 0]], [[1, 1], [1, 1]], [[1, 2], [3, -1]]]
queries = [[1, 0], [0, 1], [1, 1], [2, 2], [0, 0]]
)" + claim("capacity", "value = 4"),
       json_of(R"json([{"statement": "capacity", "steps": [
  {"rule": "coefficients", "of": "capacity", "p": 101, "rows": [0, 2, 3, 4], "cols": [0, 1, 2, 3],
   "tokens": [[0, 1], [0, 1], [0, 0], [1, 1]], "fact": "capacity >= 4"}]}])json")},
  };
}

}  // namespace attest::test
