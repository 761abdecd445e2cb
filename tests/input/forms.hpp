// The same layers in different forms of a case file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/case_text.hpp"

namespace attest::test {

/// A case with H = 2, n = 3, d = 2 and a claim of rank.
inline std::string form(std::size_t examples, const std::string& data, const std::string& weights,
                        std::size_t head_dim = 2) {
  return sized_layer(2, 3, 2, head_dim, examples) + "logit_scale = 1\n[data]\n" + data + "\n[weights]\n" +
         weights + "\n" + claim("rank");
}

/// Pairs of cases of the same layer: the same Z, whatever says so.
inline std::vector<std::pair<std::string, std::string>> equal_forms() {
  const std::string hidden = "hidden = [[[1, 2], [3, 4], [5, 6]], [[7, 8], [1, 2], [\"1/3\", 0]]]\n";
  const std::string weights =
      "key = [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]\n"
      "query = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]\n";
  const std::string first = "[[1, 2], [3, 4], [5, 6]]", second = "[[7, 8], [1, 2], [\"1/3\", 0]]";
  const std::string contexts = "contexts = [" + first + ", " + second + "]\n";
  // The keys are the tokens, for both heads; the queries are those of the hidden vectors, and swapped.
  const std::string keys =
      "projected_keys = [[[[1, 2]], [[3, 4]], [[5, 6]]], [[[7, 8]], [[1, 2]], "
      "[[\"1/3\", 0]]]]\n";
  return {
      {form(2, hidden + "positions = \"last\"", weights),
       form(2, contexts + "queries = [[5, 6], [\"1/3\", 0]]", weights)},
      {form(4, hidden + "positions = [0, 2]", weights),
       form(4,
            "contexts = [" + first + ", " + first + ", " + second + ", " + second +
                "]\nqueries = [[1, 2], [5, 6], [7, 8], [\"1/3\", 0]]",
            weights)},
      {form(4, hidden + "positions = [0, 1]\ncausal = true", weights),
       form(4,
            "contexts = [" + first + ", " + first + ", " + second + ", " + second +
                "]\nqueries = [[1, 2], [3, 4], [7, 8], [1, 2]]\n"
                "mask = [[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 0]]",
            weights)},
      {form(2, contexts + "queries = [[1, 2], [3, -4]]\nmask = [[0, 1, 1], [1, 0, 0]]", weights),
       form(2, contexts + "mask = [[0, 1, 1], [1, 0, 0]]",
            "projected_queries = [[[1, 2], [2, 1]], [[3, -4], [-4, 3]]]\n" + keys)},
      {form(6, hidden + "positions = \"all\"\ncausal = true", weights),
       form(6, hidden + "positions = \"all\"\ncausal = true",
            "projected_queries = [[[[1, 2], [2, 1]], [[3, 4], [4, 3]], [[5, 6], [6, 5]]], [[[7, 8], [8, 7]], "
            "[[1, 2], [2, 1]], [[\"1/3\", 0], [0, \"1/3\"]]]]\n" +
                keys)},
      {form(2, hidden + "positions = [1]\ncausal = true\nmask = [[0, 1, 1], [1, 1, 1]]", weights),
       form(2, hidden + "positions = [1]\ncausal = true\nmask = [[0, 1, 1], [1, 1, 1]]",
            "logits = [[[9, 25, 9], [9, 24, 9]], [[23, 5, 9], [22, 4, 9]]]")},
      {form(1, "contexts = " + first + "\nmask = [[1, 0, 1]]\nqueries = [[1, -1]]", weights),
       form(1, "contexts = " + first + "\nmask = [[1, 0, 1]]",
            "projected_queries = [[[1, -1], [-1, 1]]]\n"
            "projected_keys = [[[1, 2]], [[3, 4]], [[5, 6]]]\n")},
      {form(2, "contexts = " + first + "\nqueries = [[1, 2], [0, 1]]", weights),
       form(2, "contexts = " + first, "logits = [[[5, 11, 17], [4, 10, 16]], [[2, 4, 6], [1, 3, 5]]]")},
      {form(2, "contexts = " + first + "\nqueries = [[1, 2], [0, 1]]",
            "key = [[[1, 2], [0, 3]], [[0, 1], [1, 1]]]\nquery = [[[1, 0], [1, 1]], [[2, 0], [0, 1]]]\n"
            "query_bias = [[1, 0], [2, -1]]"),
       form(2, "contexts = " + first, "logits = [[[20, 48, 76], [11, 23, 35]], [[10, 24, 38], [4, 8, 12]]]")},
      {form(2, contexts + "queries = [[1, 2], [3, -4]]",
            "key = [[[1, 2], [0, 3]], [[0, 1], [1, 1]]]\nquery = [[[1, 0], [1, 1]], [[2, 0], [0, 1]]]"),
       form(2, contexts + "queries = [[1, 2], [3, -4]]", "combined = [[[1, 3], [0, 3]], [[0, 1], [2, 1]]]")},
      {form(2, contexts + "queries = [[1, 2], [3, -4]]",
            "key = [[[1], [2]], [[0], [1]]]\nquery = [[[1], [1]], [[2], [0]]]", 1),
       form(2, contexts + "queries = [[1, 2], [3, -4]]", "combined = [[[1, 1], [2, 2]], [[0, 0], [2, 0]]]",
            1)},
  };
}

}  // namespace attest::test
