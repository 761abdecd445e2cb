// Exact linear algebra over the rationals (FLINT), always behind a witness that can be checked by
// multiplication.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <vector>

#include "kernel/arithmetic/exact.hpp"
#include "problem/exact_array.hpp"
#include "search/arithmetic/matrix.hpp"

namespace attest {

using RationalMatrix = Matrix<mpq_class>;

using RationalVector = kernel::Vector;

/// Rows first .. first + count - 1 of an array that is read as a matrix with `cols` columns.
RationalMatrix rational_rows(const ExactArray& array, std::size_t cols, std::size_t first, std::size_t count);

mpq_class dot(const mpq_class* a, const mpq_class* b, std::size_t n);

/// R with A R = I, as its m columns of length d, for an m x d matrix A of rank m; empty when the rank is
/// smaller. R is zero outside the rows that belong to the first m independent columns of A, which keeps its
/// entries small.
std::optional<std::vector<RationalVector>> right_inverse(const RationalMatrix& a);

/// x with A x = b, for A of full row rank, supported like `right_inverse`; empty when the rank is smaller.
std::optional<RationalVector> solve_full_row_rank(const RationalMatrix& a, const std::vector<mpq_class>& b);

/// A dependency of rows: sum of relation[k] times row rows[k] is 0, all coefficients non-zero, and no proper
/// subset of these rows is dependent (a circuit). Empty when the rows are independent.
struct RowRelation {
  std::vector<std::size_t> rows;  ///< increasing
  std::vector<mpz_class> relation;
};
std::optional<RowRelation> row_relation(const RationalMatrix& a);
/// The same among these rows.
std::optional<RowRelation> row_relation(const RationalMatrix& a, const std::vector<std::size_t>& rows);
/// One circuit for each row that depends on the rows of the row rank profile.
std::vector<RowRelation> fundamental_circuits(const RationalMatrix& a);

/// A basis of {x : A x = 0}, integer primitive vectors.
std::vector<std::vector<mpz_class>> right_kernel(const RationalMatrix& a);

/// X with A X = B over the rationals for a non-singular A (n x n), B n x k; empty when A is singular.
std::optional<RationalMatrix> solve(const RationalMatrix& a, const RationalMatrix& b);

/// The exact rank, by elimination over the integers (for small matrices).
std::size_t rank(const RationalMatrix& a);

/// The exact rank with a witness from both sides: a minor that does not vanish mod a prime, and a basis of
/// the right kernel that is independent mod it.
struct RankWitness {
  std::uint64_t prime = 0;
  MinorIndices minor;
  std::vector<std::vector<mpz_class>> kernel;
  std::size_t rank() const { return minor.rank(); }
};
RankWitness rank_with_witness(const RationalMatrix& a);

RationalMatrix rational_matrix(const ExactArray& array);
RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b);

/// The rows scaled to primitive integer vectors (zero rows stay zero).
Matrix<mpz_class> primitive_rows(const RationalMatrix& a);

}  // namespace attest
