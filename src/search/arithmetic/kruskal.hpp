// The Kruskal rank of a set of vectors: the largest k such that every k of them are linearly independent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "search/arithmetic/rational.hpp"

namespace attest {

/// How the independence of all k-subsets mod a prime is shown (docs/certificate.md, `kruskal-lower`).
enum class SubsetMethod { subsets, dual };

/// lower <= Kruskal rank <= upper, with what proves it. For vectors 0 .. T - 1 in dimension d.
struct KruskalRank {
  std::size_t lower = 0, upper = 0;
  std::uint64_t prime = 0;  ///< all `lower`-subsets are independent mod this prime
  SubsetMethod method = SubsetMethod::subsets;
  std::optional<RowRelation> dependency;  ///< upper + 1 vectors, when upper < min(T, d)
  bool limited = false;                   ///< the interval is open because the budget was used up
};

/// Searches for dependent subsets of the same vectors, which keep what they find out: the circuits of a few
/// bases, and subsets that were gone through. What a search says does not depend on earlier ones.
class KruskalSearch {
public:
  explicit KruskalSearch(RationalMatrix vectors);

  /// Decides the Kruskal rank up to `target` (ranks of at least `target` are not told apart: then lower >=
  /// target). `budget` bounds the number of subsets visited, of more than two vectors; it is a count, not a
  /// time, so that results are reproducible. Screening is done modulo primes; every dependency is confirmed
  /// over Q.
  KruskalRank up_to(std::size_t target, double budget);

  const RationalMatrix& vectors() const { return vectors_; }
  /// The same as primitive integer vectors, which have the same dependent subsets.
  const Matrix<mpz_class>& integers() const { return integers_; }

private:
  // False when the subset is independent after all.
  bool add_dependency(const std::vector<std::size_t>& subset, KruskalRank& found) const;
  void go_through_subsets(KruskalRank& found);
  void go_through_hyperplanes(KruskalRank& found);
  void take_circuits(KruskalRank& found);

  RationalMatrix vectors_;
  Matrix<mpz_class> integers_;
  std::size_t attempt_ = 0;  // primes that made independent vectors dependent
  std::size_t rank_ = 0;     // modulo a prime
  std::optional<KruskalRank> first_, by_hyperplanes_;
  std::map<std::size_t, KruskalRank> by_subsets_;
};

/// One such search.
KruskalRank kruskal_rank(const RationalMatrix& vectors, std::size_t target, double budget);

/// Subsets that a search visits by default.
inline constexpr double kSubsetBudget = 2e8;

}  // namespace attest
