// "Every k of these vectors are independent", by going through all subsets in one of two ways.
#pragma once

#include "checker/modular.hpp"

namespace attest::checker {

/// Whether every subset of k rows is independent mod p: all k-subsets, reusing eliminations. Precondition: k
/// <= rows.
bool subsets_independent(const Matrix& vectors, std::size_t k, Word p);

/// The same through the left kernel: every subspace of codimension 1 spanned by its rows holds at most T - k
/// - 1 of them.
bool subsets_independent_dual(const Matrix& vectors, std::size_t k, Word p);

}  // namespace attest::checker
