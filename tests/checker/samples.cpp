#include "tests/checker/samples.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "checker/layer.hpp"
#include "input/sha256.hpp"

namespace attest::test {
namespace {

// p = 1000919 is a safe prime and 7 mod 8, so 4 and 2 both have order q = 500459.

// Queries e, -e, f, -f over the shared context I: softmax(x) + softmax(-x) = 1, so z(e) + z(-e) = z(f) +
// z(-f) in every head.
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
)";

const char* const kOppositeClaims = R"([
{"index": 0, "statement": "rank", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 4, "affine_hull": 4}, "rank": {"lower": 3, "upper": 3}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "functionals",
   "functionals": [{"v": {"den": "2", "num": ["1", "1"]}, "c": "1/2"}], "p": 1000003, "bound": 4},
  {"argument": "token-minor", "theorem": "modular-rank", "p": 4611686018427387847, "tokens": [[0, 0], [0, 1]],
   "cols": [0, 2], "affine": true},
  {"argument": "left-kernel", "theorem": "lindemann-weierstrass", "layer": "given",
   "vectors": [{"entries": [[0, [["1", "0"]]], [1, [["1", "0"]]], [2, [["-1", "0"]]], [3, [["-1", "0"]]]]}],
   "p": 1000919, "g": 4, "bound": 3},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "given", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]}]},
{"index": 1, "statement": "rank", "verdict": "refuted",
 "result": {"bounds": {"paper_lower": 4, "affine_hull": 4}, "rank": {"lower": 0, "upper": 3}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 4},
  {"argument": "left-kernel", "theorem": "lindemann-weierstrass", "layer": "given",
   "vectors": [{"entries": [[0, [["1", "1/2"]]], [1, [["1", "1/2"]]], [2, [["-1", "1/2"]]], [3, [["-1", "1/2"]]]]}],
   "p": 1000919, "g": 4, "bound": 3}]},
{"index": 2, "statement": "rank", "verdict": "undecided", "reason": "no kernel vector was looked for",
 "result": {"bounds": {"paper_lower": 4, "affine_hull": 4}, "rank": {"lower": 3, "upper": 4}},
 "steps": [
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "given", "p": 1000919, "g": 4,
   "rows": [0, 1, 3], "cols": [0, 1, 4]}]},
{"index": 3, "statement": "proposition-2", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 4, "affine_hull": 4}, "rank": {"lower": 0, "upper": 3},
            "hypotheses": {"shared-context": "holds"}, "conclusion": "proved", "tight": false},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[2, 0], [1, 1]], "bound": 4},
  {"argument": "left-kernel", "theorem": "lindemann-weierstrass", "layer": "given",
   "vectors": [{"entries": [[0, [["2", "1"]]], [1, [["2", "1"]]], [2, [["-2", "1"]]], [3, [["-2", "1"]]]]}],
   "p": 1000919, "g": 4, "bound": 3}]},
{"index": 4, "statement": "proposition-5", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 4, "affine_hull": 4}, "hypotheses": {"constant-sum": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "functionals",
   "functionals": [{"v": {"den": "1", "num": ["1", "1"]}, "c": "1"}], "p": 1000003, "bound": 4}]},
{"index": 5, "statement": "affine-hull-bound", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 4, "affine_hull": 4}, "rank": {"lower": 2, "upper": 4}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "functionals",
   "functionals": [{"v": {"den": "1", "num": ["1", "1"]}, "c": "1"}], "p": 1000003, "bound": 4},
  {"argument": "random", "theorem": "definition", "kind": "integers", "bound": 9, "seed": 1},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "random", "p": 1000919, "g": 4,
   "rows": [0, 2], "cols": [0, 3]}]}
])";

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
)";

const char* const kEqualClaims = R"([
{"index": 0, "statement": "rank", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 3}, "rank": {"lower": 0, "upper": 2}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 4},
  {"argument": "structure", "theorem": "equal-and-constant-heads", "layer": "given", "distinct": [0], "equal": [[0, 1]],
   "constant": [2], "bound": 2}]},
{"index": 1, "statement": "rank", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 3}, "rank": {"lower": 2, "upper": 2}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "functionals", "functionals": [], "p": 7, "bound": 7},
  {"argument": "right-kernel", "theorem": "lindemann-weierstrass", "layer": "given",
   "vectors": [{"entries": [[0, [["1", "0"]]], [2, [["-1", "0"]]]]}, {"entries": [[1, [["1", "1"]]], [3, [["-1", "1"]]]]},
               {"entries": [[4, [["1", "0"]]], [5, [["-1", "0"]]]]},
               {"entries": [[0, [["1", "0"]]], [1, [["1", "0"]]], [4, [["-3", "0"], ["1", "0"]]]]}],
   "p": 1000919, "g": 4, "bound": 2},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "given", "p": 1000919, "g": 4,
   "rows": [0, 1], "cols": [0, 1]}]}
])";

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

const char* const kScalarClaims = R"([
{"index": 0, "statement": "rank", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 1, "affine_hull": 1}, "rank": {"lower": 1, "upper": 1}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 2},
  {"argument": "left-kernel", "theorem": "base-2", "layer": "given",
   "vectors": [{"entries": [[0, [["1", "3/2"], ["1", "2"], ["2", "5/2"], ["2", "3"]]],
                            [1, [["-1", "3/2"], ["-2", "2"], ["-1", "5/2"], ["-2", "3"]]]]}],
   "p": 1000919, "g": 2, "bound": 1},
  {"argument": "character-minor", "theorem": "base-2", "layer": "given", "p": 1000919, "g": 2, "rows": [1], "cols": [0]}]}
])";

// Equal queries: both rows of Z are (b^x, 1)/(b^x + 1), and (1, -b^x) is in the right kernel. The scale is
// not in x.
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
[[claim]]
statement = "rank"
value = 1
)case";

const char* const kIrrationalClaims = R"([
{"index": 0, "statement": "rank", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 2, "affine_hull": 2}, "rank": {"lower": 1, "upper": 1}},
 "steps": [
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 2},
  {"argument": "right-kernel", "theorem": "gelfond-schneider", "layer": "given",
   "vectors": [{"entries": [[0, [["1", "0"]]], [1, [["-1", "8/3"]]]]}], "p": 1000919, "g": 4, "bound": 1},
  {"argument": "character-minor", "theorem": "gelfond-schneider", "layer": "given", "p": 1000919, "g": 4, "rows": [1], "cols": [1]}]}
])";

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

const char* const kMomentClaims = R"([
{"index": 0, "statement": "kruskal-rank", "verdict": "verified", "result": {"kruskal_rank": {"lower": 3, "upper": 3}},
 "steps": [{"argument": "kruskal-lower", "theorem": "subset-independence", "k": 3, "p": 4611686018427387847, "method": "subsets"}]},
{"index": 1, "statement": "general-position", "verdict": "verified", "result": {"kruskal_rank": {"lower": 3, "upper": 3}},
 "steps": [{"argument": "kruskal-lower", "theorem": "subset-independence", "k": 3, "p": 1000003, "method": "dual"}]},
{"index": 2, "statement": "assumption-1", "verdict": "verified", "result": {"kruskal_rank": {"lower": 2, "upper": 3}},
 "steps": [{"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 101, "method": "subsets"}]},
{"index": 3, "statement": "assumption-2", "verdict": "verified", "result": {},
 "steps": [{"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 101}]}
])";

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
statement = "general-position"
expect = "refuted"
[[claim]]
statement = "assumption-1"
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
statement = "proposition-1"
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
statement = "claim-1"
subset = [0, 1, 2]
coefficients = [["1/2", "1/2"], ["1/3", "2/3"], ["1/3", "2/3"]]
expect = "inapplicable"
[[claim]]
statement = "claim-2"
subset = [0, 2]
coefficients = [["1/2", "1/2"], ["1/3", "2/3"]]
epsilon = 1
expect = "inapplicable"
)";

const char* const kDependentClaims = R"([
{"index": 0, "statement": "kruskal-rank", "verdict": "refuted", "result": {"kruskal_rank": {"lower": 0, "upper": 1}},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [1, 3], "relation": ["1", "3"]}]},
{"index": 1, "statement": "general-position", "verdict": "refuted", "result": {"kruskal_rank": {"lower": 0, "upper": 1}},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [3, 1], "relation": ["6", "2"]}]},
{"index": 2, "statement": "assumption-1", "verdict": "refuted", "result": {"kruskal_rank": {"lower": 0, "upper": 1}},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [1, 3], "relation": ["-1", "-3"]}]},
{"index": 3, "statement": "assumption-2", "verdict": "refuted", "result": {},
 "steps": [{"argument": "context-dependent", "theorem": "dependent-rows", "example": 1, "relation": ["2", "-1"]}]},
{"index": 4, "statement": "proposition-2", "verdict": "inapplicable",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 4}, "hypotheses": {"shared-context": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "contexts-differ", "theorem": "witness", "example": 1, "token": 0, "coordinate": 1}]},
{"index": 5, "statement": "proposition-5", "verdict": "inapplicable",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 4}, "hypotheses": {"constant-sum": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "token-sums-differ", "theorem": "witness", "first": [0, 0], "second": [1, 1]}]},
{"index": 6, "statement": "proposition-1", "verdict": "inapplicable",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 4},
            "hypotheses": {"assumption-1": "fails", "assumption-2": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [1, 3], "relation": ["1", "3"]},
           {"argument": "context-dependent", "theorem": "dependent-rows", "example": 1, "relation": ["2", "-1"]}]},
{"index": 7, "statement": "theorem-1", "verdict": "inapplicable",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 4},
            "hypotheses": {"assumption-1": "undecided", "assumption-2": "undecided", "examples": "fails"}, "conclusion": "open",
            "parameters": {"layer": 23, "memorized": 4, "most_examples": 23}},
 "steps": [{"argument": "too-many-examples", "theorem": "arithmetic"}]},
{"index": 8, "statement": "claim-1", "verdict": "inapplicable",
 "result": {"hypotheses": {"subset-size": "holds", "subset-queries": "fails", "subset-contexts": "undecided"}, "conclusion": "open"},
 "steps": [{"argument": "subset-dependent", "theorem": "dependent-subset", "subset": [1, 3], "relation": ["1", "3"]}]},
{"index": 9, "statement": "claim-1", "verdict": "inapplicable",
 "result": {"hypotheses": {"subset-size": "holds", "subset-queries": "undecided", "subset-contexts": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "subset-context-dependent", "theorem": "dependent-rows", "example": 1, "relation": ["2", "-1"]}]},
{"index": 10, "statement": "claim-1", "verdict": "inapplicable",
 "result": {"hypotheses": {"subset-size": "fails", "subset-queries": "undecided", "subset-contexts": "undecided"}, "conclusion": "open"},
 "steps": [{"argument": "subset-too-large", "theorem": "arithmetic"}]},
{"index": 11, "statement": "claim-2", "verdict": "inapplicable",
 "result": {"hypotheses": {"subset-size": "fails", "assumption-1": "undecided", "assumption-2": "undecided"}, "conclusion": "open"},
 "steps": [{"argument": "subset-too-large", "theorem": "arithmetic"}]}
])";

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
)";

const char* const kTheoremClaims = R"([
{"index": 0, "statement": "theorem-1", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 3}, "rank": {"lower": 3, "upper": 3},
            "hypotheses": {"examples": "holds", "assumption-1": "holds", "assumption-2": "holds"}, "conclusion": "proved",
            "parameters": {"layer": 23, "memorized": 3, "most_examples": 23}},
 "steps": [
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 1000003, "method": "dual"},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 3},
  {"argument": "construction", "theorem": "proposition-1-induction", "heads": [
   {"fresh": [0, 1], "logits": [["1", "0"], ["0", "1"]],
    "key": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "query": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "rows": [0, 1], "cols": [0, 1], "rank_before": 0, "rank_after": 2},
   {"fresh": [2], "logits": [["1", "0"]],
    "key": [{"den": "1", "num": ["1", "0"]}], "query": [{"den": "1", "num": ["1", "0"]}],
    "separator": {"u": {"den": "1", "num": ["1", "0"]}, "v": {"den": "1", "num": ["1", "-1"]}, "lambda": "3"},
    "rows": [2], "cols": [2], "rank_before": 2, "rank_after": 3}]},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "construction", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "readout-enclosure", "theorem": "nonsingular-minor-and-enclosure", "cols": [0, 1, 2], "precision": 128,
   "weights": [[{"mid": "18.05150561166206137387326744215052344364", "rad": "1e-20"}],
               [{"mid": "-3.155351115704879931570128112249982101901", "rad": "1e-20"}],
               [{"mid": "-11.55595118493813103202836895443949154048", "rad": "1e-20"}]]}]},
{"index": 1, "statement": "proposition-1", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 3}, "rank": {"lower": 3, "upper": 3},
            "hypotheses": {"assumption-1": "sufficient", "assumption-2": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 3},
  {"argument": "construction", "theorem": "proposition-1-induction", "heads": [
   {"fresh": [0, 1], "logits": [["1", "0"], ["0", "1"]],
    "key": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "query": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "rows": [0, 1], "cols": [0, 1], "rank_before": 0, "rank_after": 2},
   {"fresh": [2], "logits": [["1", "0"]],
    "key": [{"den": "1", "num": ["1", "0"]}], "query": [{"den": "1", "num": ["1", "0"]}],
    "separator": {"u": {"den": "1", "num": ["1", "0"]}, "v": {"den": "1", "num": ["1", "-1"]}, "lambda": "3"},
    "rows": [2], "cols": [2], "rank_before": 2, "rank_after": 3}]},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "construction", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]}]},
{"index": 2, "statement": "claim-1", "verdict": "verified",
 "result": {"hypotheses": {"subset-size": "holds", "subset-queries": "holds", "subset-contexts": "holds"}, "conclusion": "proved"},
 "steps": [{"argument": "claim-1-weights", "theorem": "claim-1",
  "right_inverses": [[{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
                     [{"den": "1", "num": ["1", "0"]}, {"den": "2", "num": ["0", "2"]}]],
  "left_inverse": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}]}]},
{"index": 3, "statement": "claim-2", "verdict": "verified",
 "result": {"hypotheses": {"subset-size": "holds", "assumption-1": "sufficient", "assumption-2": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "claim-2-weights", "theorem": "claim-2",
   "right_inverses": [[{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}]],
   "left_inverse": [{"den": "1", "num": ["1", "0"]}],
   "u": {"den": "1", "num": ["1", "0"]}, "v": {"den": "1", "num": ["0", "1"]}, "lambda": "5"}]}
])";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  if (place == std::string::npos) throw std::logic_error("no such text in the sample: " + from);
  return text.replace(place, from.size(), to);
}

/// The same in base 2, where the weights are fractions.
Sample exact_theorem() {
  Json claims = Json::parse(kTheoremClaims);
  for (Json& claim : claims) {
    for (Json& step : claim["steps"]) {
      if (step["argument"] == "character-minor") step["theorem"] = "base-2", step["g"] = 2;
      if (step["argument"] == "claim-2-weights") step["lambda"] = "6";
      if (step["argument"] == "readout-enclosure") {
        step = Json::parse(R"({"argument": "readout-exact", "theorem": "exact-solution", "cols": [1, 0, 2],
                               "weights": [["-421/43"], ["1355/43"], ["-765/43"]]})");
      }
    }
  }
  return {"theorem-2", replaced(kTheoremCase, "\"e\"", "\"2\""), claims};
}

/// Theorem 1 for the layer with its skip connection: the labels are 0, 2, -2 without the queries' first
/// entries.
Sample skip_connection() {
  Sample result = exact_theorem();
  result.name = "skip";
  result.toml = replaced(result.toml, "\"theorem-1\"", "\"skip-connection\"");
  result.claims[0]["statement"] = "skip-connection";
  result.claims[0]["steps"][5]["weights"] = Json::parse(R"([["-488/43"], ["1540/43"], ["-918/43"]])");
  return result;
}

/// The minor of the opposite queries, with solutions.
Sample with_solutions() {
  Sample result{"solutions", kOppositeCase, Json::parse(kOppositeClaims)};
  const Bench bench;
  Json certificate = bench.certificate(result);
  add_solutions(certificate, 0, 3, bench.folder() / "case.toml");
  add_solutions(certificate, 5, 2, bench.folder() / "case.toml");
  result.claims = certificate["claims"];
  return result;
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> list = {
        {"opposite", kOppositeCase, Json::parse(kOppositeClaims)},
        {"equal", kEqualCase, Json::parse(kEqualClaims)},
        {"scalar", kScalarCase, Json::parse(kScalarClaims)},
        {"irrational", kIrrationalCase, Json::parse(kIrrationalClaims)},
        {"moment", kMomentCase, Json::parse(kMomentClaims)},
        {"dependent", kDependentCase, Json::parse(kDependentClaims)},
        {"theorem", kTheoremCase, Json::parse(kTheoremClaims)},
        exact_theorem(),
        skip_connection(),
        with_solutions(),
    };
    for (Sample& each : paper_samples()) list.push_back(std::move(each));
    return list;
  }();
  return all;
}

const Sample& sample(const std::string& name) {
  for (const Sample& candidate : samples()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no sample " + name);
}

Bench::Bench() {
  std::string pattern = (std::filesystem::temp_directory_path() / "attest-checker-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
}

Bench::~Bench() {
  std::filesystem::remove_all(folder_);
}

std::filesystem::path Bench::write_bytes(const std::string& bytes, const std::string& name) const {
  std::ofstream(folder_ / name, std::ios::binary) << bytes;
  return folder_ / name;
}

Json Bench::certificate(const Sample& sample) const {
  write_bytes(sample.toml, "case.toml");
  return {{"format", "attest-certificate/1"},
          {"attest", "test"},
          {"case", {{"path", "case.toml"}, {"sha256", sha256_hex(sample.toml)}, {"arrays", Json::array()}}},
          {"claims", sample.claims}};
}

std::filesystem::path Bench::write(const Json& certificate, const std::string& name) const {
  return write_bytes(certificate.dump(1), name);
}

std::string Bench::check_bytes(const std::string& bytes, const checker::CheckPolicy& policy) const {
  const std::filesystem::path file = write_bytes(bytes, "certificate.json");
  std::ostringstream out, err;
  const int status = checker::run_check({file}, policy, out, err);
  const std::string line = out.str().substr(file.string().size() + 2);
  const char* const words[] = {"valid (", "REJECTED: ", "BAD INPUT: ", "LIMIT: "};
  if (line.rfind(words[status], 0) != 0)
    throw std::logic_error("status " + std::to_string(status) + " with " + line);
  return line;
}

std::string Bench::check(const Json& certificate, const checker::CheckPolicy& policy) const {
  return check_bytes(certificate.dump(1), policy);
}

std::string verdict_after(const std::string& name, const std::function<void(Json&)>& change,
                          const checker::CheckPolicy& policy) {
  const Bench bench;
  Json certificate = bench.certificate(sample(name));
  change(certificate["claims"]);
  return bench.check(certificate, policy);
}

std::string verdict_with(const std::string& name, const std::string& pointer, const Json& value,
                         const checker::CheckPolicy& policy) {
  return verdict_after(
      name, [&](Json& claims) { claims[Json::json_pointer(pointer)] = value; }, policy);
}

std::string verdict_with_case(const std::string& name, const std::string& from, const std::string& to,
                              const checker::CheckPolicy& policy) {
  const Bench bench;
  Sample changed = sample(name);
  changed.toml = replaced(changed.toml, from, to);
  return bench.check(bench.certificate(changed), policy);
}

void add_solutions(Json& certificate, std::size_t claim, std::size_t step,
                   const std::filesystem::path& case_file) {
  using namespace attest::checker;
  const Case source = read_case(case_file);
  const Problem problem(source);
  Json& minor = certificate["claims"][claim]["steps"][step];
  const Word p = minor["p"], g = minor["g"];
  const auto rows = minor["rows"].get<std::vector<std::size_t>>(),
             cols = minor["cols"].get<std::vector<std::size_t>>();
  std::string definition;
  std::optional<Layer> layer;
  if (minor["layer"] == "given") {
    layer = given_layer(problem);
  } else {
    for (const Json& other : certificate["claims"][claim]["steps"]) {
      if (other["argument"] != "random") continue;
      layer = random_layer(problem, other["bound"], other["seed"]);
      definition = sha256_hex(other.dump());
    }
  }
  MinorRows minor_rows(problem, *layer, character(layer->ring, p, g), cols);
  Matrix matrix;
  for (std::size_t t : rows) matrix.push_back(minor_rows.row(t));

  std::ostringstream statement;
  statement << "attest-f7/1\n" << source.sha256 << "\n";
  for (const SourceFile& file : source.arrays) statement << file.sha256 << "\n";
  statement << "claim " << claim << "\nlayer " << minor["layer"].get<std::string>() << "\n"
            << definition << "\n";
  statement << "p " << p << " g " << g << "\nrows";
  for (std::size_t t : rows) statement << ' ' << t;
  statement << "\ncols";
  for (std::size_t c : cols) statement << ' ' << c;
  statement << "\n";
  const std::string seed = sha256_hex(statement.str());
  minor["solutions"] = Json::array();
  for (std::size_t j = 0; j < 7; ++j) {  // 1000919^6 < 2^128 < 1000919^7
    // Gauss-Jordan elimination of [A | b].
    Matrix extended = matrix;
    for (std::size_t i = 0; i < extended.size(); ++i) {
      const std::string hash = sha256_hex(seed + " " + std::to_string(j) + " " + std::to_string(i / 4));
      std::string word;
      for (int byte = 7; byte >= 0; --byte)
        word += hash.substr(16 * (i % 4) + 2 * static_cast<std::size_t>(byte), 2);
      extended[i].push_back(std::stoull(word, nullptr, 16) % p);
    }
    if (reduced_echelon(extended, p).size() != rows.size()) throw std::logic_error("a singular minor");
    Json solution = Json::array();
    for (const Row& row : extended) solution.push_back(row.back());
    minor["solutions"].push_back(solution);
  }
}

}  // namespace attest::test
