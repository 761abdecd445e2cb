// Exact numbers: integers and rationals, vectors over a common denominator, and their residues.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/integers.hpp"
#include "kernel/arithmetic/modular.hpp"
#include "problem/exact_array.hpp"

namespace attest::kernel {

using Integer = mpz_class;
using Rational = mpq_class;

/// Shortened to 60 characters.
std::string text(const Rational& value);
Integer floor(const Rational& value);
inline bool is_integer(const Rational& value) {
  return value.get_den() == 1;
}

/// The vector num / den. `den` is positive and, together with `num`, in lowest terms: a prime divides it
/// exactly when it divides the denominator of an entry.
struct Vector {
  std::vector<Integer> num;
  Integer den = 1;

  Vector() = default;
  Vector(std::vector<Integer> numerators, Integer denominator);
  explicit Vector(const std::vector<Rational>& entries);
  /// `length` entries of an array from position `first` on, `step` apart.
  Vector(const ExactArray& array, std::size_t first, std::size_t length, std::size_t step = 1);
  std::size_t size() const { return num.size(); }
  Rational operator[](std::size_t i) const;
  bool operator==(const Vector& other) const { return num == other.num && den == other.den; }
};

/// The least number of which all denominators are divisors.
Integer common_denominator(std::span<const Vector> vectors);
std::vector<Rational> entries(const Vector& v);
/// Precondition: equal lengths.
Rational dot(const Vector& a, const Vector& b);
/// The product of each vector with x. Precondition: equal lengths.
Vector products(std::span<const Vector> vectors, const Vector& x);
bool is_zero(const Vector& v);
Vector absolute(Vector v);
/// sum_k factors[k] vectors[k]. Precondition: at least one vector, as many factors, equal lengths.
Vector combination(const Vector& factors, const std::vector<Vector>& vectors);
Vector combination(const std::vector<Rational>& factors, const std::vector<Vector>& vectors);
/// The vector as integers without a common factor; zero stays zero.
Vector primitive(const Vector& v);
/// The mean of at least one vector.
Vector mean(const std::vector<Vector>& vectors);

/// Numbers that are integers of absolute value below 2^(most - least) times 2^least, all 0 when most < least.
struct Exponents {
  int least = 1 << 20, most = -least;

  /// For the entries first + j, j in `used`, as well. Precondition: binary floats or integers.
  void include(const ExactArray& array, std::size_t first, const std::vector<std::size_t>& used);
};

/// Residues modulo a prime. A denominator that it divides is a Failure.
Word residue(const Integer& value, Word modulus);
Word residue(const Rational& value, Word modulus);
/// Writes v.size() residues.
void residues(const Vector& v, Word modulus, Word* result);

/// Sums with more bits are computed with integers: the time for residues grows with their square.
inline constexpr std::size_t kManyBits = 1 << 14;

/// Residues of the entries of an array modulo an odd prime below kBlockedLimit.
class ArrayResidues {
public:
  ArrayResidues(const ExactArray& array, Word modulus);
  /// The entries from position `first` on.
  void copy(std::size_t first, std::size_t length, double* result) const;

private:
  const ExactArray& array_;
  Word p_;
  std::vector<double> powers_;  ///< 2^(i - 1074) mod p, for binary floats
};

}  // namespace attest::kernel
