// The only translation unit that includes FFLAS-FFPACK (its headers take long to compile).

#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular-balanced.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "base/meter.hpp"
#include "base/parallel.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/residues.hpp"

namespace attest::blas {
namespace {

using Field = Givaro::ModularBalanced<double>;

// Givaro's own range checks are asserts.
Field field(std::uint64_t p) {
  if (p <= 2 || p >= (std::uint64_t{1} << 24))
    throw std::logic_error("modulus out of the range of the binary64 field");
  return Field(static_cast<std::int64_t>(p));
}

// Of a product of an m x k and a k x n matrix, or what costs as much: eight multiplications at a time.
std::uint64_t cost(std::size_t m, std::size_t n, std::size_t k) {
  return static_cast<std::uint64_t>(m) * n * (k / 8 + 1);
}

void spend(std::size_t m, std::size_t n, std::size_t k) {
  meter().work(cost(m, n, k));
}

void reduce(const Field& f, std::size_t m, std::size_t n, double* a) {
  FFLAS::freduce(f, m, n, a, n);
}

// C = old C + sign A B mod p, old 0 or 1: with 0, C may be memory that nobody has written to.
void product(std::uint64_t p, int old, int sign, std::size_t m, std::size_t n, std::size_t k, const double* a,
             std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc,
             bool transpose_b) {
  const BalancedReduction reduction(p);
  const std::size_t terms = reduction.terms();
  if (m == 0 || n == 0) return;
  spend(m, n, k);
  // Parts of C, each by one thread: of its columns or its rows, whichever are more.
  const bool by_rows = m > n;
  in_ranges(std::max(m, n), cost(m, n, k), [&](std::size_t begin, std::size_t end) {
    const std::size_t rows = by_rows ? end - begin : m, cols = by_rows ? n : end - begin;
    const double* const left = by_rows ? a + begin * lda : a;
    const double* const right = by_rows ? b : b + begin * (transpose_b ? ldb : 1);
    double* const part = c + begin * (by_rows ? ldc : 1);
    for (std::size_t i = 0; k == 0 && old == 0 && i < rows; ++i) std::fill_n(part + i * ldc, cols, 0.0);
    for (std::size_t first = 0; first < k; first += terms) {
      const std::size_t count = std::min(terms, k - first);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
                  static_cast<int>(rows), static_cast<int>(cols), static_cast<int>(count), sign, left + first,
                  static_cast<int>(lda), right + first * (transpose_b ? 1 : ldb), static_cast<int>(ldb),
                  first == 0 ? old : 1, part, static_cast<int>(ldc));
      for (std::size_t i = 0; i < rows; ++i) reduction.all(part + i * ldc, cols);
    }
  });
}

}  // namespace

void multiply(std::uint64_t p, std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda,
              const double* b, std::size_t ldb, bool transpose_b, double* c, std::size_t ldc) {
  product(p, 0, 1, m, n, k, a, lda, b, ldb, c, ldc, transpose_b);
}

void add_product(std::uint64_t p, int sign, std::size_t m, std::size_t n, std::size_t k, const double* a,
                 std::size_t lda, const double* b, std::size_t ldb, double* c, std::size_t ldc,
                 bool transpose_b) {
  product(p, 1, sign, m, n, k, a, lda, b, ldb, c, ldc, transpose_b);
}

namespace {

// Row and column rank profiles, the latter in the order of the rows of the echelon form; of the m x n matrix
// in `work`, which becomes its PLUQ decomposition.
struct Profiles {
  std::vector<std::size_t> rows, cols;  // the first `rank` ones; all the others follow
  std::size_t rank;
};

Profiles decompose(const Field& f, std::size_t m, std::size_t n, std::vector<double>& work) {
  std::vector<std::size_t> row_swaps(m), col_swaps(n);
  Profiles result;
  spend(m, n, std::min(m, n));
  result.rank =
      FFPACK::PLUQ(f, FFLAS::FflasNonUnit, m, n, work.data(), n, row_swaps.data(), col_swaps.data());
  auto order_of = [](const std::vector<std::size_t>& swaps) {
    std::vector<std::size_t> order = range(0, swaps.size());
    for (std::size_t k = 0; k < swaps.size(); ++k) std::swap(order[k], order[swaps[k]]);
    return order;
  };
  result.rows = order_of(row_swaps);
  result.cols = order_of(col_swaps);
  return result;
}

// The entries of `list` at order[first .. last - 1].
std::vector<std::size_t> picked(const std::vector<std::size_t>& list, const std::vector<std::size_t>& order,
                                std::size_t first, std::size_t last) {
  std::vector<std::size_t> result;
  for (std::size_t k = first; k < last; ++k) result.push_back(list[order[k]]);
  return result;
}

// These rows and columns of a matrix with leading dimension lda.
std::vector<double> submatrix(const double* a, std::size_t lda, const std::vector<std::size_t>& rows,
                              const std::vector<std::size_t>& cols) {
  std::vector<double> result(rows.size() * cols.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < cols.size(); ++k) result[i * cols.size() + k] = a[rows[i] * lda + cols[k]];
  return result;
}

// The column rank profile, from no more columns than it takes to find m of them.
std::vector<std::size_t> column_rank_profile(const Field& f, std::uint64_t p, std::size_t m, std::size_t n,
                                             const double* a, std::size_t lda) {
  constexpr std::size_t kSpare = 8, kLeast = 128;
  // At the columns so far, the rows `left` are `factors` (left x used) times the rows `used`.
  std::vector<std::size_t> result, used, left = range(0, m);
  std::vector<double> factors;
  for (std::size_t first = 0, count = 0; first < n && !left.empty(); first += count) {
    count = std::min(n - first, std::max(kLeast, left.size() + kSpare));
    const std::vector<std::size_t> slab = range(first, first + count);
    const std::size_t u = used.size();
    std::vector<double> work = submatrix(a, lda, left, slab);
    add_product(p, -1, left.size(), count, u, factors.data(), u, submatrix(a, lda, used, slab).data(), count,
                work.data(), count);
    const Profiles found = decompose(f, left.size(), count, work);
    const std::size_t r = found.rank, rest = left.size() - r;
    const std::vector<std::size_t> pivots = picked(slab, found.cols, 0, r);
    result.insert(result.end(), pivots.begin(), pivots.end());
    if (rest == 0) break;
    // The other rows of the slab are L2 L1^-1 times its independent ones.
    double* const quotient = work.data() + r * count;
    if (r > 0)
      FFLAS::ftrsm(f, FFLAS::FflasRight, FFLAS::FflasLower, FFLAS::FflasNoTrans, FFLAS::FflasUnit, rest, r,
                   f.one, work.data(), count, quotient, count);
    const std::vector<double> before = submatrix(factors.data(), u, found.rows, range(0, u));
    factors.assign(rest * (u + r), 0.0);
    for (std::size_t i = 0; i < rest; ++i) {
      std::copy_n(before.data() + (r + i) * u, u, factors.data() + i * (u + r));
      std::copy_n(quotient + i * count, r, factors.data() + i * (u + r) + u);
    }
    add_product(p, -1, rest, u, r, quotient, count, before.data(), u, factors.data(), u + r);
    const std::vector<std::size_t> chosen = picked(left, found.rows, 0, r);
    used.insert(used.end(), chosen.begin(), chosen.end());
    left = picked(left, found.rows, r, left.size());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Whether few of the columns are mostly enough for the rank.
bool wide(std::size_t m, std::size_t n) {
  return n >= 2 * (m + 8);
}

}  // namespace

MinorIndices rank_profiles(std::uint64_t p, std::size_t m, std::size_t n, const double* a, std::size_t lda) {
  MinorIndices result;
  if (m == 0 || n == 0) return result;
  // Mostly the first rows and columns: then no permutation is searched for, in a third of the time of PLUQ.
  // Otherwise that is seen where the first of them depends on those before.
  const std::size_t most = std::min(m, n);
  result.rows = result.cols = range(0, most);
  std::vector<double> leading = submatrix(a, lda, result.rows, result.cols);
  spend(most, most, most);
  if (leading_minors_regular(p, most, leading.data())) return result;
  const Field f = field(p);
  const bool few = wide(m, n);
  result.cols = few ? column_rank_profile(f, p, m, n, a, lda) : range(0, n);
  result.rows = range(0, m);
  if (few && result.cols.size() == m) return result;
  std::vector<double> work = submatrix(a, lda, result.rows, result.cols);
  Profiles found = decompose(f, m, result.cols.size(), work);
  found.rows.resize(found.rank);
  found.cols.resize(found.rank);
  result.cols = picked(result.cols, found.cols, 0, found.rank);
  result.rows = std::move(found.rows);
  std::sort(result.rows.begin(), result.rows.end());
  std::sort(result.cols.begin(), result.cols.end());
  return result;
}

ReducedEchelon reduced_echelon(std::uint64_t p, std::size_t m, std::size_t n, const double* a,
                               std::size_t lda) {
  const Field f = field(p);
  ReducedEchelon result;
  if (m == 0 || n == 0) return result;
  if (wide(m, n)) {
    // Most wide matrices are regular in few of their columns. The rest is one product with an inverse, which
    // is faster than the decomposition.
    MinorIndices profiles = rank_profiles(p, m, n, a, lda);
    result.rows = std::move(profiles.rows);
    result.cols = std::move(profiles.cols);
    const std::size_t r = result.cols.size();
    if (r == 0) return result;
    std::vector<double> minor = submatrix(a, lda, result.rows, result.cols), inverse(r * r, 0.0);
    for (std::size_t i = 0; i < r; ++i) inverse[i * r + i] = 1;
    solve(p, r, r, minor.data(), inverse.data());
    result.rest.resize(r * (n - r));
    if (r == m && result.cols.back() == m - 1) {
      multiply(p, r, n - r, r, inverse.data(), r, a + r, lda, false, result.rest.data(), n - r);
    } else {
      std::vector<std::size_t> others;
      const std::vector<std::size_t> all = range(0, n);
      std::set_difference(all.begin(), all.end(), result.cols.begin(), result.cols.end(),
                          std::back_inserter(others));
      multiply(p, r, n - r, r, inverse.data(), r, submatrix(a, lda, result.rows, others).data(), n - r, false,
               result.rest.data(), n - r);
    }
    return result;
  }
  std::vector<double> work = submatrix(a, lda, range(0, m), range(0, n));
  const auto [rows, cols, r] = decompose(f, m, n, work);
  if (r == 0) return result;
  spend(r, n - r, r);
  if (r < n)
    FFLAS::ftrsm(f, FFLAS::FflasLeft, FFLAS::FflasUpper, FFLAS::FflasNoTrans, FFLAS::FflasNonUnit, r, n - r,
                 f.one, work.data(), n, work.data() + r, n);
  result.rows.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(r));
  std::sort(result.rows.begin(), result.rows.end());
  result.cols.assign(cols.begin(), cols.begin() + static_cast<std::ptrdiff_t>(r));
  // The other columns back in their order.
  std::vector<std::size_t> rest = range(r, n);
  std::sort(rest.begin(), rest.end(),
            [&order = cols](std::size_t x, std::size_t y) { return order[x] < order[y]; });
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
  spend(m, n, std::min(m, n));
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
  spend(r, r + k, r);
  reduce(f, r, r, a);
  reduce(f, r, k, b);
  int info = 0;
  FFPACK::fgesv(f, FFLAS::FflasLeft, r, k, a, r, b, k, &info);
  if (info != 0) throw std::logic_error("the minor is singular");
}

}  // namespace attest::blas
