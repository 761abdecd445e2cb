// Eigenvalues without characteristic polynomials: rational matrices whose eigenvalues are known because they
// were made of them, and enclosures by Arb.
#pragma once

#include <algorithm>
#include <vector>

#include "search/arithmetic/balls.hpp"
#include "search/arithmetic/flint.hpp"
#include "tests/support.hpp"

namespace attest::test {

/// The inverse, by the reduction of Gauss and Jordan. Precondition: m is regular.
inline RationalMatrix inverse(RationalMatrix m) {
  const std::size_t n = m.rows();
  RationalMatrix result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    while (pivot < n && m(pivot, j) == 0) ++pivot;
    REQUIRE(pivot < n);
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(m(pivot, k), m(j, k));
      std::swap(result(pivot, k), result(j, k));
    }
    const mpq_class factor = m(j, j);
    for (std::size_t k = 0; k < n; ++k) {
      m(j, k) /= factor;
      result(j, k) /= factor;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const mpq_class f = m(i, j);
      for (std::size_t k = 0; i != j && k < n; ++k) {
        m(i, k) -= f * m(j, k);
        result(i, k) -= f * result(j, k);
      }
    }
  }
  return result;
}

/// A rational orthogonal matrix: Cayley's (1 - S)(1 + S)^-1 for a skew-symmetric S.
inline RationalMatrix orthogonal(Random& random, std::size_t n) {
  RationalMatrix minus(n, n), plus(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    minus(i, i) = plus(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) {
      const mpq_class x = random.rational(2, 2);
      plus(i, j) = x;
      plus(j, i) = -x;
      minus(i, j) = -x;
      minus(j, i) = x;
    }
  }
  return product(minus, inverse(plus));
}

/// P diag(values) Q, with zeros beyond the diagonal: for orthogonal P and Q the absolute values are the
/// singular values.
inline RationalMatrix with_values(const RationalMatrix& p, const std::vector<mpq_class>& values,
                                  const RationalMatrix& q) {
  RationalMatrix diagonal(p.rows(), q.rows());
  for (std::size_t k = 0; k < values.size(); ++k) diagonal(k, k) = values[k];
  return product(product(p, diagonal), q);
}

/// Enclosures of the eigenvalues of a symmetric matrix, least first.
inline std::vector<Ball> enclosed_eigenvalues(const BallMatrix& symmetric, slong precision) {
  const auto n = static_cast<slong>(symmetric.rows());
  std::vector<Ball> values(symmetric.rows());
  acb_mat_t m, basis, transpose, vectors;
  for (acb_mat_struct* x : {m, basis, transpose, vectors}) acb_mat_init(x, n, n);
  acb_ptr approximate = _acb_vec_init(n), enclosed = _acb_vec_init(n);
  bool found = false;
  Random random(1);
  // Arb's verification fails for some sparse matrices with multiple eigenvalues; in another orthonormal basis
  // it succeeds.
  for (int attempt = 0; attempt < 5 && !found; ++attempt) {
    for (slong i = 0; i < n; ++i)
      for (slong j = 0; j < n; ++j)
        acb_set_arb(acb_mat_entry(m, i, j),
                    symmetric(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).get());
    if (attempt > 0) {
      const RationalMatrix q = orthogonal(random, symmetric.rows());
      for (slong i = 0; i < n; ++i)
        for (slong j = 0; j < n; ++j)
          acb_set_arb(acb_mat_entry(basis, i, j),
                      Ball(q(static_cast<std::size_t>(i), static_cast<std::size_t>(j)), precision).get());
      acb_mat_transpose(transpose, basis);
      acb_mat_mul(m, m, basis, precision);
      acb_mat_mul(m, transpose, m, precision);
    }
    acb_mat_approx_eig_qr(approximate, nullptr, vectors, m, nullptr, 0, precision);
    found = acb_mat_eig_multiple(enclosed, m, approximate, vectors, precision) != 0;
  }
  for (std::size_t k = 0; k < values.size(); ++k) acb_get_real(values[k].get(), enclosed + k);
  for (acb_mat_struct* x : {m, basis, transpose, vectors}) acb_mat_clear(x);
  _acb_vec_clear(approximate, n);
  _acb_vec_clear(enclosed, n);
  REQUIRE(found);
  std::sort(values.begin(), values.end(), [](const Ball& a, const Ball& b) {
    return arf_cmp(arb_midref(a.get()), arb_midref(b.get())) < 0;
  });
  return values;
}

inline std::vector<Ball> enclosed_eigenvalues(const RationalMatrix& symmetric, slong precision) {
  BallMatrix m(symmetric.rows(), symmetric.rows());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.rows(); ++j) m(i, j) = Ball(symmetric(i, j), precision);
  return enclosed_eigenvalues(m, precision);
}

}  // namespace attest::test
