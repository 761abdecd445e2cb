// Examples that are equal, and those that move.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "kernel/problem.hpp"

namespace attest::kernel {

/// How many different examples there are that equal none of `others`: the same query, and the same tokens in
/// any order. With their labels, where these are given. Projected queries and keys are not compared.
std::size_t distinct_examples(const Problem& problem, const std::optional<ExactArray>& labels = std::nullopt,
                              const std::vector<std::size_t>& others = {});

/// The examples that equal no earlier one, in this sense. A Failure without queries.
std::vector<std::size_t> first_of_equal_examples(const Problem& problem);

/// The classes of equal examples, in this sense, that have more than one. None of projected queries and keys.
std::vector<std::vector<std::size_t>> equal_examples(const Problem& problem);

/// The queries of examples that move, up to factors. An example moves when its query is not 0 and its tokens
/// are not all equal.
class MovingQueries {
public:
  /// Adds the query of this example, if it moves. Returns the earlier one of which it is a multiple, if any.
  std::optional<std::size_t> add(const Problem& problem, std::size_t example);

private:
  std::map<std::vector<Integer>, std::size_t> directions_;
};

}  // namespace attest::kernel
