// Arithmetic modulo primes below 2^62 and the one question asked of matrices: are the rows independent?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attest::checker {

using Word = std::uint64_t;
using Row = std::vector<Word>;  ///< residues, each below the modulus
using Matrix = std::vector<Row>;

inline constexpr Word kModulusLimit = Word{1} << 62;

Word multiply(Word a, Word b, Word p);
Word power(Word base, Word exponent, Word p);
/// Precondition: p prime, a not 0 mod p.
Word inverse(Word a, Word p);
/// Deterministic for every 64-bit number.
bool is_prime(Word n);

/// a[j] -= f b[j] (mod p) for j < length. Precondition: p < 2^62, all residues.
void subtract_multiple(Word* a, const Word* b, std::size_t length, Word f, Word p);

/// The leading part of a matrix: its first `rows` rows and first `cols` columns.
struct Block {
  std::size_t rows, cols;
};

/// Whether the rows are linearly independent mod p; with `blocks` (increasing), whether moreover the rows of
/// each leading block are independent within the columns of that block. The blocks need not cover the matrix.
bool rows_independent(const Matrix& matrix, Word p, const std::vector<Block>& blocks = {});

/// Brings the matrix into reduced row echelon form, drops its zero rows, and returns the pivot columns.
std::vector<std::size_t> reduced_echelon(Matrix& matrix, Word p);

}  // namespace attest::checker
