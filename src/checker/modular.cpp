#include "checker/modular.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace attest::checker {
namespace {

__extension__ typedef unsigned __int128 DoubleWord;

// Row by row: each row is reduced by the earlier ones, and its first remaining non-zero entry becomes a
// pivot. Columns are permuted so that pivot k is in position k; then row k needs to be subtracted from
// position k on only. With Stored = uint32_t (p < 2^31) products are below p^2 < 2^62, so a sum stays in a
// word with one conditional subtraction of p^2 in place of a division, and the inner loop is vectorised.
template <class Stored>
bool eliminate(const Matrix& matrix, Word p, const std::vector<Block>& blocks) {
  const std::size_t width = matrix.empty() ? 0 : matrix.front().size();
  const Word square = p * p;  // used for p < 2^31 only
  std::vector<std::size_t> order(width);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<Stored>> basis;
  Row sum(width);
  auto block = blocks.begin();
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    while (block != blocks.end() && k >= block->rows) ++block;
    const std::size_t end = block == blocks.end() ? width : std::min(block->cols, width);
    for (std::size_t j = 0; j < width; ++j) sum[j] = matrix[k][order[j]];
    for (std::size_t i = 0; i < basis.size(); ++i) {
      const Stored* row = basis[i].data();
      if constexpr (std::is_same_v<Stored, std::uint32_t>) {
        const Word factor = sum[i] % p;
        if (factor == 0) continue;
        const std::uint32_t negative = static_cast<std::uint32_t>(p - factor);
        for (std::size_t j = i; j < width; ++j) {
          const Word next = sum[j] + Word{negative} * row[j];
          sum[j] = std::min(next, next - square);
        }
      } else {
        if (sum[i] != 0) subtract_multiple(sum.data() + i, row + i, width - i, sum[i], p);
      }
    }
    for (std::size_t j = k; j < width; ++j) sum[j] %= p;
    std::size_t pivot = k;
    while (pivot < width && (sum[pivot] == 0 || order[pivot] >= end)) ++pivot;
    if (pivot == width || k >= width) return false;
    std::swap(order[k], order[pivot]);
    std::swap(sum[k], sum[pivot]);
    for (auto& row : basis) std::swap(row[k], row[pivot]);
    const Word scale = inverse(sum[k], p);
    std::vector<Stored> normal(width, 0);
    for (std::size_t j = k; j < width; ++j) normal[j] = static_cast<Stored>(multiply(sum[j], scale, p));
    basis.push_back(std::move(normal));
  }
  return true;
}

}  // namespace

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
  // Miller-Rabin; these bases decide every n below 3.3 * 10^24 (Sorenson and Webster 2017).
  constexpr Word kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (n < 2) return false;
  for (Word b : kBases) {
    if (n % b == 0) return n == b;
  }
  Word odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  for (Word b : kBases) {
    Word x = power(b, odd, n);
    bool witness = x != 1 && x != n - 1;
    for (int i = 1; witness && i < twos; ++i) {
      x = multiply(x, x, n);
      witness = x != n - 1;
    }
    if (witness) return false;
  }
  return true;
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

bool rows_independent(const Matrix& matrix, Word p, const std::vector<Block>& blocks) {
  return p < (Word{1} << 31) ? eliminate<std::uint32_t>(matrix, p, blocks)
                             : eliminate<Word>(matrix, p, blocks);
}

std::vector<std::size_t> reduced_echelon(Matrix& matrix, Word p) {
  const std::size_t width = matrix.empty() ? 0 : matrix.front().size();
  std::vector<std::size_t> pivots;
  for (std::size_t col = 0; col < width && pivots.size() < matrix.size(); ++col) {
    const std::size_t k = pivots.size();
    std::size_t found = k;
    while (found < matrix.size() && matrix[found][col] == 0) ++found;
    if (found == matrix.size()) continue;
    std::swap(matrix[k], matrix[found]);
    const Word scale = inverse(matrix[k][col], p);
    for (Word& entry : matrix[k]) entry = multiply(entry, scale, p);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      if (i != k && matrix[i][col] != 0) {
        subtract_multiple(matrix[i].data(), matrix[k].data(), width, matrix[i][col], p);
      }
    }
    pivots.push_back(col);
  }
  matrix.resize(pivots.size());
  return pivots;
}

}  // namespace attest::checker
