// Sums of rational multiples of square roots of integers, in normal form, and sums of powers of b that have
// these as coefficients and exponents.
#pragma once

#include <map>
#include <vector>

#include "kernel/arithmetic/exact.hpp"

namespace attest::kernel {

/// A sum of terms c sqrt(R), no c being 0, R products of different members of a base (Radicands): then sums
/// and products are of this form again, and equal numbers have equal terms.
class RootSum {
public:
  RootSum() = default;
  RootSum(int c) { add(c, 1); }
  /// Adds c sqrt(R).
  void add(const Rational& c, const Integer& radicand);
  RootSum& operator+=(const RootSum& other);
  RootSum operator*(const RootSum& other) const;
  RootSum operator-() const;
  /// An order that addition keeps (not that of the numbers).
  bool operator<(const RootSum& other) const;
  bool operator==(const RootSum& other) const { return terms_ == other.terms_; }
  bool is_zero() const { return terms_.empty(); }
  const std::map<Integer, Rational>& terms() const { return terms_; }  ///< R -> c

private:
  std::map<Integer, Rational> terms_;
};

/// Pairwise coprime integers > 1, none a square, of which all integers that were added are products, but for
/// squares. Found by greatest common divisors: nothing is factored.
class Radicands {
public:
  /// Precondition: n > 0.
  void add(const Integer& n);
  /// c sqrt(n). Precondition: n was added, before or after others.
  RootSum root(const Integer& n, const Rational& c = 1) const;

private:
  std::vector<Integer> base_;
};

/// The ring of sums of c b^x, c and x such sums (as PowerSums in checker/ring.hpp).
struct RootPowers {
  using Scalar = std::map<RootSum, RootSum>;  ///< x -> c, none of which is 0

  /// sum += c term.
  void add(Scalar& sum, const Scalar& term, const RootSum& c) const;
  Scalar multiply(const Scalar& a, const Scalar& b) const;
};

}  // namespace attest::kernel
