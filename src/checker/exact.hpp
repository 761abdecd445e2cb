// Exact numbers: GMP through Boost.Multiprecision, vectors over a common denominator, and their residues.
#pragma once

#include <gmpxx.h>

#include <boost/multiprecision/gmp.hpp>
#include <string>
#include <vector>

#include "checker/modular.hpp"

namespace attest::checker {

using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;

Rational to_rational(const mpq_class& value);
std::string text(const Rational& value);
Integer floor(const Rational& value);

/// The vector num / den. `den` is positive and, together with `num`, in lowest terms: a prime divides it
/// exactly when it divides the denominator of an entry.
struct Vector {
  std::vector<Integer> num;
  Integer den = 1;

  Vector() = default;
  Vector(std::vector<Integer> numerators, Integer denominator);
  explicit Vector(const std::vector<Rational>& entries);
  std::size_t size() const { return num.size(); }
  Rational operator[](std::size_t i) const { return Rational(num[i], den); }
  bool operator==(const Vector& other) const { return num == other.num && den == other.den; }
  bool operator<(const Vector& other) const { return num != other.num ? num < other.num : den < other.den; }
};

Rational dot(const Vector& a, const Vector& b);
bool is_zero(const Vector& v);
/// sum_k factors[k] vectors[k]. Precondition: at least one vector, as many factors, equal lengths.
Vector combination(const std::vector<Rational>& factors, const std::vector<const Vector*>& vectors);
/// The vector as integers without a common factor; zero stays zero.
std::vector<Integer> primitive(const Vector& v);

/// Residues modulo a prime. A denominator that it divides is a Failure.
Word residue(const Integer& value, Word modulus);
Word residue(const Rational& value, Word modulus);
Row residues(const Vector& v, Word modulus);

}  // namespace attest::checker
