// Equal tokens and equal contexts, found by hashing. An optimization only: some equal ones may be taken for
// different, never the other way round.
#pragma once

#include <cstddef>
#include <vector>

#include "input/exact_array.hpp"

namespace attest {

/// For an array read as rows of `width` entries: for every row the index of an equal row, the first one that
/// was found, itself mostly.
std::vector<std::size_t> equal_rows(const ExactArray& array, std::size_t width);

}  // namespace attest
