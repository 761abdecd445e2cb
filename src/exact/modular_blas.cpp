// The only translation unit that includes FFLAS-FFPACK (its headers take long to compile).

#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular-balanced.h>

#include <stdexcept>

#include "exact/modular.hpp"

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

void multiply(std::uint64_t p, std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda,
              const double* b, std::size_t ldb, bool transpose_b, double* c, std::size_t ldc) {
  const Field f = field(p);
  FFLAS::fgemm(f, FFLAS::FflasNoTrans, transpose_b ? FFLAS::FflasTrans : FFLAS::FflasNoTrans, m, n, k, f.one,
               a, lda, b, ldb, f.zero, c, ldc);
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
