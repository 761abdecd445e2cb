// Real numbers of the oracle: MPFR at a precision that is set for a whole computation.
#pragma once

#include <gmpxx.h>
#include <mpfr.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace attest::test {

class Real {
public:
  static long& bits() {
    static long precision = 256;
    return precision;
  }

  Real() : Real(0L) {}
  Real(long x) {
    mpfr_init2(value_, bits());
    mpfr_set_si(value_, x, MPFR_RNDN);
  }
  Real(int x) : Real(static_cast<long>(x)) {}
  Real(const mpq_class& x) {
    mpfr_init2(value_, bits());
    mpfr_set_q(value_, x.get_mpq_t(), MPFR_RNDN);
  }
  Real(const Real& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  /// Leaves nothing but what may be assigned to or destroyed.
  Real(Real&& other) noexcept : value_{other.value_[0]} { other.value_->_mpfr_d = nullptr; }
  Real& operator=(Real other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~Real() {
    if (value_->_mpfr_d != nullptr) mpfr_clear(value_);
  }

  Real& operator+=(const Real& b) { return mpfr_add(value_, value_, b.value_, MPFR_RNDN), *this; }
  Real& operator-=(const Real& b) { return mpfr_sub(value_, value_, b.value_, MPFR_RNDN), *this; }
  Real& operator*=(const Real& b) { return mpfr_mul(value_, value_, b.value_, MPFR_RNDN), *this; }
  Real& operator/=(const Real& b) { return mpfr_div(value_, value_, b.value_, MPFR_RNDN), *this; }
  friend Real operator+(Real a, const Real& b) { return std::move(a += b); }
  friend Real operator-(Real a, const Real& b) { return std::move(a -= b); }
  friend Real operator*(Real a, const Real& b) { return std::move(a *= b); }
  friend Real operator/(Real a, const Real& b) { return std::move(a /= b); }
  friend bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator>(const Real& a, const Real& b) { return b < a; }

  bool zero() const { return mpfr_zero_p(value_) != 0; }
  /// 2^(e - 1) <= |x| < 2^e; very small for 0.
  long exponent() const { return zero() ? -(1L << 60) : static_cast<long>(mpfr_get_exp(value_)); }
  mpfr_ptr raw() { return value_; }
  mpfr_srcptr raw() const { return value_; }

private:
  mpfr_t value_;
};

inline Real abs(Real x) {
  mpfr_abs(x.raw(), x.raw(), MPFR_RNDN);
  return x;
}
inline Real sqrt(Real x) {
  mpfr_sqrt(x.raw(), x.raw(), MPFR_RNDN);
  return x;
}
inline Real exp(Real x) {
  mpfr_exp(x.raw(), x.raw(), MPFR_RNDN);
  return x;
}
inline Real log(Real x) {
  mpfr_log(x.raw(), x.raw(), MPFR_RNDN);
  return x;
}

using RealMatrix = std::vector<std::vector<Real>>;

}  // namespace attest::test
