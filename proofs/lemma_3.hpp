// Lemma 3: a rank-one W' = u v^T with W' e_t = 0 on a subset and pairwise different entries of E_t W' e_t
// elsewhere.
#pragma once

#include <optional>
#include <vector>

#include "problem/case.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

/// u: integers such that the entries of E_t u are pairwise different for as many examples as possible; with
/// the exact products.
class TokenOrder {
public:
  /// Tries small random vectors; for contexts without equal tokens (Assumption 2 excludes them) one is found
  /// for all examples.
  TokenOrder(const Case& c, SplitMix64& random);
  const RationalVector& u() const { return u_; }
  /// E_t u. Shared contexts: the same for all t.
  const std::vector<mpq_class>& products(std::size_t t) const {
    return products_[products_.size() == 1 ? 0 : t];
  }
  bool distinct(std::size_t t) const { return distinct_[distinct_.size() == 1 ? 0 : t]; }
  bool distinct(const std::vector<std::size_t>& examples) const;

private:
  RationalVector u_;
  std::vector<std::vector<mpq_class>> products_;
  std::vector<bool> distinct_;
};

/// The examples outside the subset, increasing.
std::vector<std::size_t> other_examples(const Case& c, const std::vector<std::size_t>& subset);

/// The second factor: v with v . e_t = 0 for t in `subset`, and its products with all queries.
struct SeparatingFunctional {
  RationalVector v;
  std::vector<mpq_class> products;  ///< v . e_t
};
/// v = w - sum_k (w . e_k) L_k for a random integer vector w, L the left inverse of the queries of `subset`.
/// Tried until v . e_t != 0 for all of `others`; empty when that does not succeed (then some of their queries
/// are in the span).
std::optional<SeparatingFunctional> separating_functional(const Case& c,
                                                          const std::vector<std::size_t>& subset,
                                                          const std::vector<RationalVector>& left_inverse,
                                                          const std::vector<std::size_t>& others,
                                                          SplitMix64& random);

/// Gap between the two largest of the pairwise different numbers factor * x_i, and the index of the largest.
/// The gap is 0 for a single number.
struct Peak {
  std::size_t index;
  mpq_class gap;
};
Peak peak(const std::vector<mpq_class>& x, const mpq_class& factor);

}  // namespace attest
