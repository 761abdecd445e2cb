// "Every k of these vectors are independent", by going through all subsets in one of two ways.
#pragma once

#include "kernel/arithmetic/modular.hpp"

namespace attest::kernel {

/// Whether every subset of k rows is independent mod p, and so over Q when the rows are images of integer
/// vectors (docs/mathematics.md, Kruskal rank): by all k-subsets, reusing eliminations, or (`dual`)
/// because every subspace of codimension 1 that rows of the left kernel span holds at most T - k - 1 of them.
/// Precondition: k <= rows.
bool subsets_independent(const WordMatrix& vectors, std::size_t k, Word p, bool dual);

}  // namespace attest::kernel
