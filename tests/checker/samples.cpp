#include "tests/checker/samples.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>

#include "input/errors.hpp"

namespace attest::test {
namespace {

// p = 1000919 is a safe prime and 7 mod 8, so 4 and 2 both have order q = 500459.

// Queries e, -e, f, -f over the shared context I: softmax(x) + softmax(-x) = 1, so z(e) + z(-e) = z(f) +
// z(-f) in every head and for all weights.
const char* const kOppositeCase = R"(format = 1
title = "opposite queries"
[layer]
heads = 3
context = 2
embed_dim = 2
head_dim = 2
examples = 4
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2], [-1, -2], ["3/2", 1], ["-3/2", -1]]
[weights]
key = [[[1, 0], [0, 1]], [[2, 1], [1, 1]], [[1, 3], [0, -1]]]
query = [[[1, 0], [0, 1]], [[1, 0], [1, 2]], [[0, 1], [1, 1]]]
[[claim]]
statement = "rank"
value = 3
[[claim]]
statement = "rank"
at_least = 4
expect = "refuted"
[[claim]]
statement = "rank"
expect = "undecided"
[[claim]]
statement = "proposition-2"
[[claim]]
statement = "proposition-5"
[[claim]]
statement = "affine-hull-bound"
[[claim]]
statement = "capacity"
value = 3
[[claim]]
statement = "capacity"
at_most = 4
)";

const char* const kOppositeClaims = R"json([
{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))",
                  "p" : 1000919, "g" : 4, "rows" : [ 0, 1, 2 ],
                  "cols" : [ 0, 1, 2 ],
                  "fact" : "rank(Z(given)) >= 3",
                  "label" : "three rows"
},
  {"rule": "zero", "of": "rank(Z(given))", "side": "left", "p": 1000003,
   "vectors": [[[0, "1"], [1, "1"], [2, "-1"], [3, "-1"]]], "fact": "rank(Z(given)) <= 3"}]
},
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
  {"rule": "minor", "of": "rank(affine-tokens)", "p": 4611686018427387847, "rows": [1, 0], "cols": [0, 2],
   "fact": "rank(affine-tokens) >= 2"},
  {"rule": "minor", "of": "rank(tokens)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(tokens) >= 2"},
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
  {"rule": "theorem", "theorem": "equal-examples", "uses": [], "fact": "capacity <= 4"}]}
])json";

// Two equal heads and one with zero weights; the kernel vectors say the same.
const char* const kEqualCase = R"(format = 1
title = "equal heads"
[layer]
heads = 3
context = 2
embed_dim = 2
head_dim = 2
examples = 3
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2], [3, 1], [0, 1]]
[weights]
combined = [[[1, 0], [0, 2]], [[1, 3], [0, 5]], [[0, 0], [0, 0]]]
[[claim]]
statement = "rank"
at_most = 2
[[claim]]
statement = "rank"
value = 2
)";

const char* const kEqualClaims = R"json([
{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "equal-heads", "layer": "given", "uses": [], "fact": "rank(Z(given)) <= 3"},
  {"rule": "theorem", "theorem": "constant-heads", "layer": "given", "uses": [], "fact": "rank(Z(given)) <= 2"}]},
{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))", "side": "right", "p": 1000919, "g": 4, "vectors": [
    [[0, "1"], [2, "-1"]], [[1, [["1", "1"]]], [3, [["-1", "1"]]]], [[4, "1"], [5, "-1"]],
    [[0, "1"], [1, "1"], [4, [["-3", "0"], ["1", "0"]]]]], "fact": "rank(Z(given)) <= 2"
},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"}]
}
])json";

// Scalar tokens 1 and 2 with logits q and 2 q: a left kernel vector whose entries are sums of powers of b.
const char* const kScalarCase = R"(format = 1
title = "a kernel over the group ring"
[layer]
heads = 1
context = 2
embed_dim = 1
head_dim = 1
examples = 2
base = "2"
logit_scale = "1/2"
[data]
contexts = [[1], [2]]
queries = [[1], [2]]
[weights]
key = [[[1]]]
query = [[[1]]]
[[claim]]
statement = "rank"
value = 1
)";

const char* const kScalarClaims = R"json([
{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))",
                  "side" : "left",
                  "p" : 1000919,
                  "g" : 2,
                  "vectors" : [[
                    [ 0, [ [ "1", "3/2" ], [ "1", "2" ], [ "2", "5/2" ], [ "2", "3" ] ] ],
                    [ 1, [ [ "-1", "3/2" ], [ "-2", "2" ], [ "-1", "5/2" ], [ "-2", "3" ] ] ]
                  ]],
                  "fact" : "rank(Z(given)) <= 1"
},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 2, "rows": [1], "cols": [0],
   "fact": "rank(Z(given)) >= 1"}]
}
])json";

// Equal queries: both rows of Z are (b^x, 1)/(b^x + 1), and (1, -b^x) is in the right kernel. The scale is
// not in x. With biases.
const char* const kIrrationalCase = R"case(format = 1
title = "an irrational scale"
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 2
examples = 2
base = "2"
logit_scale = "1/sqrt(2)"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 1], [1, 1]]
[weights]
key = [[[1, 0], [0, 1]]]
query = [[[2, "1/3"], [1, 0]]]
query_bias = [[0, "1/3"]]
[[claim]]
statement = "rank"
value = 1
)case";

const char* const kIrrationalClaims = R"json([
{"statement": "rank", "steps": [
  {"rule": "zero", "of": "rank(Z(given))",
                  "side" : "right",
                  "p" : 1000919,
                  "g" : 4,
                  "vectors" : [[ [ 0, "1" ], [ 1, [[ "-1", "7/3" ]] ] ]],
                  "fact" : "rank(Z(given)) <= 1"
},
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [1], "cols": [1],
   "fact": "rank(Z(given)) >= 1"},
  {"rule": "theorem", "theorem": "equal-rows", "uses": [], "layer": "given", "fact": "rank(Z(given)) <= 1"}]
}
])json";

// Translates of one context: the tokens span the space, the differences within contexts one dimension.
const char* const kTranslatesCase = R"(format = 1
title = "translates"
[layer]
heads = 2
context = 2
embed_dim = 3
head_dim = 1
examples = 6
[data]
contexts = [[[0, 0, 0], [1, 2, 0]], [[1, 0, 0], [2, 2, 0]], [[0, 1, 0], [1, 3, 0]], [[0, 0, 1], [1, 2, 1]],
  [[1, 1, 1], [2, 3, 1]], [[2, -1, 3], [3, 1, 3]]]
queries = [[1, 2, 3], [1, -1, 0], [0, 5, 2], [1, 1, 0], [2, 0, 1], [4, 1, 1]]
[[claim]]
statement = "capacity"
at_most = 4
[[claim]]
statement = "any-coefficients"
at_least = 5
expect = "refuted"
)";

const char* const kTranslatesClaims = R"json([
{"statement": "capacity", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "p": 101,
   "vectors": [[[0, "2"], [1, "-1"]], [[2, "1"]]], "fact": "rank(differences) <= 1"},
  {"rule": "theorem", "theorem": "context-hulls", "uses": [0], "fact": "rank(Z(any)) <= 4"},
  {"rule": "theorem", "theorem": "any-weights", "uses": [1], "fact": "capacity <= 4"},
  {"rule": "minor", "of": "rank(differences)", "p": 101, "rows": [3], "cols": [1], "fact": "rank(differences) >= 1"}]},
{"statement": "any-coefficients", "steps": [
  {"rule": "zero", "of": "rank(differences)", "side": "right", "p": 101,
   "vectors": [[[0, "2"], [1, "-1"]], [[2, "1"]]], "fact": "rank(differences) <= 1"},
  {"rule": "theorem", "theorem": "context-hulls", "uses": [0], "fact": "rank(Z(any)) <= 4"}]}
])json";

// Points of the moment curve are in general position.
const char* const kMomentCase = R"(format = 1
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
)";

const char* const kMomentClaims = R"json([
{"statement": "kruskal-rank", "steps": [{"rule": "subsets", "of": "kruskal(queries)",
                  "k" : 3, "p" : 4611686018427387847, "method" : "subsets", "fact" : "kruskal(queries) >= 3"
}]
},
{"statement": "general-position", "steps": [{"rule": "subsets", "of": "kruskal(queries)", "k": 3, "p": 1000003,
  "method": "dual", "fact": "kruskal(queries) >= 3"}]},
{"statement": "assumption-1", "steps": [{"rule": "subsets", "of": "kruskal(queries)", "k": 2, "p": 101,
  "method": "subsets", "fact": "kruskal(queries) >= 2"}]},
{"statement": "assumption-2", "steps": [{"rule": "minor", "of": "rank(contexts)", "p": 101,
  "fact": "rank(contexts) >= 2"}]}
])json";

// Query 3 is a multiple of query 1; context 1 is singular and differs from context 0, also in the sums of its
// tokens.
const char* const kDependentCase = R"(format = 1
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
)";

const char* const kDependentClaims = R"json([
{"statement": "kruskal-rank", "steps": [{"rule": "zero", "of": "kruskal(queries)",
                  "side" : "left",
                  "p" : 1000003,
                  "vectors" : [[ [ 1, "1" ], [ 3, "3" ] ]],
                  "fact" : "kruskal(queries) <= 1"
}]
},
{"statement": "assumption-2", "steps": [{"rule": "zero", "of": "rank(contexts)", "side": "left", "p": 1000003,
  "member": 1, "vectors": [[[0, "2"], [1, "-1"]]], "fact": "rank(contexts) <= 1"}]},
{"statement": "proposition-2", "steps": []},
{"statement": "proposition-5", "steps": []},
{"statement": "theorem-1", "steps": []},
{"statement": "claim-1", "steps": [{"rule": "zero", "of": "rank(subset-queries)", "side": "left", "p": 7,
  "vectors": [[[0, "1"], [1, "3"]]], "fact": "rank(subset-queries) <= 1"}]},
{"statement": "claim-1", "steps": [{"rule": "zero", "of": "rank(subset-contexts)", "side": "left", "p": 7,
  "member": 1, "vectors": [[[0, "2"], [1, "-1"]]], "fact": "rank(subset-contexts) <= 1"}]},
{"statement": "claim-2", "steps": []}
])json";

// Proposition 1 executed by hand: head 0 takes examples 0 and 1, head 1 takes example 2 and separates the
// others.
const char* const kTheoremCase = R"(format = 1
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
)";

const char* const kTheoremClaims = R"json([
{"statement": "theorem-1", "steps": [
  {"rule": "subsets", "of": "kruskal(queries)",
                  "k" : 2, "p" : 1000003, "method" : "dual", "fact" : "kruskal(queries) >= 2"
},
  {"rule": "minor", "of": "rank(contexts)", "p": 1000003, "fact": "rank(contexts) >= 2"},
  {"rule": "let", "fact": "let Z(2)", "layer": {"heads": [
    {"key": [v(1 0), v(0 1)], "query": [v(1 0), v(0 1)]},
    {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(2)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 3"},
  {"rule": "inverse", "of": "readout", "layer": 2, "cols": [0, 1, 2], "precision": 128, "inverse": [
    ["5.108673170575603984036655894561", "2.944719756836951135266651884343", "-7.053392927412555119303307778904"],
    ["-1.729442271384167695576028028581", "0.434511142354485153193975981637", "2.294931129029682542382052046944"],
    ["-2.311190236987626206405673790888", "-2.311190236987626206405673790888", "4.622380473975252412811347581776"]],
   "weights": [[{"mid": "18.05150561166206137387326744215052344364", "rad": "1e-20"}],
               [{"mid": "-3.155351115704879931570128112249982101901", "rad": "1e-20"}],
               [{"mid": "-11.55595118493813103202836895443949154048", "rad": "1e-20"}]],
   "fact": "readout >= 1"}]
},
{"statement": "proposition-1", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [
    {"key": [v(1 0), v(0 1)], "query": [v(1 0), v(0 1)]},
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
   "u": v(1 0), "v": v(0 1), "lambda": "5", "fact": "one_hot >= 1"}]},
{"statement": "finite-lambda", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [
    {"key": [v(1 0), v(0 1)], "query": [v(1 0), v(0 1)]},
    {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "inverse", "of": "tail_rank", "layer": 0, "lambda": "6", "rows": [0, 1, 2], "cols": [0, 1, 2],
   "inverse": [["5.005301", "2.841347", "-6.846648"], ["-1.841347", "0.322606", "2.518741"],
               ["-2.163953", "-2.163953", "4.327907"]], "scale": ["2", "1", "1"], "fact": "tail_rank >= 3"},
  {"rule": "let", "fact": "let Z(2)", "layer": {"rescaled": {"of": 0, "lambda": "1/2"}}},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [2, 0, 1], "cols": [0, 2, 1],
   "fact": "rank(Z(2)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 3"}]}
])json";

// The same in base 2, where the weights are fractions.
const char* const kExactCase = R"(format = 1
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
)";

const char* const kExactClaims = R"json([
{"statement": "theorem-1", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [
    {"key": [v(1 0), v(0 1)], "query": [v(1 0), v(0 1)]},
    {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 2, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(0)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 3"},
  {"rule": "inverse", "of": "readout", "layer": 0, "cols": [1, 0, 2],
   "weights": [["-421/43"], ["1355/43"], ["-765/43"]], "fact": "readout >= 1"}]},
{"statement": "skip-connection", "steps": [
  {"rule": "let", "fact": "let Z(0)", "layer": {"heads": [
    {"key": [v(1 0), v(0 1)], "query": [v(1 0), v(0 1)]},
    {"key": [v(1 0)], "query": [v(1 0)], "separator": {"u": v(1 0), "v": v(1 -1), "lambda": "3"}}]}},
  {"rule": "minor", "of": "rank(Z(0))", "p": 1000919, "g": 2, "rows": [0, 1, 2], "cols": [0, 1, 2],
   "fact": "rank(Z(0)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [1], "layer": 0, "fact": "capacity >= 3"},
  {"rule": "inverse", "of": "readout", "layer": 0, "cols": [1, 0, 2],
   "weights": [["-488/43"], ["1540/43"], ["-918/43"]], "fact": "readout >= 1"}]}
])json";

const char* const kLemmasCase = R"(format = 1
title = "matrices, without a layer"
[[claim]]
statement = "lemma-1"
a = [[1, 2], [2, 4]]
b = [[0, 1], [1, 0]]
c = [[1, "1/1"]]
[[claim]]
statement = "lemma-2"
vectors = [[1, 0, 0], [0, 1, 0]]
c = "1/2"
[[claim]]
statement = "lemma-2"
vectors = [[1, 0], [0, 1]]
c = "-1/2"
expect = "refuted"
[[claim]]
statement = "lemma-2"
vectors = [[1, 2], [2, 4]]
c = 1
expect = "inapplicable"
[[claim]]
statement = "lemma-5"
a = [[2, 0], [0, 1], [0, 0]]
b = [[2, "1/4"], [0, 1], [0, "1/4"]]
[[claim]]
statement = "lemma-5"
a = [[1, 0], [0, 1]]
b = [[0, 0], [0, 1]]
expect = "inapplicable"
[[claim]]
statement = "lemma-5"
a = [[0, 0]]
b = [[1, 0]]
[[claim]]
statement = "lemma-1"
a = [[1]]
b = [[1]]
c = [[1]]
expect = "undecided"
)";

const char* const kLemmasClaims = R"json([
{"statement": "lemma-1", "steps": [
  {"rule": "zero", "of": "rank(a)",
                  "side" : "right",
                  "p" : 101,
                  "vectors" : [[ [ 0, "-2" ], [ 1, "1" ] ]],
                  "fact" : "rank(a) <= 1"
},
  {"rule": "minor", "of": "rank(block)", "p": 101, "rows": [0, 1, 2], "cols": [0, 2, 3],
   "fact": "rank(block) >= 3"}]
},
{"statement": "lemma-2", "steps": [
  {"rule": "minor", "of": "rank(vectors)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(vectors) >= 2"},
  {"rule": "minor", "of": "rank(shifted)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(shifted) >= 2"}]},
{"statement": "lemma-2", "steps": [
  {"rule": "minor", "of": "rank(vectors)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(vectors) >= 2"},
  {"rule": "zero", "of": "rank(shifted)", "side": "left", "p": 101, "vectors": [[[0, "1"], [1, "1"]]],
   "fact": "rank(shifted) <= 1"}]},
{"statement": "lemma-2", "steps": [
  {"rule": "zero", "of": "rank(vectors)", "side": "left", "p": 101, "vectors": [[[0, "2"], [1, "-1"]]],
   "fact": "rank(vectors) <= 1"}]},
{"statement": "lemma-5", "steps": [
  {"rule": "zero", "of": "rank(a)", "side": "right", "p": 101, "vectors": [], "fact": "rank(a) <= 2"},
  {"rule": "compare", "of": "perturbation", "mu": "1/2", "side": "holds", "uses": [0], "fact": "perturbation >= 1"},
  {"rule": "minor", "of": "rank(b)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(b) >= 2"}]},
{"statement": "lemma-5", "steps": [
  {"rule": "minor", "of": "rank(a)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(a) >= 2"},
  {"rule": "compare", "of": "perturbation", "mu": "1", "side": "fails", "uses": [0], "fact": "perturbation <= 0"}]},
{"statement": "lemma-5", "steps": [
  {"rule": "zero", "of": "rank(a)", "side": "right", "p": 101, "vectors": [[[0, "1"]], [[1, "1"]]],
   "fact": "rank(a) <= 0"},
  {"rule": "theorem", "theorem": "zero-matrix", "uses": [0], "fact": "perturbation >= 1"}]},
{"statement": "lemma-1", "steps": []}
])json";

// Queries in general position over the shared context I; one head, so three examples are too many for
// Theorem 1.
const char* const kSeparatedCase = R"(format = 1
title = "one head"
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 2
examples = 3
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [1, 2, 3]
[[claim]]
statement = "lemma-3"
[[claim]]
statement = "lemma-3"
subset = [0]
[[claim]]
statement = "lemma-4"
example = 2
w_star = [[0, 0], [0, 1]]
w_prime = [[2, 0], [0, 1]]
epsilon = "1/100"
[[claim]]
statement = "lemma-4"
example = 2
w_star = [[0, 0], [0, 1]]
w_prime = [[1, 0], [0, 1]]
epsilon = "1/100"
expect = "inapplicable"
[[claim]]
statement = "assumption-3"
[[claim]]
statement = "proposition-4"
[[claim]]
statement = "skip-connection"
expect = "inapplicable"
[[claim]]
statement = "remark-1"
expect = "undecided"
)";

const char* const kSeparatedClaims = R"json([
{"statement": "lemma-3", "steps": [
  {"rule": "compare", "of": "separator", "u": v(1 0), "v": v(1 -1), "fact": "separator >= 1"}]},
{"statement": "lemma-3", "steps": [
  {"rule": "compare", "of": "separator", "u": v(1 0), "v": v(0 1), "fact": "separator >= 1"}]},
{"statement": "lemma-4", "steps": [
  {"rule": "ball", "of": "vertex_limit", "vertex": 0, "lambda": "7", "fact": "vertex_limit >= 1"}]},
{"statement": "lemma-4", "steps": []},
{"statement": "assumption-3", "steps": [
  {"rule": "subsets", "of": "kruskal(mixed-queries)",
                  "k" : 2, "p" : 1000003, "method" : "dual", "fact" : "kruskal(mixed-queries) >= 2"
}]
},
{"statement": "proposition-4", "steps": [
  {"rule": "subsets", "of": "kruskal(mixed-queries)", "k": 2, "p": 1000003, "method": "subsets",
   "fact": "kruskal(mixed-queries) >= 2"},
  {"rule": "minor", "of": "rank(mixed-contexts)", "p": 1000003, "fact": "rank(mixed-contexts) >= 2"}]},
{"statement": "skip-connection", "steps": []},
{"statement": "remark-1", "steps": []}
])json";

// A query that is zero; with the mean of the tokens added the two are multiples of each other.
const char* const kDegenerateCase = R"(format = 1
title = "a zero query"
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 2
examples = 2
[data]
contexts = [[1, 0], [0, 1]]
queries = [[0, 0], [1, 1]]
[[claim]]
statement = "remark-1"
[[claim]]
statement = "assumption-3"
expect = "refuted"
[[claim]]
statement = "proposition-4"
expect = "inapplicable"
)";

const char* const kDegenerateClaims = R"json([
{"statement": "remark-1", "steps": [
  {"rule": "zero", "of": "kruskal(queries)",
                  "side" : "left",
                  "p" : 1000003,
                  "vectors" : [[ [ 0, "1" ], [ 1, "0" ] ]],
                  "fact" : "kruskal(queries) <= 0"
}]
},
{"statement": "assumption-3", "steps": [
  {"rule": "zero", "of": "kruskal(mixed-queries)", "side": "left", "p": 1000003, "vectors": [[[0, "3"], [1, "-1"]]],
   "fact": "kruskal(mixed-queries) <= 1"}]},
{"statement": "proposition-4", "steps": [
  {"rule": "zero", "of": "kruskal(mixed-queries)", "side": "left", "p": 1000003, "vectors": [[[0, "3"], [1, "-1"]]],
   "fact": "kruskal(mixed-queries) <= 1"}]}
])json";

// The data set that Proposition 3 has of its own: queries (1, x) with x = -2, ..., 1.
const char* const kNetworkCase = R"(format = 1
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
)";

const char* const kNetworkClaims = R"json([
{"statement": "proposition-3", "steps": [
  {"rule": "theorem", "theorem": "moment-curve", "uses": [], "fact": "kruskal(queries) >= 2"},
  {"rule": "minor", "of": "rank(contexts)",
                  "p" : 1000003, "fact" : "rank(contexts) >= 1"
},
  {"rule": "theorem", "theorem": "integer-labels", "uses": [], "fact": "network(integer) <= 0"}]
},
{"statement": "proposition-3", "steps": [
  {"rule": "theorem", "theorem": "transcendental-labels", "uses": [], "fact": "network(transcendental) <= 0"}]},
{"statement": "proposition-3", "steps": []}
])json";

// f(x) = max(0, x) - 2 max(0, x - 1) has the values 0, 1, 0 at 0, 1, 2; one neuron, convex or not positive,
// has not.
const char* const kGivenCase = R"(format = 1
title = "labels that two neurons fit and one does not"
[layer]
heads = 1
context = 1
embed_dim = 1
head_dim = 1
examples = 3
[data]
contexts = [[1]]
queries = [[0], [1], [2]]
labels = [0, 1, 0]
[[claim]]
statement = "proposition-3"
neurons = 1
labels = "given"
expect = "refuted"
[[claim]]
statement = "proposition-3"
neurons = 2
labels = "given"
[[claim]]
statement = "proposition-3"
neurons = 2
output_bias = true
labels = "given"
)";

const char* const kGivenClaims = R"json([
{"statement": "proposition-3", "steps": [{"rule": "split", "of": "network(given)", "trees": [
  [{"examples": ["0", "1", "0"], "neurons": [["0", "0", "0"]], "order": []}],
  [{"neuron": 0, "example": 1},
   {"examples": ["-1", "2", "-1"], "neurons": [["1", "-2", "1"]], "order": []},
   {"examples": ["0", "1", "0"], "neurons": [["0", "0", "0"]], "order": []}]], "fact": "network(given) <= 0"
}]
},
{"statement": "proposition-3", "steps": [{"rule": "compare", "of": "network(given)", "neurons": [
  {"w": ["0", "1"], "b": "0", "a": "1"}, {"w": ["-1", "1"], "b": "0", "a": "-2"}], "fact": "network(given) >= 1"}]},
{"statement": "proposition-3", "steps": [{"rule": "compare", "of": "network(given)", "neurons": [
  {"w": ["1", "-1"], "b": "0", "a": "-1"}, {"w": ["0", "1"], "b": "-1", "a": "-1"}], "output_bias": "1",
  "fact": "network(given) >= 1"}]}
])json";

const char* const kEncodingCase = R"(format = 1
title = "an encoding"
[layer]
context = 2
embed_dim = 3
[[claim]]
statement = "positional-encoding"
)";

const char* const kEncodingClaims = R"json([
{"statement": "positional-encoding", "steps": [
  {"rule": "theorem", "theorem": "vandermonde-encoding", "uses": [], "fact": "rank(encoding) >= 2"}]}
])json";

// Positions of a sequence, each with the tokens up to it: 1, 2, 1 and 2 tokens.
const char* const kListedCase = R"(format = 1
[layer]
heads = 2
context = 3
embed_dim = 2
head_dim = 2
examples = 4
[data]
hidden = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [1, 2], ["1/3", 0]]]
positions = [0, 1]
causal = true
[weights]
key = [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]
query = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
[[claim]]
statement = "rank"
at_least = 2
[[claim]]
statement = "rank"
expect = "undecided"
)";

const char* const kListedClaims = R"json([
{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 3], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"}]},
{"statement": "rank", "steps": []}
])json";

// The same with what the softmax sees.
const char* const kProjectedCase = R"(format = 1
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 1
examples = 2
[data]
contexts = [[1, 0], [0, 1]]
[weights]
projected_queries = [[[1], [2]], [[3], ["1/2"]]]
projected_keys = [[[[1]], [[2]]], [[[0]], [[5]]]]
[[claim]]
statement = "rank"
value = 2
[[claim]]
statement = "rank"
expect = "undecided"
[[claim]]   # the singular values are 1.788... and 0.238...
statement = "numerical-rank"
tolerance = 1
)";

const char* const kProjectedClaims = R"json([
{"statement": "rank", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"}]},
{"statement": "rank", "steps": [
  {"rule": "theorem", "theorem": "equal-rows", "uses": [], "layer": "given", "fact": "rank(Z(given)) <= 2"}]},
{"statement": "numerical-rank", "steps": [
  {"rule": "ball", "of": "numerical_rank", "side": "above", "bits": 16, "vectors": [["7", "8"]],
   "fact": "numerical_rank >= 1"},
  {"rule": "ball", "of": "numerical_rank", "side": "below", "bits": 12, "vectors": [["8", "-7"]],
   "fact": "numerical_rank <= 1"}]}
])json";

// Examples 0 and 2 are the same, and so are their labels in the first column; the logits of the one head are
// 2, 0 and 0, 1 and 2, 0.
const char* const kLabelledCase = R"(format = 1
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 2
examples = 3
[data]
contexts = [[1, 0], [0, 1]]
labels = [5, 7, 5]
[weights]
logits = [[[2, 0]], [[0, 1]], [[2, 0]]]
[[claim]]
statement = "memorizes"
[[claim]]
statement = "injective"
expect = "refuted"
[[claim]]
statement = "saturation"
threshold = "0.8"
value = 2
[[claim]]
statement = "memorizes"
expect = "undecided"
[[claim]]   # the singular values are 1.327... and 0.652...
statement = "numerical-rank"
tolerance = 1
value = 1
[[claim]]
statement = "numerical-rank"
tolerance = "1/2"
)";

const char* const kLabelledClaims = R"json([
{"statement": "memorizes", "steps": [
  {"rule": "minor", "of": "rank(Z(given))", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(Z(given)) >= 2"},
  {"rule": "zero", "of": "rank(Z|Y)", "side": "left", "vectors": [[[0, "1"], [2, "-1"]]], "p": 101,
   "fact": "rank(Z|Y) <= 2"}]},
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
  {"rule": "ball", "of": "numerical_rank", "side": "above", "bits": 30, "vectors": [["30", "10"], ["1", "-3"]],
   "fact": "numerical_rank >= 2"}]}
])json";

// With s = 2^e / (2^e + 1), e the query, the heads put out 2 s + 1 and 6 - 4 s, u = e + 2 - 2 s, and the
// scores are u - 1 and 3 - u: class 0 is right when e > 2 s, for the second example and the third. The first
// scores are -1/3 + 1, 2/5 + 1 and 11/9 + 1.
const char* const kWholeCase = R"(format = 1
[layer]
heads = 2
context = 2
embed_dim = 1
head_dim = 1
examples = 3
output_dim = 2
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
[[claim]]
statement = "accuracy"
classes = [0, 0, 0]
value = 2
[[claim]]
statement = "accuracy"
classes = [1, 1, 1]
expect = "refuted"
at_least = 2
[[claim]]
statement = "accuracy"
epsilon = "1/100"
expect = "undecided"
[[claim]]
statement = "accuracy"
epsilon = "6"
at_least = 3
[[claim]]
statement = "rank"
expect = "undecided"
)";

const char* const kWholeClaims = R"json([
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "above", "count": 2, "precision": 64, "fact": "accurate >= 2"},
  {"rule": "ball", "of": "accurate", "side": "below", "count": 1, "precision": 64, "fact": "accurate <= 2"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "below", "count": 2, "precision": 64, "fact": "accurate <= 1"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "below", "count": 2, "precision": 64, "fact": "accurate <= 1"}]},
{"statement": "accuracy", "steps": [
  {"rule": "ball", "of": "accurate", "side": "above", "count": 3, "precision": 64, "fact": "accurate >= 3"}]},
{"statement": "rank", "steps": []}
])json";

}  // namespace

Json json_of(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  static const std::regex vector(R"(v\(([^()/]*)(/ *([0-9]+))?\))");
  std::smatch found;
  while (std::regex_search(text, found, vector)) {
    const std::string den = found[3].matched ? found[3].str() : "1";
    std::string entries = std::regex_replace(found[1].str(), std::regex(" *$"), "");
    entries = "\"" + std::regex_replace(entries, std::regex(" +"), "\", \"") + "\"";
    text = found.prefix().str() + R"({"den": ")" + den + R"(", "num": [)" + entries + "]}" +
           found.suffix().str();
  }
  return Json::parse(text);
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      {"opposite", kOppositeCase, json_of(kOppositeClaims)},
      {"equal", kEqualCase, json_of(kEqualClaims)},
      {"scalar", kScalarCase, json_of(kScalarClaims)},
      {"irrational", kIrrationalCase, json_of(kIrrationalClaims)},
      {"translates", kTranslatesCase, json_of(kTranslatesClaims)},
      {"moment", kMomentCase, json_of(kMomentClaims)},
      {"dependent", kDependentCase, json_of(kDependentClaims)},
      {"theorem", kTheoremCase, json_of(kTheoremClaims)},
      {"exact", kExactCase, json_of(kExactClaims)},
      {"lemmas", kLemmasCase, json_of(kLemmasClaims)},
      {"separated", kSeparatedCase, json_of(kSeparatedClaims)},
      {"degenerate", kDegenerateCase, json_of(kDegenerateClaims)},
      {"network", kNetworkCase, json_of(kNetworkClaims)},
      {"given", kGivenCase, json_of(kGivenClaims)},
      {"encoding", kEncodingCase, json_of(kEncodingClaims)},
      {"labelled", kLabelledCase, json_of(kLabelledClaims)},
      {"whole", kWholeCase, json_of(kWholeClaims)},
      {"listed", kListedCase, json_of(kListedClaims)},
      {"projected", kProjectedCase, json_of(kProjectedClaims)},
  };
  return all;
}

const Sample& sample(const std::string& name) {
  for (const Sample& candidate : samples()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no sample " + name);
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "attest-checker-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
}

std::filesystem::path Folder::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path_ / name, std::ios::binary) << bytes;
  return path_ / name;
}

Case case_of(const std::string& toml) {
  const Folder folder;
  return read_case(folder.write("case.toml", toml));
}

Json certificate_of(const checker::Problem& problem, const Json& claims) {
  return {{"format", "attest-certificate/2"},
          {"attest", "test"},
          {"case", {{"path", "case.toml"}, {"digest", problem.digest()}}},
          {"claims", claims}};
}

std::string verdict(const checker::Problem& problem, const std::string& bytes) {
  try {
    std::string text = "valid:";
    for (const checker::ClaimReport& claim : checker::check(problem, bytes))
      text += (text.back() == ':' ? " " : ", ") + verdict_text(claim.finding);
    return text;
  } catch (const Failure& rejection) {
    return std::string("rejected: ") + rejection.what();
  } catch (const InputError& error) {
    return std::string("bad input: ") + error.what();
  } catch (const LimitError& error) {
    return std::string("limit: ") + error.what();
  }
}

std::string verdict_after(const std::string& name, const std::function<void(Json&)>& change) {
  static std::map<std::string, std::unique_ptr<Case>> cases;
  std::unique_ptr<Case>& source = cases[name];
  if (!source) source = std::make_unique<Case>(case_of(sample(name).toml));
  Json claims = sample(name).claims;
  change(claims);
  const checker::Problem problem(*source);
  return verdict(problem, certificate_of(problem, claims).dump());
}

std::string verdict_with(const std::string& name, const std::string& pointer, const Json& value) {
  return verdict_after(name, [&](Json& claims) { claims[Json::json_pointer(pointer)] = value; });
}

std::string verdict_with_case(const std::string& name, const std::string& from, const std::string& to) {
  std::string toml = sample(name).toml;
  const std::size_t place = toml.find(from);
  if (place == std::string::npos) throw std::logic_error("no such text in the sample: " + from);
  const Case source = case_of(toml.replace(place, from.size(), to));
  const checker::Problem problem(source);
  return verdict(problem, certificate_of(problem, sample(name).claims).dump());
}

}  // namespace attest::test
