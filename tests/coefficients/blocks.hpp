// Matrices made of heads by their definition, under characters that are not the program's.
#pragma once

#include "tests/proofs/cases.hpp"

namespace attest::test {

/// What a matrix consists of: the heads from first to last - 1, their outputs, a column of ones.
struct Wanted {
  std::size_t first = 0, last = 0;
  bool outputs = false, ones = false;
};

/// Its rank for the given weights, as textbook_rank_of_z.
std::size_t textbook_rank_of_blocks(const Case& c, const Wanted& wanted);

/// An array on one line.
std::string line(const std::string& name, const Numbers& numbers, const std::vector<std::size_t>& shape);

}  // namespace attest::test
