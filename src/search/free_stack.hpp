// Attention layers behind each other whose weights are all free: the largest rank of Z, and of the
// derivatives of the outputs by all weights (docs/mathematics.md, Free layers).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem/case.hpp"
#include "search/arithmetic/matrix.hpp"

namespace attest {

/// Integer weights of all layers, and primes q, 2 q + 1, ... modulo the last of which they are looked at.
struct NestedCharacter {
  std::vector<std::uint64_t> primes;
  std::uint64_t bound = 0, seed = 0;
};
/// The k-th that is tried for a case; empty when there are too many layers, or no more.
std::optional<NestedCharacter> nested_character(const Case& c, std::size_t k);

/// Rows and columns of a minor that does not vanish, of the largest size that this character shows unless it
/// is `enough`. Empty when a denominator vanishes. Precondition: all layers of the stack are attention.
std::optional<MinorIndices> minor_of_stack_z(const Case& c, const NestedCharacter& character);
/// The same of the Jacobian, T d_out rows and a column for each weight (docs/certificate.md, Free layers).
std::optional<MinorIndices> minor_of_stack_jacobian(const Case& c, const NestedCharacter& character,
                                                    std::size_t enough);

}  // namespace attest
