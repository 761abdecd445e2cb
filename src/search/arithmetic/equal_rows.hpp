// Equal rows of an array: large arrays of binary floats often repeat a few tokens.
#pragma once

#include <cstddef>
#include <vector>

#include "problem/exact_array.hpp"

namespace attest {

/// For each row of `length` entries, the first row that is equal to it (by hashing). Precondition: `length`
/// divides the size of the array.
std::vector<std::size_t> first_equal_rows(const ExactArray& array, std::size_t length);

/// How many different rows of `length` entries there are.
std::size_t count_distinct_rows(const ExactArray& array, std::size_t length);

}  // namespace attest
