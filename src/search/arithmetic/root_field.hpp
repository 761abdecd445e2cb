// Sums of rational multiples of square roots of integers: a field, in which equality is decided by a basis
// over the rationals (docs/mathematics.md, Depth).
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace attest {

/// sum_S c_S sqrt(product of the generators in S): S (a set of bits) -> c_S, none of which is 0.
using RootNumber = std::map<std::uint64_t, mpq_class>;

/// sum += factor term.
void add(RootNumber& sum, const RootNumber& term, const mpq_class& factor = 1);

/// The field that square roots of positive integers generate over Q.
class RootField {
public:
  static constexpr std::size_t kMostGenerators = 60;

  /// Throws LimitError when it takes more generators.
  explicit RootField(const std::set<mpz_class>& radicands);
  /// c sqrt(n), n one of these, or a square.
  RootNumber root(const mpz_class& n, const mpq_class& c) const;
  RootNumber multiply(const RootNumber& a, const RootNumber& b) const;
  /// sum += a b.
  void add_product(RootNumber& sum, const RootNumber& a, const RootNumber& b) const;
  /// The product of the generators in a set.
  mpz_class radicand(std::uint64_t set) const;
  /// Pairwise coprime integers > 1, none a square.
  const std::vector<mpz_class>& generators() const { return generators_; }

private:
  std::vector<mpz_class> generators_;
};

}  // namespace attest
