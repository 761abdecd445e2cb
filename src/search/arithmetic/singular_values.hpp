// How many singular values of an integer matrix lie above a number, with vectors that show it.
#pragma once

#include <gmpxx.h>

#include <functional>
#include <vector>

#include "search/arithmetic/matrix.hpp"

namespace attest {

/// Between numbers (of a matrix C, between their square roots); `index` counts from 0, the largest first.
struct SingularValue {
  std::size_t index;
  mpq_class lower, upper;
};

/// With the rows x of `above`, X (C C^T - theta_above^2 I) X^T has a positive diagonal and is strictly
/// diagonally dominant, so that as many singular values of C exceed theta_above; with those of `below` the
/// same of X (theta_below^2 I - C C^T) X^T, so that as many are less than theta_below.
struct SpectralSplit {
  std::vector<std::vector<mpz_class>> above, below;
  std::vector<SingularValue> around;  ///< some that surround the two numbers, largest first
  bool cut_off = false;               ///< `found` said that this is enough
};

/// Singular vectors in binary64 are guesses, which are improved by exact products while there are singular
/// values on neither side, and are rounded to integers that are as short as their distance from the numbers
/// allows. Dominance is shown for all matrices within the spectral norm `moved` of C, because those who check
/// have one of their own. `distance` (at most 1/8): the relative distance of squares that counts as close.
/// `around` has bounds of the squares, for C. `found` gets what the first guess shows, when that is not all;
/// improving it may take long, and is left out when it returns false. Preconditions: rows <= columns, 0 <
/// theta_below <= theta_above.
SpectralSplit split_spectrum(
    const Matrix<mpz_class>& c, const mpz_class& moved, const mpz_class& theta_below,
    const mpz_class& theta_above, double distance,
    const std::function<bool(const SpectralSplit&)>& found = [](const SpectralSplit&) { return true; });

}  // namespace attest
