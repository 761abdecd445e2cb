#include "checker/modular.hpp"

#include <gmpxx.h>

#include <algorithm>

#include "input/errors.hpp"
#include "input/meter.hpp"

namespace attest::checker {
namespace {

__extension__ typedef unsigned __int128 DoubleWord;

// --- primes below 2^23, in doubles that hold integers

constexpr std::size_t kDepth = 128;            // products summed before a reduction
constexpr std::size_t kTall = 4, kWide = 12;   // of a tile of the result, which stays in registers
constexpr Word kLargest = kBlockedLimit - 15;  // the largest prime below 2^23
// A sum is a residue and kDepth products; reducing it subtracts a multiple of p that is off by less than p.
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

/// One tile of C -= A B, reduced: `a` has kTall entries for each of `depth` columns, `b` kWide for each row.
/// Of the tile only `tall` x `wide` entries are in C, whose rows are `stride` apart.
struct Tile {
  const double *a, *b;
  std::size_t depth;
  double* c;
  std::size_t stride, tall, wide;
  double p, ratio;

  void subtract(const double* sums) const {
    const auto of_size = [&](std::size_t rows, std::size_t cols) {
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j)
          c[i * stride + j] = reduced(c[i * stride + j] - sums[i * kWide + j], p, ratio);
      }
    };
    tall == kTall&& wide == kWide ? of_size(kTall, kWide) : of_size(tall, wide);  // constants: vectorized
  }
};

void subtract_tile_anywhere(const Tile& tile) {
  double sum[kTall * kWide] = {};
  const double *a = tile.a, *b = tile.b;
  for (std::size_t k = 0; k < tile.depth; ++k, a += kTall, b += kWide) {
    for (std::size_t i = 0; i < kTall; ++i) {
      for (std::size_t j = 0; j < kWide; ++j) sum[i * kWide + j] += a[i] * b[j];
    }
  }
  tile.subtract(sum);
}

#ifdef ATTEST_X86_64_V3
// Not by target_clones: vectors are cut to what every processor has before it makes its copies.
__attribute__((target("arch=x86-64-v3"))) void subtract_tile_in_vectors(const Tile& tile) {
  typedef double Lane __attribute__((vector_size(32), aligned(8), may_alias));
  Lane sum[kTall][kWide / 4] = {};
  const double *a = tile.a, *b = tile.b;
  for (std::size_t k = 0; k < tile.depth; ++k, a += kTall, b += kWide) {
    const Lane* lanes = reinterpret_cast<const Lane*>(b);
    for (std::size_t i = 0; i < kTall; ++i) {
      for (std::size_t j = 0; j < kWide / 4; ++j) sum[i][j] += a[i] * lanes[j];
    }
  }
  tile.subtract(reinterpret_cast<const double*>(sum));
}

void (*const subtract_tile)(const Tile&) = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3") ? subtract_tile_in_vectors : subtract_tile_anywhere;
}();
#else
constexpr auto subtract_tile = subtract_tile_anywhere;
#endif

/// A matrix cut into strips for subtract_tile: `strip` entries of each of `depth` vectors together.
template <std::size_t strip, class Entry>
void pack(std::vector<double>& packed, std::size_t count, std::size_t depth, Entry entry) {
  packed.resize((count + strip - 1) / strip * strip * depth);
  double* place = packed.data();
  for (std::size_t first = 0; first < count; first += strip) {
    for (std::size_t k = 0; k < depth; ++k) {
      for (std::size_t i = first; i < first + strip; ++i) *place++ = i < count ? entry(i, k) : 0;
    }
  }
}

/// C -= A B, from packed factors of inner size `depth` <= kDepth, `tall` x `wide` entries, reduced; `upper`:
/// at least those on and above the diagonal.
void subtract_product(const std::vector<double>& a, const std::vector<double>& b, std::size_t depth,
                      double* c, std::size_t stride, std::size_t tall, std::size_t wide, double p,
                      bool upper = false) {
  meter().work(tall * depth * wide / (upper ? 16 : 8) + tall * wide);
  constexpr std::size_t kNear = 20 * kWide;  // columns whose part of B stays in the cache
  for (std::size_t first = 0; first < wide; first += kNear) {
    for (std::size_t i = 0; i < tall; i += kTall) {
      for (std::size_t j = first; j < std::min(first + kNear, wide); j += kWide) {
        if (upper && j + kWide <= i) continue;
        subtract_tile({a.data() + i * depth, b.data() + j * depth, depth, c + i * stride + j, stride,
                       std::min(kTall, tall - i), std::min(kWide, wide - j), p, 1 / p});
      }
    }
  }
}

/// Panels of kDepth rows: each is eliminated by itself, its pivots are moved to the front of the columns that
/// are left, and the rows below are reduced by the whole panel at once.
bool blocked_rows_independent(Matrix matrix, Word prime) {
  const std::size_t rows = matrix.rows, width = matrix.cols;
  const double p = static_cast<double>(prime), ratio = 1 / p;
  std::vector<double> entries(matrix.data.begin(), matrix.data.end()), left, right;
  std::vector<Word>().swap(matrix.data);
  const auto row = [&](std::size_t i) { return entries.data() + i * width; };
  for (std::size_t first = 0; first < rows; first += kDepth) {
    const std::size_t end = std::min(first + kDepth, rows);
    for (std::size_t i = first; i < end; ++i) {
      meter().work((i - first + 1) * (width - first) / 4 + rows);
      for (std::size_t k = first; k < i; ++k)
        subtract_raw(row(i) + k, row(k) + k, width - k, reduced(row(i)[k], p, ratio));
      reduce(row(i) + i, width - i, prime);
      const auto pivot = std::find_if(row(i) + i, row(i) + width, [](double x) { return x != 0; });
      if (pivot == row(i) + width) return false;
      const std::size_t col = static_cast<std::size_t>(pivot - row(i));
      for (std::size_t k = first; col != i && k < rows; ++k) std::swap(row(k)[i], row(k)[col]);
      const double scale = static_cast<double>(inverse(static_cast<Word>(row(i)[i]), prime));
      for (std::size_t j = i; j < width; ++j) row(i)[j] *= scale;
      reduce(row(i) + i, width - i, prime);
    }
    // The factors by which the panel is subtracted from a row below: they make its entries at the pivots 0.
    const std::size_t depth = end - first;
    meter().work((rows - end) * depth * depth / 4);
    for (std::size_t i = end; i < rows; ++i) {
      for (std::size_t k = first; k < end; ++k) {
        row(i)[k] = reduced(row(i)[k], p, ratio);
        subtract_raw(row(i) + k + 1, row(k) + k + 1, end - k - 1, row(i)[k]);
      }
    }
    pack<kTall>(left, rows - end, depth,
                [&](std::size_t i, std::size_t k) { return row(end + i)[first + k]; });
    pack<kWide>(right, width - std::min(width, end), depth,
                [&](std::size_t j, std::size_t k) { return row(first + k)[end + j]; });
    if (end < rows) subtract_product(left, right, depth, row(end) + end, width, rows - end, width - end, p);
  }
  return true;
}

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
  meter().work(length);
  // The quotient f b / p is guessed from the precomputed f / p and is at most one too small, so r < 2 p.
  const Word ratio = static_cast<Word>((DoubleWord{f} << 64) / p);
  for (std::size_t j = 0; j < length; ++j) {
    const Word quotient = static_cast<Word>((DoubleWord{ratio} * b[j]) >> 64);
    Word r = f * b[j] - quotient * p;
    if (r >= p) r -= p;
    a[j] = a[j] >= r ? a[j] - r : a[j] + p - r;
  }
}

Matrix product(const Matrix& a, const Matrix& b, Word prime, bool transposed, bool upper) {
  const double p = static_cast<double>(prime);
  Matrix result(a.rows, transposed ? b.rows : b.cols);
  std::vector<double> sums(result.data.size()), left, right;
  for (std::size_t first = 0; first < a.cols; first += kDepth) {
    const std::size_t depth = std::min(kDepth, a.cols - first);
    pack<kTall>(left, a.rows, depth, [&](std::size_t i, std::size_t k) {  // -a, as the product is subtracted
      return a[i][first + k] == 0 ? 0 : p - static_cast<double>(a[i][first + k]);
    });
    pack<kWide>(right, result.cols, depth, [&](std::size_t j, std::size_t k) {
      return static_cast<double>(transposed ? b[j][first + k] : b[first + k][j]);
    });
    subtract_product(left, right, depth, sums.data(), result.cols, a.rows, result.cols, p, upper);
  }
  std::transform(sums.begin(), sums.end(), result.data.begin(),
                 [](double x) { return static_cast<Word>(x); });
  return result;
}

bool rows_independent(Matrix matrix, Word p) {
  const std::size_t rows = matrix.rows;
  if (rows > matrix.cols) return false;
  if (p < kBlockedLimit) return blocked_rows_independent(std::move(matrix), p);
  return reduced_echelon(matrix, p).size() == rows;
}

std::vector<std::size_t> reduced_echelon(Matrix& matrix, Word p) {
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

}  // namespace attest::checker
