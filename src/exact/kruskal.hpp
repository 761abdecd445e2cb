// The Kruskal rank of a set of vectors: the largest k such that every k of them are linearly independent.
#pragma once

#include <cstdint>
#include <optional>

#include "exact/rational.hpp"

namespace attest {

/// How the independence of all k-subsets mod a prime is shown (docs/certificate.md, `kruskal-lower`).
enum class SubsetMethod { subsets, dual };

/// lower <= Kruskal rank <= upper, with what proves it. For vectors 0 .. T - 1 in dimension d.
struct KruskalRank {
  std::size_t lower = 0, upper = 0;
  std::uint64_t prime = 0;                        ///< all `lower`-subsets are independent mod this prime
  SubsetMethod method = SubsetMethod::subsets;
  std::optional<RowRelation> dependency;          ///< upper + 1 vectors, when upper < min(T, d)
  bool limited = false;                           ///< the interval is open because the budget was used up
};

/// Decides the Kruskal rank up to `target` (ranks of at least `target` are not told apart: then lower >= target).
/// `budget` bounds the number of subsets visited; it is a count, not a time, so that results are reproducible.
/// Screening is done mod a prime below 2^61; every dependency is confirmed over Q.
KruskalRank kruskal_rank(const RationalMatrix& vectors, std::size_t target, double budget);

/// Subsets that a search visits by default.
inline constexpr double kSubsetBudget = 2e8;

}  // namespace attest
