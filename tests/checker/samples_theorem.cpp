// Samples of Proposition 1 and Theorem 1.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> theorem_samples() {
  return {
      // Proposition 1 executed by hand: head 0 takes examples 0 and 1, head 1 takes example 2 and separates
      // the others.
      {"theorem", R"(format = 1
title = "Theorem 1 at H = 2, n = 2"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 3
base = "e"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [[1], [2], [-1]]
[[claim]]
statement = "theorem-1"
expect = "verified-as-stated"
[[claim]]
statement = "proposition-1"
[[claim]]
statement = "claim-1"
subset = [0, 1]
coefficients = [["1/4", "3/4"], ["1/2", "1/2"]]
[[claim]]
statement = "claim-2"
subset = [0]
coefficients = [["1/4", "3/4"]]
epsilon = "1/10"
[[claim]]
statement = "finite-lambda"
lambda = "1/2"
)",
       json_of(R"json([{"statement": "theorem-1", "steps": [
  {"rule": "subsets", "of": "kruskal(queries)", "k": 2, "p": 1000003, "method": "dual",
   "fact": "kruskal(queries) >= 2"},
  {"rule": "minor", "of": "rank(contexts)", "p": 1000003, "fact": "rank(contexts) >= 2"},
  {"rule": "let", "fact": "let Z(2)", "layer": {"heads": [{"key": [v(1 0), v(0 1)],
   "query": [v(1 0), v(0 1)]},
   {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(2)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 3"},
  {"rule": "inverse", "of": "readout", "layer": 2, "cols": [0, 1, 2], "precision": 128,
   "inverse": [["5.108673170575603984036655894561", "2.944719756836951135266651884343",
   "-7.053392927412555119303307778904"],
   ["-1.729442271384167695576028028581", "0.434511142354485153193975981637",
   "2.294931129029682542382052046944"],
   ["-2.311190236987626206405673790888", "-2.311190236987626206405673790888",
   "4.622380473975252412811347581776"]], "weights": [[{"mid": "18.05150561166206137387326744215052344364",
   "rad": "1e-20"}], [{"mid": "-3.155351115704879931570128112249982101901", "rad": "1e-20"}],
   [{"mid": "-11.55595118493813103202836895443949154048", "rad": "1e-20"}]], "fact": "readout >= 1"},
  {"rule": "theorem", "theorem": "all-labels", "uses": [4], "fact": "memorized(any) >= 1"}]},
{"statement": "proposition-1", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [{"key": [v(1 0), v(0 1)],
   "query": [v(1 0), v(0 1)]},
   {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 4, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(0)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 3"}]},
{"statement": "claim-1", "steps": [
  {"rule": "minor", "of": "rank(subset-queries)", "p": 7, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(subset-queries) >= 2"},
  {"rule": "minor", "of": "rank(subset-contexts)", "p": 7, "fact": "rank(subset-contexts) >= 2"},
  {"rule": "inverse", "of": "weights", "right_inverses": [[v(1 0), v(0 1)], [v(1 0), v(0 2 / 2)]],
   "left_inverse": [v(1 0), v(0 1)], "fact": "weights >= 1"}]},
{"statement": "claim-2", "steps": [
  {"rule": "ball", "of": "one_hot", "right_inverses": [[v(1 0), v(0 1)]], "left_inverse": [v(1 0)],
   "u": v(1 0), "v": v(0 1), "lambda": "9", "fact": "one_hot >= 1"}]},
{"statement": "finite-lambda", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [{"key": [v(1 0), v(0 1)],
   "query": [v(1 0), v(0 1)]},
   {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "inverse", "of": "tail_rank", "layer": 0, "lambda": "6", "rows": [0, 1, 2], "cols": [0, 1, 2],
   "inverse": [["5.005301", "2.841347", "-6.846648"], ["-1.841347", "0.322606", "2.518741"],
   ["-2.163953", "-2.163953", "4.327907"]], "scale": ["2", "1", "1"], "fact": "tail_rank >= 3"},
  {"rule": "let", "fact": "let Z(2)", "layer": {"rescaled": {"of": 0, "lambda": "1/2"}}},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [2, 0, 1], "cols": [0, 2, 1],
   "fact": "rank(Z(2)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 3"},
  {"rule": "minor", "of": "lambda_rank", "layer": 2, "p": 1000919, "g": 4, "rows": [2, 0, 1],
   "cols": [0, 2, 1], "fact": "lambda_rank >= 3"}]}])json")},
      // The same in base 2, where Z is rational and the inverse is exact.
      {"base-2", R"(format = 1
title = "Theorem 1 in base 2"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 3
base = "2"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [[1], [2], [-1]]
[[claim]]
statement = "theorem-1"
[[claim]]
statement = "skip-connection"
)",
       json_of(R"json([{"statement": "theorem-1", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [{"key": [v(1 0), v(0 1)],
   "query": [v(1 0), v(0 1)]},
   {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 2, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(0)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 3"},
  {"rule": "inverse", "of": "readout", "layer": 0, "cols": [1, 0, 2], "precision": 128,
   "inverse": [["-153/43", "-24/43", "220/43"], ["357/43", "228/43", "-542/43"],
   ["-153/43", "-153/43", "306/43"]], "weights": [[{"mid": "-421/43", "rad": "1e-20"}], [{"mid": "1355/43",
   "rad": "1e-20"}], [{"mid": "-765/43", "rad": "1e-20"}]], "fact": "readout >= 1"},
  {"rule": "theorem", "theorem": "all-labels", "uses": [2], "fact": "memorized(any) >= 1"}]},
{"statement": "skip-connection", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [{"key": [v(1 0), v(0 1)],
   "query": [v(1 0), v(0 1)]},
   {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 2, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(0)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 3"},
  {"rule": "inverse", "of": "readout", "layer": 0, "cols": [1, 0, 2], "precision": 128,
   "inverse": [["-153/43", "-24/43", "220/43"], ["357/43", "228/43", "-542/43"],
   ["-153/43", "-153/43", "306/43"]], "weights": [[{"mid": "-488/43", "rad": "1e-20"}], [{"mid": "1540/43",
   "rad": "1e-20"}], [{"mid": "-918/43", "rad": "1e-20"}]], "fact": "readout >= 1"},
  {"rule": "theorem", "theorem": "all-labels-skip", "uses": [2], "fact": "memorized(skip) >= 1"}]}])json")},
  };
}

}  // namespace attest::test
