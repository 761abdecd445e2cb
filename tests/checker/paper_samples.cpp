// Hand-made certificates for the lemmas, Propositions 3 and 4, Remark 1, the skip connection and encodings.
#include "tests/checker/samples.hpp"

namespace attest::test {
namespace {

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

const char* const kLemmasClaims = R"([
{"index": 0, "statement": "lemma-1", "verdict": "verified", "result": {"ranks": {"a": 1, "c": 1, "block": 3}},
 "steps": [
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "a", "p": 101, "rows": [0], "cols": [0], "kernel": [["-2", "1"]]},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "c", "p": 101, "rows": [0], "cols": [1], "kernel": [["1", "-1"]]},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "block", "p": 101, "rows": [0, 1, 2], "cols": [0, 2, 3],
   "kernel": [["-2", "1", "0", "0"]]}]},
{"index": 1, "statement": "lemma-2", "verdict": "verified",
 "result": {"ranks": {"vectors": 2, "shifted": 2}, "hypotheses": {"independent": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "vectors", "p": 101, "rows": [0, 1], "cols": [0, 1], "kernel": [["0", "0", "1"]]},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "shifted", "p": 101, "rows": [0, 1], "cols": [0, 1], "kernel": [["0", "0", "1"]]}]},
{"index": 2, "statement": "lemma-2", "verdict": "refuted",
 "result": {"ranks": {"vectors": 2, "shifted": 1}, "hypotheses": {"independent": "holds"}, "conclusion": "open"},
 "steps": [
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "vectors", "p": 101, "rows": [0, 1], "cols": [0, 1], "kernel": []},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "shifted", "p": 101, "rows": [0], "cols": [0], "kernel": [["1", "1"]]}]},
{"index": 3, "statement": "lemma-2", "verdict": "inapplicable",
 "result": {"ranks": {"vectors": 1}, "hypotheses": {"independent": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "vectors", "p": 101, "rows": [1], "cols": [0], "kernel": [["2", "-1"]]}]},
{"index": 4, "statement": "lemma-5", "verdict": "verified",
 "result": {"ranks": {"a": 2, "b": 2}, "hypotheses": {"perturbation": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "a", "p": 101, "rows": [0, 1], "cols": [0, 1], "kernel": []},
  {"argument": "spectral-gap", "theorem": "sylvester-inertia", "mu": "1/2", "side": "holds"},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "b", "p": 101, "rows": [0, 1], "cols": [0, 1], "kernel": []}]},
{"index": 5, "statement": "lemma-5", "verdict": "inapplicable",
 "result": {"ranks": {"a": 2, "b": 1}, "hypotheses": {"perturbation": "fails"}, "conclusion": "open"},
 "steps": [
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "a", "p": 101, "rows": [0, 1], "cols": [0, 1], "kernel": []},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "b", "p": 101, "rows": [1], "cols": [1], "kernel": [["1", "0"]]},
  {"argument": "spectral-gap", "theorem": "sylvester-inertia", "mu": "1", "side": "fails"}]},
{"index": 6, "statement": "lemma-5", "verdict": "verified",
 "result": {"ranks": {"a": 0, "b": 1}, "hypotheses": {"perturbation": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "a", "p": 101, "rows": [], "cols": [], "kernel": [["1", "0"], ["0", "1"]]},
  {"argument": "matrix-rank", "theorem": "minor-and-kernel", "matrix": "b", "p": 101, "rows": [0], "cols": [0], "kernel": [["0", "1"]]}]},
{"index": 7, "statement": "lemma-1", "verdict": "undecided", "result": {}, "steps": []}
])";

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
statement = "remark-1"
[[claim]]
statement = "skip-connection"
expect = "inapplicable"
[[claim]]
statement = "remark-1"
expect = "undecided"
)";

const char* const kSeparatedClaims = R"([
{"index": 0, "statement": "lemma-3", "verdict": "verified",
 "result": {"hypotheses": {"assumption-1": "holds", "assumption-2": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 1000003, "method": "subsets"},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "lemma-3-separator", "theorem": "lemma-3", "u": {"den": "1", "num": ["1", "0"]}, "v": {"den": "1", "num": ["1", "-1"]}}]},
{"index": 1, "statement": "lemma-3", "verdict": "verified",
 "result": {"hypotheses": {"assumption-1": "sufficient", "assumption-2": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "lemma-3-separator", "theorem": "lemma-3", "u": {"den": "1", "num": ["1", "0"]}, "v": {"den": "1", "num": ["0", "1"]}}]},
{"index": 2, "statement": "lemma-4", "verdict": "verified",
 "result": {"hypotheses": {"distinct-entries": "holds"}, "conclusion": "proved"},
 "steps": [{"argument": "lemma-4-lambda", "theorem": "lemma-4", "vertex": 0, "lambda": "7"}]},
{"index": 3, "statement": "lemma-4", "verdict": "inapplicable",
 "result": {"hypotheses": {"distinct-entries": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "equal-entries", "theorem": "witness", "entries": [0, 1]}]},
{"index": 4, "statement": "assumption-3", "verdict": "verified", "result": {"kruskal_rank": {"lower": 2, "upper": 2}},
 "steps": [{"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 1000003, "method": "dual"}]},
{"index": 5, "statement": "proposition-4", "verdict": "verified",
 "result": {"hypotheses": {"assumption-2": "holds", "assumption-3": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 1000003, "method": "dual"},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "outputs-full-rank", "theorem": "modular-rank", "p": 1000003}]},
{"index": 6, "statement": "remark-1", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 2, "affine_hull": 2}, "rank": {"lower": 2, "upper": 2}, "kruskal_rank": {"lower": 2, "upper": 2},
            "hypotheses": {"assumption-2": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 1000003, "method": "dual"},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 2},
  {"argument": "construction", "theorem": "proposition-1-induction", "heads": [
   {"fresh": [0, 1], "logits": [["1", "0"], ["0", "1"]],
    "key": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "query": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "rows": [0, 1], "cols": [0, 1], "rank_before": 0, "rank_after": 2}]},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "construction", "p": 1000919, "g": 4, "rows": [0, 1], "cols": [0, 1]}]},
{"index": 7, "statement": "skip-connection", "verdict": "inapplicable",
 "result": {"bounds": {"paper_lower": 2, "affine_hull": 2}, "hypotheses": {"examples": "fails", "assumption-1": "undecided", "assumption-2": "undecided"},
            "conclusion": "open", "parameters": {"layer": 12, "memorized": 3, "most_examples": 12}},
 "steps": [{"argument": "too-many-examples", "theorem": "arithmetic"}]},
{"index": 8, "statement": "remark-1", "verdict": "undecided",
 "result": {"bounds": {"paper_lower": 0, "affine_hull": 2}, "kruskal_rank": {"lower": 0, "upper": 2}}, "steps": []}
])";

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
[[claim]]
statement = "lemma-3"
expect = "inapplicable"
)";

const char* const kDegenerateClaims = R"([
{"index": 0, "statement": "remark-1", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 0, "affine_hull": 2}, "kruskal_rank": {"lower": 0, "upper": 0},
            "hypotheses": {"assumption-2": "holds"}, "conclusion": "proved"},
 "steps": [
  {"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [0], "relation": ["1"]},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]], "bound": 2}]},
{"index": 1, "statement": "assumption-3", "verdict": "refuted", "result": {"kruskal_rank": {"lower": 0, "upper": 1}},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [0, 1], "relation": ["3", "-1"]}]},
{"index": 2, "statement": "proposition-4", "verdict": "inapplicable",
 "result": {"hypotheses": {"assumption-2": "undecided", "assumption-3": "fails"}, "conclusion": "open"},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [0, 1], "relation": ["3", "-1"]}]},
{"index": 3, "statement": "lemma-3", "verdict": "inapplicable",
 "result": {"hypotheses": {"assumption-1": "fails", "assumption-2": "undecided"}, "conclusion": "open"},
 "steps": [{"argument": "kruskal-upper", "theorem": "dependent-subset", "subset": [0], "relation": ["1"]}]}
])";

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
[[claim]]
statement = "proposition-3"
neurons = 1
expect = "undecided"
)";

const char* const kNetworkClaims = R"([
{"index": 0, "statement": "proposition-3", "verdict": "verified",
 "result": {"hypotheses": {"examples": "holds", "integer-inputs": "holds", "assumption-1": "holds", "assumption-2": "holds"},
            "conclusion": "proved", "parameters": {"network": 6, "examples_needed": 4}},
 "steps": [
  {"argument": "moment-curve", "theorem": "vandermonde", "points": ["-2", "-1", "0", "1"]},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "kronecker-labels", "theorem": "pattern-subspaces", "k": 3, "entry_bound": "2", "minor_bound": "42", "base": "86"}]},
{"index": 1, "statement": "proposition-3", "verdict": "verified",
 "result": {"hypotheses": {"examples": "holds", "integer-inputs": "holds", "assumption-1": "holds", "assumption-2": "holds"},
            "conclusion": "proved", "parameters": {"network": 6, "examples_needed": 4}},
 "steps": [
  {"argument": "moment-curve", "theorem": "vandermonde", "points": ["-2", "-1", "0", "1"]},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "transcendental-labels", "theorem": "algebraic-independence", "k": 3, "primes": [2, 3, 5, 7]}]},
{"index": 2, "statement": "proposition-3", "verdict": "inapplicable",
 "result": {"hypotheses": {"examples": "fails", "integer-inputs": "holds", "assumption-1": "undecided", "assumption-2": "undecided"},
            "conclusion": "open", "parameters": {"network": 7, "examples_needed": 5}},
 "steps": []},
{"index": 3, "statement": "proposition-3", "verdict": "undecided", "result": {}, "steps": []}
])";

// Contexts that differ: the network sees all (n + 1) d = 2 coordinates.
const char* const kContextsCase = R"(format = 1
title = "one neuron on other contexts"
[layer]
heads = 1
context = 1
embed_dim = 1
head_dim = 1
examples = 4
[data]
contexts = [[[1]], [[2]], [[1]], [[1]]]
queries = [[1], [2], [3], [4]]
labels = [1, 2, 3, 4]
[[claim]]
statement = "proposition-3"
neurons = 1
[[claim]]
statement = "proposition-3"
neurons = 1
labels = "given"
expect = "undecided"
)";

const char* const kContextsClaims = R"([
{"index": 0, "statement": "proposition-3", "verdict": "verified",
 "result": {"hypotheses": {"examples": "holds", "integer-inputs": "holds", "assumption-1": "holds", "assumption-2": "holds"},
            "conclusion": "proved", "parameters": {"network": 4, "examples_needed": 4}},
 "steps": [
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 1, "p": 1000003, "method": "dual"},
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 1000003},
  {"argument": "kronecker-labels", "theorem": "pattern-subspaces", "k": 3, "entry_bound": "4", "minor_bound": "333", "base": "668"}]},
{"index": 1, "statement": "proposition-3", "verdict": "undecided",
 "result": {"parameters": {"network": 4, "examples_needed": 4}}, "steps": []}
])";

// Head 1: gaps 2 and 2, spreads 3 and 0, C = (1/2, 1/2), D_inf = (a - 1/2, 1/2 - a) with a = e^3 / (1 + e^3),
// of norm 0.640; (3 + log(2 sqrt(2) 0.71 / 0.63)) / 2 = 2.0796.
const char* const kLambdaCase = R"(format = 1
title = "two heads, unit tokens"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 2
examples = 3
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
[[claim]]
statement = "finite-lambda"
lambda = "1/2"
)";

const char* const kLambdaClaims = R"([
{"index": 0, "statement": "finite-lambda", "verdict": "verified",
 "result": {"bounds": {"paper_lower": 3, "affine_hull": 3}, "rank": {"lower": 3, "upper": 3},
            "hypotheses": {"assumption-1": "holds", "assumption-2": "holds"}, "conclusion": "proved",
            "unknown_up_to": "91/100",
            "sweep": [{"lambda": "1/2", "lower": 3, "upper": 3, "binary64": 3},
                      {"lambda": "100", "lower": 3, "upper": 3, "binary64": 2},
                      {"lambda": "-1", "lower": 0, "upper": 3, "binary64": 0}]},
 "steps": [
  {"argument": "contexts-full-rank", "theorem": "modular-rank", "p": 2305843009213693951},
  {"argument": "kruskal-lower", "theorem": "subset-independence", "k": 2, "p": 2305843009213693951,
   "method": "dual"},
  {"argument": "affine-hull", "theorem": "affine-hull-bound", "witness": "tokens", "tokens": [[0, 0], [0, 1]],
   "bound": 3},
  {"argument": "construction", "theorem": "proposition-1-induction", "heads": [
   {"fresh": [0, 1], "logits": [["3", "0"], ["0", "3"]],
    "key": [{"den": "1", "num": ["3", "0"]}, {"den": "1", "num": ["0", "3"]}],
    "query": [{"den": "1", "num": ["1", "0"]}, {"den": "1", "num": ["0", "1"]}],
    "rows": [0, 1], "cols": [0, 1], "rank_before": 0, "rank_after": 2},
   {"fresh": [2], "logits": [["3", "0"]], "key": [{"den": "1", "num": ["3", "0"]}],
    "query": [{"den": "1", "num": ["1", "0"]}],
    "separator": {"u": {"den": "1", "num": ["0", "1"]}, "v": {"den": "1", "num": ["-2", "2"]}, "lambda": "4"},
    "rows": [2], "cols": [2], "rank_before": 2, "rank_after": 3}]},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "construction", "p": 8388287,
   "g": 4848783, "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "finite-lambda-bound", "theorem": "weyl-perturbation", "heads": [
   {"head": 1, "gamma": {"lower": "2", "upper": "2"}, "spread": {"lower": "3", "upper": "3"},
    "token_norm": {"lower": "1", "upper": "1"}, "c_norm": {"lower": "7/10", "upper": "71/100"},
    "sigma_min": {"lower": "63/100", "upper": "65/100"}, "lambda_star": {"lower": "205/100", "upper": "208/100"}}],
   "all_heads": {"sigma_min": {"lower": "23/100", "upper": "24/100"}, "lambda_star": "91/100"}},
  {"argument": "rescaled", "theorem": "definition", "lambda": "1/2"},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "rescaled", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "rescaled", "theorem": "definition", "lambda": "100"},
  {"argument": "character-minor", "theorem": "lindemann-weierstrass", "layer": "rescaled", "p": 1000919, "g": 4,
   "rows": [0, 1, 2], "cols": [0, 1, 2]},
  {"argument": "rescaled", "theorem": "definition", "lambda": "-1"}]}
])";

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

const char* const kGivenClaims = R"([
{"index": 0, "statement": "proposition-3", "verdict": "refuted",
 "result": {"parameters": {"network": 4, "examples_needed": 3}, "fits": false},
 "steps": [{"argument": "pattern-search", "theorem": "farkas", "trees": [
  [{"examples": ["0", "1", "0"], "neurons": [["0", "0", "0"]], "order": []}],
  [{"neuron": 0, "example": 1},
   {"examples": ["-1", "2", "-1"], "neurons": [["1", "-2", "1"]], "order": []},
   {"examples": ["0", "1", "0"], "neurons": [["0", "0", "0"]], "order": []}]]}]},
{"index": 1, "statement": "proposition-3", "verdict": "verified",
 "result": {"parameters": {"network": 8, "examples_needed": 5}, "fits": true},
 "steps": [{"argument": "network-weights", "theorem": "evaluation", "neurons": [
  {"w": ["0", "1"], "b": "0", "a": "1"}, {"w": ["-1", "1"], "b": "0", "a": "-2"}]}]},
{"index": 2, "statement": "proposition-3", "verdict": "verified",
 "result": {"parameters": {"network": 9, "examples_needed": 6}, "fits": true},
 "steps": [{"argument": "network-weights", "theorem": "evaluation", "neurons": [
  {"w": ["1", "-1"], "b": "0", "a": "-1"}, {"w": ["0", "1"], "b": "-1", "a": "-1"}], "output_bias": "1"}]}
])";

Sample encoding(const std::string& n, const std::string& d, const char* verdict, int rank, const char* step,
                const char* theorem) {
  const std::string toml = "format = 1\n[layer]\ncontext = " + n + "\nembed_dim = " + d +
                           "\n[[claim]]\nstatement = \"positional-encoding\"\n";
  const Json claim = {{"index", 0},
                      {"statement", "positional-encoding"},
                      {"verdict", verdict},
                      {"result", {{"encoding_rank", rank}}},
                      {"steps", Json::array({{{"argument", step}, {"theorem", theorem}}})}};
  return {"encoding-" + n + "-" + d, toml, Json::array({claim})};
}

}  // namespace

std::vector<Sample> paper_samples() {
  return {
      {"lemmas", kLemmasCase, Json::parse(kLemmasClaims)},
      {"separated", kSeparatedCase, Json::parse(kSeparatedClaims)},
      {"degenerate", kDegenerateCase, Json::parse(kDegenerateClaims)},
      {"network", kNetworkCase, Json::parse(kNetworkClaims)},
      {"contexts", kContextsCase, Json::parse(kContextsClaims)},
      {"finite-lambda", kLambdaCase, Json::parse(kLambdaClaims)},
      {"given-labels", kGivenCase, Json::parse(kGivenClaims)},
      encoding("3", "3", "verified", 3, "vandermonde-nodes", "vandermonde"),
      encoding("3", "2", "refuted", 2, "too-many-positions", "arithmetic"),
      encoding("1", "1", "refuted", 0, "zero-encoding", "arithmetic"),
  };
}

}  // namespace attest::test
