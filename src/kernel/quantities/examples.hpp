// Examples that are equal.
#pragma once

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

}  // namespace attest::kernel
