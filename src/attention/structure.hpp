// Heads that say nothing new: equal to another one, or (shared context) the same for every example.
#pragma once

#include <utility>
#include <vector>

#include "attention/character_z.hpp"

namespace attest {

/// A partition of the heads; see `structure` in docs/certificate.md.
struct HeadStructure {
  std::vector<std::size_t> distinct, constant;
  std::vector<std::pair<std::size_t, std::size_t>> equal;  ///< (representative, head)
  bool trivial() const { return equal.empty() && constant.empty(); }
  /// min(D a + 1, D a' + K) for a hull of dimension a in dimension d.
  std::size_t bound(std::size_t a, bool linear, std::size_t d) const;
};

/// Finds them by comparing coefficients under a character, and confirms every find with exact logits.
HeadStructure head_structure(const AttentionLayer& layer, const CharacterData& screening);

}  // namespace attest
