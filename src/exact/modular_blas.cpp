// The only translation unit that includes FFLAS-FFPACK (its headers take long to compile).

#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular-balanced.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "exact/modular.hpp"
#include "exact/residues.hpp"

// FFLAS-FFPACK declares the BLAS itself, so that OpenBLAS's own header cannot be included beside it.
extern "C" void openblas_set_num_threads(int count);

namespace attest::blas {
namespace {

using Field = Givaro::ModularBalanced<double>;

// Givaro's own range checks are asserts.
Field field(std::uint64_t p) {
  if (p <= 2 || p >= (std::uint64_t{1} << 24))
    throw std::logic_error("modulus out of the range of the binary64 field");
  return Field(static_cast<std::int64_t>(p));
}

void reduce(const Field& f, std::size_t m, std::size_t n, double* a) {
  FFLAS::freduce(f, m, n, a, n);
}

}  // namespace

void use_threads(int count) {
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) openblas_set_num_threads(count);
}

void multiply(std::uint64_t p, std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda,
              const double* b, std::size_t ldb, bool transpose_b, double* c, std::size_t ldc) {
  for (std::size_t i = 0; i < m; ++i) std::fill_n(c + i * ldc, n, 0.0);
  add_product(p, 1, m, n, k, a, lda, b, ldb, c, ldc, transpose_b);
}

void add_product(std::uint64_t p, int sign, std::size_t m, std::size_t n, std::size_t k, const double* a,
                 std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc,
                 bool transpose_b) {
  const BalancedReduction reduction(p);
  const std::size_t terms = reduction.terms();
  if (m == 0 || n == 0) return;
  for (std::size_t first = 0; first < k; first += terms) {
    const std::size_t count = std::min(terms, k - first);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, static_cast<int>(m),
                static_cast<int>(n), static_cast<int>(count), sign, a + first, static_cast<int>(lda),
                transpose_b ? b + first : b + first * ldb, static_cast<int>(ldb), 1.0, c,
                static_cast<int>(ldc));
    for (std::size_t i = 0; i < m; ++i)
      for (double* x = c + i * ldc; x != c + i * ldc + n; ++x) *x = reduction(*x);
  }
}

ReducedEchelon reduced_echelon(std::uint64_t p, std::size_t m, std::size_t n, const double* a,
                               std::size_t lda) {
  const Field f = field(p);
  ReducedEchelon result;
  if (m == 0 || n == 0) return result;
  std::vector<double> work(m * n);
  for (std::size_t i = 0; i < m; ++i) std::copy_n(a + i * lda, n, &work[i * n]);
  std::vector<std::size_t> row_swaps(m), col_swaps(n);
  const std::size_t r =
      FFPACK::PLUQ(f, FFLAS::FflasNonUnit, m, n, work.data(), n, row_swaps.data(), col_swaps.data());
  if (r == 0) return result;
  if (r < n)
    FFLAS::ftrsm(f, FFLAS::FflasLeft, FFLAS::FflasUpper, FFLAS::FflasNoTrans, FFLAS::FflasNonUnit, r, n - r,
                 f.one, work.data(), n, work.data() + r, n);
  auto order_of = [](const std::vector<std::size_t>& swaps) {
    std::vector<std::size_t> order(swaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = 0; k < swaps.size(); ++k) std::swap(order[k], order[swaps[k]]);
    return order;
  };
  const std::vector<std::size_t> rows = order_of(row_swaps), cols = order_of(col_swaps);
  result.rows.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(r));
  std::sort(result.rows.begin(), result.rows.end());
  result.cols.assign(cols.begin(), cols.begin() + static_cast<std::ptrdiff_t>(r));
  // The other columns back in their order.
  std::vector<std::size_t> rest(n - r);
  std::iota(rest.begin(), rest.end(), r);
  std::sort(rest.begin(), rest.end(), [&](std::size_t x, std::size_t y) { return cols[x] < cols[y]; });
  result.rest.resize(r * (n - r));
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t k = 0; k < n - r; ++k) {
      const double x = result.rest[i * (n - r) + k] = work[i * n + rest[k]];
      // The theorem about PLUQ that the column rank profile rests on (Dumas, Pernet, Sultan, ISSAC 2013).
      if (x != 0 && cols[rest[k]] < result.cols[i]) throw std::logic_error("PLUQ: not a row echelon form");
    }
  return result;
}

MinorIndices nonsingular_minor(std::uint64_t p, std::size_t m, std::size_t n, double* a) {
  const Field f = field(p);
  reduce(f, m, n, a);
  std::size_t* rows = nullptr;
  std::size_t* cols = nullptr;
  std::size_t rank = 0;
  FFPACK::RowRankProfileSubmatrixIndices(f, m, n, a, n, rows, cols, rank);
  MinorIndices minor{{rows, rows + rank}, {cols, cols + rank}};
  FFLAS::fflas_delete(rows, cols);  // aligned memory of FFLAS
  std::sort(minor.rows.begin(), minor.rows.end());
  std::sort(minor.cols.begin(), minor.cols.end());
  return minor;
}

void solve(std::uint64_t p, std::size_t r, std::size_t k, double* a, double* b) {
  const Field f = field(p);
  reduce(f, r, r, a);
  reduce(f, r, k, b);
  int info = 0;
  FFPACK::fgesv(f, FFLAS::FflasLeft, r, k, a, r, b, k, &info);
  if (info != 0) throw std::logic_error("the minor is singular");
}

}  // namespace attest::blas
