// How many eigenvalues of a symmetric rational matrix lie above a rational number, exactly.
#pragma once

#include <vector>

#include "checker/exact.hpp"

namespace attest::checker {

using RationalMatrix = std::vector<std::vector<Rational>>;

/// The smaller one of X X^T and X^T X, X given by its rows: both have the same eigenvalues other than 0.
RationalMatrix gram(const std::vector<Vector>& rows);

struct EigenvalueCount {
  std::size_t above = 0, equal = 0;  ///< with multiplicity
};
/// Eigenvalues above mu and equal to mu. Precondition: symmetric.
EigenvalueCount count_eigenvalues(RationalMatrix symmetric, const Rational& mu);

using IntegerMatrix = std::vector<std::vector<Integer>>;

/// a b, or a b^T when `transposed`; `upper`: with 0 below the diagonal. Precondition: no matrix is empty, the
/// inner sizes agree.
IntegerMatrix product(const IntegerMatrix& a, const IntegerMatrix& b, bool transposed, bool upper = false);

/// Whether X (C C^T - theta^2 I) X^T, or its negative unless `above`, has a positive diagonal and is strictly
/// diagonally dominant, so that it is positive definite. X: the rows `vectors`; C^T for C when `transposed`.
bool dominant(const IntegerMatrix& vectors, const IntegerMatrix& c, bool transposed, const Integer& theta,
              bool above);

}  // namespace attest::checker
