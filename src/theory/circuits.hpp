// Which examples can be memorized together: sets of rows of Z for almost all weights that are independent
// (docs/mathematics.md, Which examples).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "problem/claim.hpp"

namespace attest {

/// A memorizable set, and for every other example those of the set with which it is a circuit.
struct Circuits {
  std::vector<std::size_t> set;                               ///< increasing
  std::map<std::size_t, std::vector<std::size_t>> conflicts;  ///< each increasing

  /// "0,1,3;2:0,1": what stands in the parentheses of `which(...)`.
  std::string text() const;
};

/// "examples memorizable together: 0, 1, 3; 2 conflicts with 0, 1": of those with equal conflicts at once, of
/// long lists the beginning.
std::string in_words(const Circuits& circuits);

/// From what `text` says. Nothing for any other text.
std::optional<Circuits> circuits_in(const std::string& text);

/// The examples 0 .. T - 1 by the claim's `values`, larger ones first, equal ones in their order.
std::vector<std::size_t> greedy_order(const Claim& claim, std::size_t examples);

}  // namespace attest
