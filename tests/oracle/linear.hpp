// Linear algebra of the oracle: over Q, at high precision, modulo primes.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/real.hpp"

namespace attest::test {

using Q = mpq_class;
using Row = std::vector<Q>;
using Rows = std::vector<Row>;

Q dot(const Row& a, const Row& b);

/// The rank by elimination in fractions.
std::size_t rank(Rows m);

/// At least `least`; equal to it when `exact`: the pivots after that many are all below 2^(-3/4 bits), and
/// those before are above 2^(-1/2 bits), relative to the largest entry of their row. (Pivoting is complete,
/// so an error at most doubles with each pivot.)
struct RealRank {
  std::size_t least = 0;
  bool exact = false;
};
RealRank rank(RealMatrix m);

/// x with A x = y, a column of y at a time; nothing when A is singular or nearly so.
std::optional<RealMatrix> solved(RealMatrix a, RealMatrix y);
/// Eigenvalues of a symmetric matrix by Jacobi's rotations.
std::vector<Real> eigenvalues(RealMatrix m);

using Residues = std::vector<std::uint64_t>;

/// A prime.
constexpr std::uint64_t kMersenne = (std::uint64_t{1} << 61) - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p);
mpz_class integer(std::uint64_t x);
std::uint64_t residue(const Q& x, std::uint64_t p);
std::uint64_t inverse(std::uint64_t x, std::uint64_t p);
/// Subtracts the multiple of `row`, which begins with a one, that clears its column.
void eliminate(Residues& from, const Residues& row, std::uint64_t p);
/// Makes the first entry that is not 0 a one; false when there is none.
bool normalise(Residues& row, std::uint64_t p);
std::size_t rank(const std::vector<Residues>& m, std::uint64_t p);

/// Sets the precision for a scope.
class Precision {
public:
  explicit Precision(long bits) : before_(Real::bits()) { Real::bits() = bits; }
  ~Precision() { Real::bits() = before_; }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

private:
  long before_;
};

}  // namespace attest::test
