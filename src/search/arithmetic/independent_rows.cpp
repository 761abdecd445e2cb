#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/residues.hpp"

namespace attest::blas {
namespace {

// Elimination of an m x n matrix of balanced residues mod p, m <= n, by halves, so that most of it is
// products of matrices. Rows that are done have a 1 at [k, k].
struct Elimination {
  std::uint64_t p;
  std::size_t m, n;
  double* a;
  bool swaps;  // otherwise pivots are on the diagonal
  BalancedReduction reduce{p};

  // Whether the rows [first, end) are independent of each other and those before, multiples of which are
  // subtracted.
  bool run(std::size_t first, std::size_t end) const {
    constexpr std::size_t kFewRows = 32;
    if (end - first <= kFewRows) return run_by_rows(first, end);
    const std::size_t middle = first + (end - first) / 2;
    if (!run(first, middle)) return false;
    subtract(first, middle, middle, end, n);
    return run(middle, end);
  }

private:
  // Subtracts multiples of the rows [first, end), which are done, from the rows [from, to), so that they
  // would be 0 there; the factors take these places. Only for columns < width.
  void subtract(std::size_t first, std::size_t end, std::size_t from, std::size_t to,
                std::size_t width) const {
    constexpr std::size_t kFewPivots = 16;
    if (end - first > kFewPivots) {
      const std::size_t middle = first + (end - first) / 2;
      subtract(first, middle, from, to, end);
      subtract(middle, end, from, to, end);
      return add_product(p, -1, to - from, width - end, end - first, a + from * n + first, n,
                         a + first * n + end, n, a + from * n + end, n);
    }
    for (std::size_t i = from; i < to; ++i) {
      double* const row = a + i * n;
      for (std::size_t k = first; k < end; ++k) {
        const double factor = row[k] = reduce(row[k]);
        subtract_multiple(row + k + 1, a + k * n + k + 1, width - k - 1, factor);
      }
      reduce.all(row + end, width - end);
    }
  }

  // The same one row after the other, each of which is reduced once all multiples are subtracted.
  bool run_by_rows(std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) {
      double* const row = a + i * n;
      for (std::size_t k = first; k < i; ++k) {
        const double factor = reduce(row[k]);
        subtract_multiple(row + k + 1, a + k * n + k + 1, n - k - 1, factor);
      }
      reduce.all(row + i, n - i);
      const auto pivot =
          static_cast<std::size_t>(std::find_if(row + i, row + n, [](double x) { return x != 0; }) - row);
      if (pivot == n || (pivot != i && !swaps)) return false;
      for (std::size_t k = 0; k < m && pivot != i; ++k) std::swap(a[k * n + i], a[k * n + pivot]);
      const double inverse = balanced(inverse_mod(unbalanced(row[i], p), p), p);
      reduce.all(row + i, n - i, inverse);
    }
    return true;
  }
};

}  // namespace

bool rows_independent(std::uint64_t p, std::size_t m, std::size_t n, double* a) {
  return m <= n && Elimination{p, m, n, a, true}.run(0, m);
}

bool leading_minors_regular(std::uint64_t p, std::size_t n, double* a) {
  return Elimination{p, n, n, a, false}.run(0, n);
}

}  // namespace attest::blas
