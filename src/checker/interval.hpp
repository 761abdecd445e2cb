// Interval arithmetic of the checker: MPFI, and elimination with intervals.
#pragma once

#include <boost/multiprecision/mpfi.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "checker/exact.hpp"
#include "input/errors.hpp"

namespace attest::checker {

// MPFI rounds outwards, so every operation encloses the exact result whatever its precision.
using Interval = boost::multiprecision::number<boost::multiprecision::mpfi_float_backend<0>,
                                               boost::multiprecision::et_off>;

using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                           boost::multiprecision::et_off>;

inline void set_precision(std::size_t bits) {
  const auto digits = static_cast<unsigned>(static_cast<double>(bits) * 0.30103) + 2;
  Interval::default_precision(digits);
  Real::default_precision(digits);
}

inline Interval interval(const Rational& value) {
  Interval result;
  mpfi_set_q(result.backend().data(), value.backend().data());
  return result;
}

inline bool contains_zero(const Interval& x) {
  return mpfi_has_zero(x.backend().data()) != 0;
}
inline int compare(mpfr_srcptr end, const Rational& y) {
  // MPFR calls not-a-number equal to everything; it only comes from an overflow of exponents.
  if (mpfr_nan_p(end)) throw LimitError("interval arithmetic overflows");
  return mpfr_cmp_q(end, y.backend().data());
}
inline int compare_lower(const Interval& x, const Rational& y) {
  return compare(&x.backend().data()->left, y);
}
inline int compare_upper(const Interval& x, const Rational& y) {
  return compare(&x.backend().data()->right, y);
}

/// b^x for the real number b of the ring with scale absorbed: e or 2.
inline Interval exponential(const Interval& x, bool two) {
  Interval result;
  two ? mpfi_exp2(result.backend().data(), x.backend().data())
      : mpfi_exp(result.backend().data(), x.backend().data());
  return result;
}

inline Interval logarithm(const Interval& x, bool two) {
  Interval result;
  two ? mpfi_log2(result.backend().data(), x.backend().data())
      : mpfi_log(result.backend().data(), x.backend().data());
  return result;
}

using Intervals = std::vector<std::vector<Interval>>;

/// Solves M X = B by elimination with the pivot of largest lower bound. False: a pivot may be zero at this
/// precision.
inline bool solve(Intervals& matrix, Intervals& right) {
  const std::size_t size = matrix.size();
  const auto size_below = [](const Interval& x) {
    Interval magnitude;
    mpfi_abs(magnitude.backend().data(), x.backend().data());
    return magnitude;
  };
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    Interval best = size_below(matrix[k][k]);
    for (std::size_t i = k + 1; i < size; ++i) {
      Interval candidate = size_below(matrix[i][k]);
      if (mpfr_cmp(&candidate.backend().data()->left, &best.backend().data()->left) > 0) {
        pivot = i;
        best.swap(candidate);
      }
    }
    if (contains_zero(matrix[pivot][k])) return false;
    std::swap(matrix[k], matrix[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < size; ++i) {
      const Interval factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k + 1; j < size; ++j) matrix[i][j] -= factor * matrix[k][j];
      for (std::size_t c = 0; c < right[i].size(); ++c) right[i][c] -= factor * right[k][c];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (Interval& entry : right[k]) {
      const std::size_t c = static_cast<std::size_t>(&entry - right[k].data());
      for (std::size_t j = k + 1; j < size; ++j) entry -= matrix[k][j] * right[j][c];
      entry /= matrix[k][k];
    }
  }
  return true;
}

}  // namespace attest::checker
