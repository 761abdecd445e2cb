#include "kernel/arithmetic/modular.hpp"

#include <algorithm>
#ifndef ATTEST_BOOST
#include <blis.h>
#endif

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/parallel.hpp"

namespace attest::kernel {
namespace {

__extension__ typedef unsigned __int128 DoubleWord;

// --- primes below 2^23, in doubles that hold integers

constexpr std::size_t kDepth = 128;            // products summed before a reduction
constexpr std::size_t kFew = 16;               // pivots that are subtracted one after the other
constexpr Word kLargest = kBlockedLimit - 15;  // the largest prime below 2^23
// A sum is a residue and kDepth products, or twice as many where one factor is balanced, at most p / 2, in
// whatever order they are added, with or without fused operations: partial sums are integers too. Reducing it
// subtracts a multiple of p that is off by less than p.
static_assert(kDepth * (kLargest - 1) * (kLargest - 1) + 2 * kLargest <= Word{1} << 53);

/// x mod p in [0, p). Precondition: |x| <= 2^53 - 2 p, an integer; ratio = 1 / p rounded.
inline double reduced(double x, double p, double ratio) {
  constexpr double kRounding = 6755399441055744.0;  // 1.5 * 2^52: adding and subtracting it rounds
  const double quotient = (x * ratio + kRounding) - kRounding;
  double rest = x - quotient * p;  // in [-p, p]: all three are integers of at most 2^53
  rest += rest < 0 ? p : 0;
  return rest - (rest >= p ? p : 0);
}

/// a[j] -= f b[j], not reduced.
ATTEST_FOR_SEVERAL_PROCESSORS void subtract_raw(double* a, const double* b, std::size_t length, double f) {
  for (std::size_t j = 0; j < length; ++j) a[j] -= f * b[j];
}

/// Entries that lie in memory: [i, j] is first[i * down + j * right].
struct View {
  const double* first;
  std::size_t down, right;
};

#ifdef ATTEST_BOOST
/// c[j] += f[0] b[0][j] + ... + f[3] b[3][j].
ATTEST_FOR_SEVERAL_PROCESSORS void add_multiples(double* c, const double* const* b, const double* f,
                                                 std::size_t length) {
  const double *const b0 = b[0], *const b1 = b[1], *const b2 = b[2], *const b3 = b[3];
  for (std::size_t j = 0; j < length; ++j)
    c[j] += (f[0] * b0[j] + f[1] * b1[j]) + (f[2] * b2[j] + f[3] * b3[j]);
}

/// C += sign A B, not reduced.
void add_raw_product(double sign, View a, View b, std::size_t depth, double* c, std::size_t stride,
                     std::size_t m, std::size_t n, bool) {
  std::vector<double> rows;  // of B, if they do not lie in memory
  if (b.right != 1) {
    rows.resize(depth * n);
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t j = 0; j < n; ++j) rows[k * n + j] = b.first[k * b.down + j * b.right];
    b = {rows.data(), n, 1};
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < depth; k += 4) {
      const double* row[4];
      double factor[4];
      for (std::size_t l = 0; l < 4; ++l) {
        row[l] = b.first + std::min(k + l, depth - 1) * b.down;
        factor[l] = k + l < depth ? sign * a.first[i * a.down + (k + l) * a.right] : 0;
      }
      add_multiples(c + i * stride, row, factor, n);
    }
}
#else
/// C += sign A B, not reduced; `upper`: what lies below the diagonal may be left as it is.
void add_raw_product(double sign, View a, View b, std::size_t depth, double* c, std::size_t stride,
                     std::size_t m, std::size_t n, bool upper) {
  double one = 1;
  double *const left = const_cast<double*>(a.first), *const right = const_cast<double*>(b.first);
  // Its ways for small matrices, which it takes at a depth of kDepth, whatever the other sizes, have half the
  // rate (15, not 30 Gflop/s, on an EPYC of 2021).
  rntm_t runtime;
  bli_rntm_init_from_global(&runtime);
  bli_rntm_disable_l3_sup(&runtime);
  if (upper)
    bli_dgemmt_ex(BLIS_UPPER, BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, m, depth, &sign, left, a.down, a.right,
                  right, b.down, b.right, &one, c, stride, 1, nullptr, &runtime);
  else
    bli_dgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, m, n, depth, &sign, left, a.down, a.right, right,
                 b.down, b.right, &one, c, stride, 1, nullptr, &runtime);
}
#endif

/// C += sign A B mod p, an m x n matrix with rows of `stride` entries, from sums of so many products;
/// `upper`: what lies below the diagonal may be left as it is.
void add_product(double sign, View a, View b, std::size_t inner, double* c, std::size_t stride, std::size_t m,
                 std::size_t n, Word p, std::size_t terms, bool upper = false) {
  for (std::size_t k = 0; k < inner; k += terms) {
    const std::size_t depth = std::min(terms, inner - k);
    add_raw_product(sign, {a.first + k * a.right, a.down, a.right}, {b.first + k * b.down, b.down, b.right},
                    depth, c, stride, m, n, upper);
    for (std::size_t i = 0; i < m; ++i) reduce(c + i * stride, n, p);
  }
}

/// Elimination by halves, so that nearly all of it is products of matrices.
struct Elimination {
  Matrix& matrix;
  Word p;

  /// Subtracts multiples of the rows [first, end), whose pivots are the 1s at [k, k], from the rows
  /// [from, to), so that they would be 0 there; the factors, balanced, take these places. Only for columns <
  /// width.
  void subtract(std::size_t first, std::size_t end, std::size_t from, std::size_t to, std::size_t width) {
    const std::size_t middle = first + (end - first) / 2, stride = matrix.cols;
    if (end - first > kFew) {
      subtract(first, middle, from, to, end);
      subtract(middle, end, from, to, end);
      // Only what lies between zeros of the factors: there are many where blocks of the matrix are 0.
      std::size_t top = to, bottom = from, left = end, right = first;
      for (std::size_t i = from; i < to; ++i) {
        std::size_t k = first, l = end;
        while (k < end && matrix[i][k] == 0) ++k;
        if (k == end) continue;
        while (matrix[i][l - 1] == 0) --l;
        top = std::min(top, i), bottom = i + 1, left = std::min(left, k), right = std::max(right, l);
      }
      if (top == to) return;
      return add_product(-1, {matrix[top] + left, stride, 1}, {matrix[left] + end, stride, 1}, right - left,
                         matrix[top] + end, stride, bottom - top, width - end, p, 2 * kDepth);
    }
    const double modulus = static_cast<double>(p);
    for (std::size_t i = from; i < to; ++i) {
      double* const row = matrix[i];
      for (std::size_t k = first; k < end; ++k) {
        row[k] = reduced(row[k], modulus, 1 / modulus);
        if (row[k] == 0) continue;
        if (2 * row[k] > modulus) row[k] -= modulus;
        subtract_raw(row + k + 1, matrix[k] + k + 1, width - k - 1, row[k]);
      }
      reduce(row + end, width - end, p);
    }
  }

  /// Makes rows [first, end) have a 1 at [k, k] each, moving columns. Precondition: subtracted are all rows
  /// before. Whether each of them has a pivot.
  bool run(std::size_t first, std::size_t end) {
    if (end - first > 1) {
      const std::size_t middle = first + (end - first) / 2;
      if (!run(first, middle)) return false;
      in_ranges(end - middle, (end - middle) * (middle - first) * (matrix.cols - first) / 8,
                [&](std::size_t from, std::size_t to) {
                  subtract(first, middle, middle + from, middle + to, matrix.cols);
                });
      return run(middle, end);
    }
    double* const row = matrix[first];
    const std::size_t width = matrix.cols,
                      col = static_cast<std::size_t>(
                          std::find_if(row + first, row + width, [](double x) { return x != 0; }) - row);
    if (col == width) return false;
    for (std::size_t i = 0; col != first && i < matrix.rows; ++i) std::swap(matrix[i][first], matrix[i][col]);
    const double scale = static_cast<double>(inverse(static_cast<Word>(row[first]), p));
    for (std::size_t j = first; j < width; ++j) row[j] *= scale;
    reduce(row + first, width - first, p);
    return true;
  }
};

}  // namespace

// --- any prime below 2^62

Word multiply(Word a, Word b, Word p) {
  return static_cast<Word>(DoubleWord{a} * b % p);
}

Word power(Word base, Word exponent, Word p) {
  Word result = 1 % p;
  for (base %= p; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base, p);
    base = multiply(base, base, p);
  }
  return result;
}

Word inverse(Word a, Word p) {
  return power(a, p - 2, p);
}

bool is_prime(Word n) {
  // GMP begins with the test of Baillie, Pomerance, Selfridge and Wagstaff, which is right for all of these.
  return mpz_probab_prime_p(mpz_class(n).get_mpz_t(), 25) != 0;
}

Word odd_prime_below(Word n) {
  do {
    if (n <= 3) throw LimitError("integers of too many digits to be compared modulo primes");
  } while (!is_prime(--n));
  return n;
}

std::size_t checked_size(std::size_t rows, std::size_t cols) {
  std::size_t size = 0;
  if (__builtin_mul_overflow(rows, cols, &size) || size >> 48 != 0)
    throw LimitError("a matrix of " + std::to_string(rows) + " x " + std::to_string(cols) + " entries");
  return size;
}

ATTEST_FOR_SEVERAL_PROCESSORS void reduce(double* integers, std::size_t length, Word prime) {
  const double p = static_cast<double>(prime), ratio = 1 / p;
  for (std::size_t j = 0; j < length; ++j) integers[j] = reduced(integers[j], p, ratio);
}

void subtract_multiple(Word* a, const Word* b, std::size_t length, Word f, Word p) {
  // The quotient f b / p is guessed from the precomputed f / p and is at most one too small, so r < 2 p.
  const Word ratio = static_cast<Word>((DoubleWord{f} << 64) / p);
  for (std::size_t j = 0; j < length; ++j) {
    const Word quotient = static_cast<Word>((DoubleWord{ratio} * b[j]) >> 64);
    Word r = f * b[j] - quotient * p;
    if (r >= p) r -= p;
    a[j] = a[j] >= r ? a[j] - r : a[j] + p - r;
  }
}

Matrix product(const Matrix& a, const Matrix& b, Word p, bool transposed, bool upper) {
  Matrix result(a.rows, transposed ? b.rows : b.cols);
  const std::size_t cost = upper ? 0 : a.rows * a.cols * result.cols / 8;
  in_ranges(a.rows, cost, [&](std::size_t first, std::size_t end) {
    add_product(1, {a[first], a.cols, 1}, {b[0], transposed ? 1 : b.cols, transposed ? b.cols : 1}, a.cols,
                result[first], result.cols, end - first, result.cols, p, kDepth, upper);
  });
  return result;
}

Matrix integer_product(const Matrix& a, const Matrix& b, bool transposed) {
  Matrix result(a.rows, transposed ? b.rows : b.cols);
  add_raw_product(1, {a.data.data(), a.cols, 1},
                  {b.data.data(), transposed ? 1 : b.cols, transposed ? b.cols : 1}, a.cols,
                  result.data.data(), result.cols, a.rows, result.cols, false);
  return result;
}

bool rows_independent(Matrix matrix, Word p) {
  return matrix.rows <= matrix.cols && (matrix.rows == 0 || Elimination{matrix, p}.run(0, matrix.rows));
}

bool first_rows_span(Matrix matrix, std::size_t first, Word p) {
  Elimination elimination{matrix, p};
  if (first > matrix.cols || (first > 0 && !elimination.run(0, first))) return false;
  if (first > 0 && first < matrix.rows) elimination.subtract(0, first, first, matrix.rows, matrix.cols);
  for (std::size_t i = first; i < matrix.rows; ++i)
    if (std::any_of(matrix[i] + first, matrix[i] + matrix.cols, [](double x) { return x != 0; }))
      return false;
  return true;
}

std::vector<std::size_t> reduced_echelon(WordMatrix& matrix, Word p) {
  std::vector<std::size_t> pivots;
  for (std::size_t col = 0; col < matrix.cols && pivots.size() < matrix.rows; ++col) {
    const std::size_t k = pivots.size();
    std::size_t found = k;
    while (found < matrix.rows && matrix[found][col] == 0) ++found;
    if (found == matrix.rows) continue;
    if (found != k) std::swap_ranges(matrix[k], matrix[k] + matrix.cols, matrix[found]);
    const Word scale = inverse(matrix[k][col], p);
    for (std::size_t j = 0; j < matrix.cols; ++j) matrix[k][j] = multiply(matrix[k][j], scale, p);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      if (i != k && matrix[i][col] != 0)
        subtract_multiple(matrix[i], matrix[k], matrix.cols, matrix[i][col], p);
    }
    pivots.push_back(col);
  }
  matrix.rows = pivots.size();
  matrix.data.resize(matrix.rows * matrix.cols);
  return pivots;
}

}  // namespace attest::kernel
