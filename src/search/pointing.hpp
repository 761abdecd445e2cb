// Heads that point at tokens: a minor of the matrix of these tokens bounds the capacity from below where
// queries are no multiples of each other (docs/mathematics.md, Theorem 5).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem/case.hpp"

namespace attest {

/// What a step of the rule `coefficients` says.
struct Pointing {
  std::uint64_t p;
  std::vector<std::size_t> rows, cols;
  std::vector<std::vector<std::size_t>> tokens;  ///< of each row, for each head
};

/// Such heads, with a minor of `rank` rows, or nothing: not every capacity is reached in this way. All heads
/// but one point at the same token of an example, so that the minor consists of blocks, one for each head,
/// and is found, and checked, in a fraction of the time of a dense one. Preconditions: the coefficients sum
/// to 1, and there are contexts and queries.
std::optional<Pointing> pointing_heads(const Case& c, std::size_t rank);

/// Heads that each point at a random token, with the largest minor of rows whose queries are no multiples of
/// each other; nothing where a denominator is in the way. Preconditions as above.
std::optional<Pointing> randomly_pointing_heads(const Case& c, std::uint64_t seed);

}  // namespace attest
