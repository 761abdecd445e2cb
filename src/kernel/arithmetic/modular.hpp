// Arithmetic modulo primes: below 2^23 in doubles, whose sums of products are exact integers below 2^53
// (BLIS, or plain loops beside cpp_int.hpp); below 2^62, for the many subsets of a Kruskal rank, in 64-bit
// words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// The inner loops are compiled for several processors, and the program picks the best when it starts.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ATTEST_FOR_SEVERAL_PROCESSORS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define ATTEST_FOR_SEVERAL_PROCESSORS
#endif

namespace attest::kernel {

using Word = std::uint64_t;

inline constexpr Word kBlockedLimit = Word{1} << 23;

Word multiply(Word a, Word b, Word p);
Word power(Word base, Word exponent, Word p);
/// Precondition: p prime, a not 0 mod p.
Word inverse(Word a, Word p);
/// Deterministic for every 64-bit number.
bool is_prime(Word n);
/// The largest odd prime below n, or a LimitError when there is none: of those below kBlockedLimit all are
/// used up.
Word odd_prime_below(Word n);

/// rows * cols, or a LimitError when that is more than memory can hold.
std::size_t checked_size(std::size_t rows, std::size_t cols);

/// Residues in [0, p), row by row.
template <class Entry>
struct MatrixOf {
  std::size_t rows, cols;
  std::vector<Entry> data;

  explicit MatrixOf(std::size_t height = 0, std::size_t width = 0)
      : rows(height), cols(width), data(checked_size(height, width)) {}
  Entry* operator[](std::size_t i) { return data.data() + i * cols; }
  const Entry* operator[](std::size_t i) const { return data.data() + i * cols; }
};
using Matrix = MatrixOf<double>;    ///< p < kBlockedLimit
using WordMatrix = MatrixOf<Word>;  ///< p < 2^62

/// The residues in [0, p) of integers of absolute value at most 2^53 - 2 p and 2^50 p. Precondition: p <
/// kBlockedLimit.
void reduce(double* integers, std::size_t length, Word p);

/// a[j] -= f b[j] (mod p) for j < length. Precondition: p < 2^62, all residues.
void subtract_multiple(Word* a, const Word* b, std::size_t length, Word f, Word p);

/// a b mod p, or a b^T when `transposed`; `upper`: entries below the diagonal are those or 0. Precondition:
/// the inner sizes agree; `upper`: the product is square.
Matrix product(const Matrix& a, const Matrix& b, Word p, bool transposed = false, bool upper = false);

/// The same of integers, without a prime. Precondition: the inner sizes agree, and sums of absolute products
/// are at most 2^53, so that all sums are exact in whatever order.
Matrix integer_product(const Matrix& a, const Matrix& b, bool transposed = false);

/// Whether the rows are linearly independent mod p.
bool rows_independent(Matrix matrix, Word p);

/// Whether the first rows, so many, are independent mod p and all others combinations of them.
bool first_rows_span(Matrix matrix, std::size_t first, Word p);

/// Brings the matrix into reduced row echelon form, drops its zero rows, and returns the pivot columns.
std::vector<std::size_t> reduced_echelon(WordMatrix& matrix, Word p);

}  // namespace attest::kernel
