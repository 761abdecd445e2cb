#include "search/arithmetic/rational.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "search/arithmetic/flint_matrix.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/owned.hpp"

namespace attest {
namespace {

std::uint64_t limbs(const mpz_class& x) {
  return mpz_size(x.get_mpz_t());
}

// What a multiplication by x, with its greatest common divisors, is charged for numbers as long as x.
std::uint64_t cost(const mpq_class& x) {
  const std::uint64_t length = limbs(x.get_num()) + limbs(x.get_den());
  return 8 + length * length / 4;
}

mpz_class lcm_of_denominators(const mpq_class* entries, std::size_t n) {
  mpz_class result = 1;
  for (std::size_t i = 0; i < n; ++i)
    if (entries[i].get_den() != 1)
      mpz_lcm(result.get_mpz_t(), result.get_mpz_t(), entries[i].get_den_mpz_t());
  return result;
}

mpz_class scaled(const mpq_class& value, const mpz_class& multiple_of_den) {
  mpz_class result;
  mpz_divexact(result.get_mpz_t(), multiple_of_den.get_mpz_t(), value.get_den_mpz_t());
  return result * value.get_num();
}

void make_primitive(std::vector<mpz_class>& v) {
  mpz_class g = 0;
  for (const mpz_class& x : v) mpz_gcd(g.get_mpz_t(), g.get_mpz_t(), x.get_mpz_t());
  if (g <= 1) return;
  for (mpz_class& x : v) mpz_divexact(x.get_mpz_t(), x.get_mpz_t(), g.get_mpz_t());
}

// Rank profiles mod a large prime are those over Q unless the prime is unlucky, which is noticed because what
// is derived from them is verified.
constexpr int kPrimesTried = 8;

}  // namespace

RationalMatrix rational_rows(const ExactArray& array, std::size_t cols, std::size_t first,
                             std::size_t count) {
  RationalMatrix m(count, cols);
  for (std::size_t i = 0; i < count * cols; ++i) m.data()[i] = array.at(first * cols + i);
  return m;
}

mpq_class dot(const mpq_class* a, const mpq_class* b, std::size_t n) {
  mpq_class sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (a[i] != 0 && b[i] != 0) {
      meter().work(cost(a[i]) + cost(b[i]));
      sum += a[i] * b[i];
    }
  return sum;
}

Matrix<mpz_class> primitive_rows(const RationalMatrix& a) {
  Matrix<mpz_class> result(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    const mpz_class den = lcm_of_denominators(a.row(i), a.cols());
    std::vector<mpz_class> v;
    for (std::size_t j = 0; j < a.cols(); ++j) v.push_back(scaled(a(i, j), den));
    make_primitive(v);
    for (std::size_t j = 0; j < a.cols(); ++j) result(i, j) = std::move(v[j]);
  }
  return result;
}

std::optional<RationalMatrix> solve(const RationalMatrix& a, const RationalMatrix& b) {
  const std::size_t n = a.rows(), k = b.cols();
  FlintMatrix left(n, n), right(n, k), x(n, k);
  for (std::size_t i = 0; i < n; ++i) {
    // One factor for the row of both sides.
    mpz_class den = lcm_of_denominators(a.row(i), n);
    const mpz_class right_den = lcm_of_denominators(b.row(i), k);
    mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), right_den.get_mpz_t());
    for (std::size_t j = 0; j < n; ++j) left.set(i, j, scaled(a(i, j), den));
    for (std::size_t j = 0; j < k; ++j) right.set(i, j, scaled(b(i, j), den));
  }
  // p-adic lifting: an inverse mod a prime, and a product for each word of the solution.
  std::uint64_t longest = 1;
  for (std::size_t i = 0; i < n * n; ++i)
    longest = std::max(longest, limbs(a.data()[i].get_num()) + limbs(a.data()[i].get_den()));
  meter().work(static_cast<std::uint64_t>(n) * n * n * (1 + k * longest));
  OwnedInteger den;
  if (fmpz_mat_solve(x.get(), den, left.get(), right.get()) == 0) return std::nullopt;
  mpz_class d;
  fmpz_get_mpz(d.get_mpz_t(), den);
  RationalMatrix result(n, k);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      result(i, j) = mpq_class(x.at(i, j), d);
      result(i, j).canonicalize();
    }
  return result;
}

namespace {

// Columns of x (given on the pivot rows) as vectors of length d.
std::vector<RationalVector> spread(const RationalMatrix& x, const std::vector<std::size_t>& pivots,
                                   std::size_t d) {
  std::vector<RationalVector> result;
  for (std::size_t j = 0; j < x.cols(); ++j) {
    std::vector<mpq_class> column(d);
    for (std::size_t i = 0; i < pivots.size(); ++i) column[pivots[i]] = x(i, j);
    result.push_back(RationalVector(column));
  }
  return result;
}

std::optional<std::vector<RationalVector>> solve_on_pivots(const RationalMatrix& a, const RationalMatrix& b) {
  const Matrix<mpz_class> integers = primitive_rows(a);
  for (int attempt = 0; attempt < kPrimesTried; ++attempt) {
    const std::uint64_t p = large_prime(attempt);
    const std::vector<std::size_t> pivots = rank_profiles(residues(integers, p), p).cols;
    if (pivots.size() < a.rows()) continue;
    if (const auto x = solve(submatrix(a, range(0, a.rows()), pivots), b))
      return spread(*x, pivots, a.cols());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<RationalVector>> right_inverse(const RationalMatrix& a) {
  RationalMatrix identity(a.rows(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) identity(i, i) = 1;
  return solve_on_pivots(a, identity);
}

std::optional<RationalVector> solve_full_row_rank(const RationalMatrix& a, const std::vector<mpq_class>& b) {
  RationalMatrix column(b.size(), 1);
  for (std::size_t i = 0; i < b.size(); ++i) column(i, 0) = b[i];
  auto x = solve_on_pivots(a, column);
  if (!x) return std::nullopt;
  return std::move(x->front());
}

std::vector<RowRelation> fundamental_circuits(const RationalMatrix& a) {
  const Matrix<mpz_class> integers = primitive_rows(a);
  std::vector<RowRelation> circuits;
  for (int attempt = 0; attempt < kPrimesTried; ++attempt) {
    const std::uint64_t p = large_prime(attempt);
    const MinorIndices minor = rank_profiles(residues(integers, p), p);
    const std::size_t r = minor.rank();
    std::vector<std::size_t> dependent;
    for (std::size_t i = 0, k = 0; i < a.rows(); ++i) {
      if (k < r && minor.rows[k] == i)
        ++k;
      else
        dependent.push_back(i);
    }
    if (dependent.empty()) return {};
    // y M = the dependent row, M the minor: its transpose is solved for all of them at once.
    RationalMatrix transposed(r, r), right(r, dependent.size());
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j) transposed(i, j) = integers(minor.rows[j], minor.cols[i]);
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < dependent.size(); ++j) right(i, j) = integers(dependent[j], minor.cols[i]);
    const auto y = r == 0 ? std::optional<RationalMatrix>(RationalMatrix(0, dependent.size()))
                          : solve(transposed, right);
    if (!y) continue;
    circuits.clear();
    bool all_hold = true;
    for (std::size_t k = 0; k < dependent.size() && all_hold; ++k) {
      std::vector<mpq_class> coefficients(a.rows());
      for (std::size_t i = 0; i < r; ++i) coefficients[minor.rows[i]] = (*y)(i, k);
      coefficients[dependent[k]] = -1;
      // From relations of the primitive rows to relations of the rows: row = factor * primitive row.
      for (std::size_t i = 0; i < a.rows(); ++i) {
        if (coefficients[i] == 0) continue;
        for (std::size_t j = 0; j < a.cols(); ++j)
          if (a(i, j) != 0) {
            coefficients[i] /= a(i, j) / mpq_class(integers(i, j));
            break;
          }
      }
      std::vector<mpz_class> relation = RationalVector(coefficients).num;
      make_primitive(relation);
      for (std::size_t j = 0; j < a.cols() && all_hold; ++j) {
        mpq_class sum = 0;
        for (std::size_t i = 0; i < a.rows(); ++i)
          if (relation[i] != 0) sum += relation[i] * a(i, j);
        all_hold = sum == 0;
      }
      RowRelation circuit;
      for (std::size_t i = 0; i < a.rows(); ++i)
        if (relation[i] != 0) {
          circuit.rows.push_back(i);
          circuit.relation.push_back(relation[i]);
        }
      circuits.push_back(std::move(circuit));
    }
    if (all_hold) return circuits;
  }
  throw LimitError("no prime gave the rank profile of a matrix");
}

std::optional<RowRelation> row_relation(const RationalMatrix& a) {
  auto circuits = fundamental_circuits(a);
  if (circuits.empty()) return std::nullopt;
  std::size_t best = 0;
  for (std::size_t k = 1; k < circuits.size(); ++k)
    if (circuits[k].rows.size() < circuits[best].rows.size()) best = k;
  return std::move(circuits[best]);
}

std::optional<RowRelation> row_relation(const RationalMatrix& a, const std::vector<std::size_t>& rows) {
  auto relation = row_relation(submatrix(a, rows));
  if (relation)
    for (std::size_t& row : relation->rows) row = rows[row];
  return relation;
}

std::vector<std::vector<mpz_class>> right_kernel(const RationalMatrix& a) {
  std::vector<std::vector<mpz_class>> basis;
  for (const RowRelation& circuit : fundamental_circuits(transposed(a))) {
    std::vector<mpz_class> v(a.cols());
    for (std::size_t k = 0; k < circuit.rows.size(); ++k) v[circuit.rows[k]] = circuit.relation[k];
    basis.push_back(std::move(v));
  }
  return basis;
}

RationalMatrix rational_matrix(const ExactArray& array) {
  return rational_rows(array, array.shape()[1], 0, array.shape()[0]);
}

RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b) {
  RationalMatrix product(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.cols(); ++k)
      if (a(i, k) != 0)
        for (std::size_t j = 0; j < b.cols(); ++j) {
          meter().work(cost(a(i, k)) + cost(b(k, j)));
          product(i, j) += a(i, k) * b(k, j);
        }
  return product;
}

RankWitness rank_with_witness(const RationalMatrix& a) {
  RankWitness witness;
  witness.kernel = right_kernel(a);
  const std::size_t r = a.cols() - witness.kernel.size();
  for (std::size_t k = 0;; ++k) {
    const std::uint64_t p = small_prime(k);
    const std::optional<ModularMatrix> m = residues(a, p);
    ModularMatrix kernel(witness.kernel.size(), a.cols());
    for (std::size_t i = 0; i < kernel.rows(); ++i)
      for (std::size_t j = 0; j < a.cols(); ++j)
        kernel(i, j) = mpz_fdiv_ui(witness.kernel[i][j].get_mpz_t(), p);
    if (!m || rank_profiles(kernel, p).rank() < kernel.rows()) continue;
    witness.minor = rank_profiles(*m, p);
    witness.prime = p;
    if (witness.rank() == r) return witness;
  }
}

std::size_t rank(const RationalMatrix& a) {
  const Matrix<mpz_class> integers = primitive_rows(a);
  FlintMatrix m(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) m.set(i, j, integers(i, j));
  return static_cast<std::size_t>(fmpz_mat_rank(m.get()));
}

}  // namespace attest
