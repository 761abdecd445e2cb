// Samples of the lemmas, of the claims of the paper and of their hypotheses.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {

std::vector<Sample> lemma_samples() {
  return {
      {"lemmas",
       R"(format = 1
title = "matrices, without a layer"
)" + claim("lemma-1", "a = [[1, 2], [2, 4]]\nb = [[0, 1], [1, 0]]\nc = [[1, '1/1']]") +
           claim("lemma-2", "vectors = [[1, 0, 0], [0, 1, 0]]\nc = '1/2'") +
           claim("lemma-2", "vectors = [[1, 0], [0, 1]]\nc = '-1/2'\nexpect = 'refuted'") +
           claim("lemma-2", "vectors = [[1, 2], [2, 4]]\nc = 1\nexpect = 'inapplicable'") +
           claim("lemma-5", "a = [[2, 0], [0, 1], [0, 0]]\nb = [[2, '1/4'], [0, 1], [0, '1/4']]") +
           claim("lemma-5", "a = [[1, 0], [0, 1]]\nb = [[0, 0], [0, 1]]\nexpect = 'inapplicable'") +
           claim("lemma-5", "a = [[0, 0]]\nb = [[1, 0]]") +
           claim("lemma-1", "a = [[1]]\nb = [[1]]\nc = [[1]]\nexpect = 'undecided'"),
       json_of(R"json([{"statement": "lemma-1", "steps": [
  {"rule": "zero", "of": "rank(a)", "side": "right", "p": 101, "vectors": [[[0, "-2"], [1, "1"]]],
   "fact": "rank(a) <= 1"},
  {"rule": "minor", "of": "rank(block)", "p": 101, "rows": [0, 1, 2], "cols": [0, 2, 3],
   "fact": "rank(block) >= 3"}]},
{"statement": "lemma-2", "steps": [
  {"rule": "minor", "of": "rank(vectors)", "p": 101, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(vectors) >= 2"},
  {"rule": "minor", "of": "rank(shifted)", "p": 101, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(shifted) >= 2"}]},
{"statement": "lemma-2", "steps": [
  {"rule": "minor", "of": "rank(vectors)", "p": 101, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(vectors) >= 2"},
  {"rule": "zero", "of": "rank(shifted)", "side": "left", "p": 101, "vectors": [[[0, "1"], [1, "1"]]],
   "fact": "rank(shifted) <= 1"}]},
{"statement": "lemma-2", "steps": [
  {"rule": "zero", "of": "rank(vectors)", "side": "left", "p": 101, "vectors": [[[0, "2"], [1, "-1"]]],
   "fact": "rank(vectors) <= 1"}]},
{"statement": "lemma-5", "steps": [
  {"rule": "zero", "of": "rank(a)", "side": "right", "p": 101, "vectors": [], "fact": "rank(a) <= 2"},
  {"rule": "compare", "of": "perturbation", "mu": "1/2", "side": "holds", "fact": "perturbation >= 1"},
  {"rule": "minor", "of": "rank(b)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(b) >= 2"}]},
{"statement": "lemma-5", "steps": [
  {"rule": "minor", "of": "rank(a)", "p": 101, "rows": [0, 1], "cols": [0, 1], "fact": "rank(a) >= 2"},
  {"rule": "compare", "of": "perturbation", "mu": "1", "side": "fails", "fact": "perturbation <= 0"}]},
{"statement": "lemma-5", "steps": [
  {"rule": "zero", "of": "rank(a)", "side": "right", "p": 101, "vectors": [[[0, "1"]], [[1, "1"]]],
   "fact": "rank(a) <= 0"},
  {"rule": "compare", "of": "perturbation", "mu": "1000", "side": "holds", "fact": "perturbation >= 1"}]},
{"statement": "lemma-1", "steps": []}])json")},
      // The squares of the largest minors of the rows without the factor 3 of the last column are at most
      // 6 * 45 * 122 = 32940, above 181^2 and below 191^2.
      {"matrices",
       R"(format = 1
title = "plain matrices"
)" + claim("matrix-rank", "matrix = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]") +
           claim("matrix-rank", "matrix = [['1/3', 1], ['2/3', 2]]\nat_most = 0\nexpect = 'refuted'"),
       json_of(R"json([{"statement": "matrix-rank", "steps": [
  {"rule": "minor", "of": "rank(matrix)", "p": 101, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(matrix) >= 2"},
  {"rule": "hadamard", "of": "rank(matrix)", "rows": [0, 1], "primes": [191], "fact": "rank(matrix) <= 2"}]},
{"statement": "matrix-rank", "steps": [
  {"rule": "minor", "of": "rank(matrix)", "p": 101, "rows": [0], "cols": [0], "fact": "rank(matrix) >= 1"}]}])json")},
      // Queries in general position over the shared context I; one head, so three examples are too many for
      // Theorem 1.
      {"separated",
       sized_layer(1, 2, 2, 2, 3) + R"([data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [1, 2, 3]
)" + claim("lemma-3") +
           claim("lemma-3", "subset = [0]") +
           claim("lemma-4",
                 "example = 2\nw_star = [[0, 0], [0, 1]]\nw_prime = [[2, 0], [0, 1]]\nepsilon = '1/100'") +
           claim("lemma-4",
                 "example = 2\nw_star = [[0, 0], [0, 1]]\nw_prime = [[1, 0], [0, 1]]\nepsilon = "
                 "'1/100'\nexpect = 'inapplicable'") +
           claim("assumption-3") + claim("proposition-4") +
           claim("skip-connection", "expect = 'inapplicable'") + claim("remark-1", "expect = 'undecided'"),
       json_of(R"json([{"statement": "lemma-3", "steps": [
  {"rule": "compare", "of": "separator", "u": v(1 0), "v": v(1 -1), "fact": "separator >= 1"}]},
{"statement": "lemma-3", "steps": [
  {"rule": "compare", "of": "separator", "u": v(1 0), "v": v(0 1), "fact": "separator >= 1"}]},
{"statement": "lemma-4", "steps": [
  {"rule": "ball", "of": "vertex_limit", "vertex": 0, "lambda": "7", "fact": "vertex_limit >= 1"}]},
{"statement": "lemma-4", "steps": []},
{"statement": "assumption-3", "steps": [
  {"rule": "subsets", "of": "kruskal(mixed-queries)", "k": 2, "p": 1000003, "method": "dual",
   "fact": "kruskal(mixed-queries) >= 2"}]},
{"statement": "proposition-4", "steps": [
  {"rule": "subsets", "of": "kruskal(mixed-queries)", "k": 2, "p": 1000003, "method": "subsets",
   "fact": "kruskal(mixed-queries) >= 2"},
  {"rule": "minor", "of": "rank(mixed-contexts)", "p": 1000003, "fact": "rank(mixed-contexts) >= 2"}]},
{"statement": "skip-connection", "steps": []},
{"statement": "remark-1", "steps": []}])json")},
      // A query that is zero; with the mean of the tokens added the two are multiples of each other.
      {"degenerate",
       sized_layer(1, 2, 2, 2, 2) + R"([data]
contexts = [[1, 0], [0, 1]]
queries = [[0, 0], [1, 1]]
)" + claim("remark-1") +
           claim("assumption-3", "expect = 'refuted'") + claim("proposition-4", "expect = 'inapplicable'"),
       json_of(R"json([{"statement": "remark-1", "steps": [
  {"rule": "zero", "of": "kruskal(queries)", "side": "left", "p": 1000003,
   "vectors": [[[0, "1"], [1, "0"]]], "fact": "kruskal(queries) <= 0"}]},
{"statement": "assumption-3", "steps": [
  {"rule": "zero", "of": "kruskal(mixed-queries)", "side": "left", "p": 1000003,
   "vectors": [[[0, "3"], [1, "-1"]]], "fact": "kruskal(mixed-queries) <= 1"}]},
{"statement": "proposition-4", "steps": [
  {"rule": "zero", "of": "kruskal(mixed-queries)", "side": "left", "p": 1000003,
   "vectors": [[[0, "3"], [1, "-1"]]], "fact": "kruskal(mixed-queries) <= 1"}]}])json")},
  };
}

}  // namespace attest::test
