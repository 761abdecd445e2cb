// Definite matrices: what shows on which side of a number eigenvalues and singular values lie, exactly.
#pragma once

#include <optional>
#include <vector>

#include "kernel/arithmetic/exact.hpp"

namespace attest::kernel {

using RationalMatrix = std::vector<std::vector<Rational>>;

/// The smaller one of X X^T and X^T X, X given by its rows: both have the same eigenvalues other than 0.
RationalMatrix gram(const std::vector<Vector>& rows);

/// The rank of a positive semidefinite matrix; empty for another one. Precondition: symmetric.
std::optional<std::size_t> semidefinite_rank(RationalMatrix symmetric);

using IntegerMatrix = std::vector<std::vector<Integer>>;

/// a b, or a b^T when `transposed`; `upper`: with 0 below the diagonal. Precondition: no matrix is empty, the
/// inner sizes agree.
IntegerMatrix product(const IntegerMatrix& a, const IntegerMatrix& b, bool transposed, bool upper = false);

/// Whether X (C C^T - theta^2 I) X^T, or its negative unless `above`, has a positive diagonal and is strictly
/// diagonally dominant, so that it is positive definite (Gershgorin), and as many singular values of C as
/// there are rows are above theta, or below (docs/mathematics.md, Quantities about Z: *inertia*). X: the rows
/// `vectors`; C^T for C when `transposed`.
bool dominant(const IntegerMatrix& vectors, const IntegerMatrix& c, bool transposed, const Integer& theta,
              bool above);

}  // namespace attest::kernel
