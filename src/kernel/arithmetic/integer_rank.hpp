// Ranks of integer matrices from above, by Hadamard's bound of their minors and eliminations modulo primes.
#pragma once

#include <vector>

#include "kernel/arithmetic/spectrum.hpp"

namespace attest::kernel {

/// The rows as integers, each, and then each column, divided by its greatest common divisor: a matrix of the
/// same rank, whose minors are smaller where rows or columns have scales of their own.
IntegerMatrix reduced(const std::vector<Vector>& rows);

/// What the square of no minor of this order exceeds: the product of the squared norms of so many rows, the
/// longest, or of as many columns, whichever is smaller. Precondition: there are as many rows and columns.
Integer hadamard_bound(const IntegerMatrix& matrix, std::size_t order);

/// Whether modulo the prime p < kBlockedLimit these rows are independent and all others combinations of them.
bool spanned_by(const IntegerMatrix& matrix, const std::vector<std::size_t>& rows, Word p);

}  // namespace attest::kernel
