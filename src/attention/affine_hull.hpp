// The affine hull of all tokens (foundations F2): the upper bound of rank(Z) for all weights.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "exact/rational.hpp"
#include "input/case_file.hpp"

namespace attest {

/// E_t v = c 1 for every example t.
struct Functional {
  RationalVector v;
  mpq_class c;
};

using TokenIndex = std::pair<std::size_t, std::size_t>;  ///< (example, position)

/// What is known of the affine hull, with its witness.
struct AffineHull {
  std::size_t dimension;                ///< a, or an upper bound of it
  bool linear;                          ///< the hull is known to contain 0
  std::vector<Functional> functionals;  ///< d - a of them, when that is the witness
  std::vector<TokenIndex>
      tokens;               ///< a + 1 of them which every token equals one of, when that is the witness
  std::uint64_t prime = 0;  ///< mod which the functionals are independent
  /// H a, or H a + 1 unless the hull is linear.
  std::size_t bound(std::size_t heads) const { return heads * dimension + (linear ? 0 : 1); }
};

/// The hull by its functionals: exact, with explicit kernel vectors. Precondition: the case has contexts.
AffineHull affine_hull(const Case& c);

/// The cheaper of the witnesses that gives the least bound: a list of tokens for shared contexts whose tokens
/// are affinely independent, functionals otherwise.
AffineHull cheapest_affine_hull(const Case& c);

/// The same when the bound is below `rank`, as a claim about a Z that has no more rows or columns needs it.
/// If a modular rank shows that it is not, nothing is solved: all of the space, without a witness.
AffineHull affine_hull_below(const Case& c, std::size_t rank);

/// A non-singular minor of [E | 1] (affine) or E over the tokens of all contexts, as large as their rank over
/// the rationals: the hull is no smaller.
struct TokenMinor {
  std::uint64_t prime;
  std::vector<TokenIndex> tokens;
  std::vector<std::size_t> cols;
};
/// Precondition: `hull` is exactly the hull of the tokens, as both functions above return it.
TokenMinor token_minor(const Case& c, const AffineHull& hull, bool affine);

/// The common sum of the entries of every token, or two tokens that differ in it (Proposition 5).
struct TokenSums {
  mpq_class sum;
  std::optional<std::pair<TokenIndex, TokenIndex>> different;
};
TokenSums token_sums(const Case& c);

}  // namespace attest
