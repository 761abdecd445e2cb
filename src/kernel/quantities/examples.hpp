// Examples that are equal, and those that move.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "kernel/problem.hpp"

namespace attest::kernel {

/// What equal examples have in common: the numbers of their tokens in any order, query and label (0 without).
using ExampleClass = std::array<std::size_t, 3>;
/// By example. A Failure without queries.
std::vector<ExampleClass> classes_of_examples(const Problem& problem,
                                              const std::optional<ExactArray>& labels = std::nullopt);

/// How many different examples there are that equal none of `others`: the same query, and the same tokens in
/// any order. With their labels, where these are given. Projected queries and keys are not compared.
std::size_t distinct_examples(const Problem& problem, const std::optional<ExactArray>& labels = std::nullopt,
                              const std::vector<std::size_t>& others = {});

/// Whether the tokens of the example are not all equal.
bool different_tokens(const Problem& problem, std::size_t example);

/// The queries of examples that move, up to factors. An example moves when its query is not 0 and its tokens
/// are not all equal.
class MovingQueries {
public:
  /// Adds the query of this example, if it moves. Returns the earlier one of which it is a multiple, if any.
  std::optional<std::size_t> add(const Problem& problem, std::size_t example);

private:
  std::map<std::vector<Integer>, std::size_t> directions_;
};

/// What rank(Z) is at most for all weights and logits of sinks, by the space A that contains what weights
/// move in each head, and what contains the vectors of which it has multiples in all heads
/// (docs/certificate.md, hulls). `within`: A contains these, too.
std::size_t hulls_of_moving(const Problem& problem, const std::vector<Vector>& within);

}  // namespace attest::kernel
