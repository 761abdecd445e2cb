// Arithmetic modulo word-size primes, and the linear algebra over prime fields that proves lower bounds of
// ranks.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "problem/exact_array.hpp"
#include "search/arithmetic/matrix.hpp"

namespace attest {

std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t m);
std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t m);
/// Precondition: a is prime to the prime m.
std::uint64_t inverse_mod(std::uint64_t a, std::uint64_t m);
bool is_prime(std::uint64_t n);

/// The k-th prime below 2^61, downwards: moduli for ranks of rational matrices, where every prime that
/// divides no denominator proves a lower bound, and a large one is hardly ever unlucky.
std::uint64_t large_prime(std::size_t k);

/// The k-th prime below 2^23, downwards: where elimination on binary64 is fastest.
std::uint64_t small_prime(std::size_t k);

/// value mod m; empty when m divides the denominator.
std::optional<std::uint64_t> residue(const mpq_class& value, std::uint64_t m);

/// The rational number of small numerator and denominator that has this residue; empty when there is none.
std::optional<mpq_class> reconstructed(const mpz_class& residue, const mpz_class& modulus);

/// All entries mod the odd prime m, row-major; empty when m divides one of the denominators.
std::optional<std::vector<std::uint64_t>> residues(const ExactArray& array, std::uint64_t m);

using ModularMatrix = Matrix<std::uint64_t>;
ModularMatrix residues(const Matrix<mpz_class>& a, std::uint64_t m);
/// Empty when m divides one of the denominators.
std::optional<ModularMatrix> residues(const Matrix<mpq_class>& a, std::uint64_t m);

/// Row and column rank profiles over F_p (FLINT's nmod_mat): a non-singular minor of maximal size. p < 2^62.
MinorIndices rank_profiles(const ModularMatrix& a, std::uint64_t p);

/// A basis of {y : y A = 0} over F_p, one vector a row.
ModularMatrix left_kernel(const ModularMatrix& a, std::uint64_t p);

/// Vectors over F_p that are kept independent: an echelon form that grows.
class IndependentVectors {
public:
  explicit IndependentVectors(std::uint64_t p) : p_(p) {}
  /// Adds v unless it depends on the vectors added before; says whether it was added.
  bool add(std::vector<std::uint64_t> v);

private:
  std::uint64_t p_;
  std::vector<std::vector<std::uint64_t>> rows_;  ///< leading entry 1
  std::vector<std::size_t> pivots_;
};

/// Word-size kernels on binary64 (FFLAS-FFPACK, ModularBalanced<double>): entries are integers of absolute
/// value at most p / 2 (`balanced`). Precondition of all: p prime, 2 < p < 2^24 (checked).
namespace blas {

inline double balanced(std::uint64_t r, std::uint64_t p) {
  return r > p / 2 ? -static_cast<double>(p - r) : static_cast<double>(r);
}
inline std::uint64_t unbalanced(double r, std::uint64_t p) {
  return r < 0 ? p - static_cast<std::uint64_t>(-r) : static_cast<std::uint64_t>(r);
}

/// C = A B mod p, A m x k with leading dimension lda, and so on. `transpose_b`: B is stored n x k.
void multiply(std::uint64_t p, std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda,
              const double* b, std::size_t ldb, bool transpose_b, double* c, std::size_t ldc);

/// C = C + sign A B mod p, sign 1 or -1; shapes as for `multiply`. All entries, of C too, are balanced
/// residues. Sums are reduced before they could exceed 2^53, whatever the order in which the BLAS adds.
void add_product(std::uint64_t p, int sign, std::size_t m, std::size_t n, std::size_t k, const double* a,
                 std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc,
                 bool transpose_b = false);

/// Whether the rows of the m x n matrix A of balanced residues are independent. Destroys it.
bool rows_independent(std::uint64_t p, std::size_t m, std::size_t n, double* a);

/// Whether all leading minors of the n x n matrix A are regular. Destroys it.
bool leading_minors_regular(std::uint64_t p, std::size_t n, double* a);

/// The row and the column rank profile, each increasing, of the m x n matrix A with leading dimension lda,
/// which is left alone.
MinorIndices rank_profiles(std::uint64_t p, std::size_t m, std::size_t n, const double* a, std::size_t lda);

/// The reduced row echelon form of a matrix of rank r: the identity at the pivots, `rest` elsewhere.
struct ReducedEchelon {
  std::vector<std::size_t> rows;  ///< r: the row rank profile, increasing
  std::vector<std::size_t> cols;  ///< r: the column rank profile, in the order of the rows of `rest`
  std::vector<double> rest;       ///< r x (n - r): the other columns, in increasing order
};
/// Of the m x n matrix A with leading dimension lda, which is left alone.
ReducedEchelon reduced_echelon(std::uint64_t p, std::size_t m, std::size_t n, const double* a,
                               std::size_t lda);

/// Indices of a non-singular minor of maximal size; rows and columns increasing. Destroys `a` (m x n).
MinorIndices nonsingular_minor(std::uint64_t p, std::size_t m, std::size_t n, double* a);

/// Solves A X = B for the non-singular r x r matrix A and the r x k matrix B; X replaces B. Destroys A.
void solve(std::uint64_t p, std::size_t r, std::size_t k, double* a, double* b);

}  // namespace blas
}  // namespace attest
