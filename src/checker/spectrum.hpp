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

}  // namespace attest::checker
