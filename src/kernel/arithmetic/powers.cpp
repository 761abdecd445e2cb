#include "kernel/arithmetic/powers.hpp"

#include <algorithm>
#include <bit>

namespace attest::kernel {
#ifdef ATTEST_BOOST
namespace {

/// Less than 2 units 2^-places below ln 2 = 2 sum_k 3^-(2 k + 1) / (2 k + 1): each term, and all that is left
/// out, is off by less than 2 units 2^-(places + 32).
Integer ln_2(std::size_t places) {
  Integer power = (Integer(2) << (places + 32)) / 3, sum = 0;
  for (unsigned long k = 1; power != 0; k += 2, power /= 9) sum += power / k;
  return sum >> 32;
}

}  // namespace

// By integers; docs/mathematics.md, Powers, proves the bounds.
Integer Powers::power_below() {
  Integer fraction = exponent_;
  const std::size_t whole = two_ ? (exponent_ >> bits_).get_ui() : 0;
  if (two_) fraction -= Integer(whole) << bits_;
  if (fraction == 0) return Integer(1) << (bits_ - whole);
  // Halved so often, the argument is below 2^-small.
  const std::size_t small = 8 + bits_ / 64, length = mpz_sizeinbase(fraction.get_mpz_t(), 2),
                    halvings = two_ ? small : length + small - std::min(bits_, length + small);
  for (std::size_t guard = 32;; guard *= 2) {
    const std::size_t wide = bits_ + halvings + guard;
    if (two_ && places_ != wide) ln_2_ = ln_2(places_ = wide);
    const Integer one = Integer(1) << wide,
                  argument = two_ ? Integer(fraction * ln_2_ >> bits_) : Integer(fraction << (wide - bits_)),
                  t = (argument >> halvings) + 4;
    std::size_t terms = 0;
    for (std::size_t places = 0; places < wide; ++terms) places += small - 1 + std::bit_width(terms + 1) - 1;
    Integer result = one;
    for (std::size_t k = terms; k > 0; --k) {
      result *= t;
      result >>= wide;
      result /= k;
      result = one - result;
    }
    result -= 3;
    for (std::size_t k = 0; k < halvings; ++k) {
      result *= result;
      result >>= wide;
    }
    const Integer most = (result + (Integer(11) << halvings)) >> (wide - bits_ + whole);
    result >>= wide - bits_ + whole;
    if (result == most) return result;
  }
}

Powers::~Powers() = default;
#else
Integer Powers::power_below() {
  // MPFR keeps constants for each thread.
  struct Constants {
    ~Constants() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const Constants constants;
  Integer result;
  mpz_neg(rest_.get_mpz_t(), exponent_.get_mpz_t());
  mpfr_set_z_2exp(value_, rest_.get_mpz_t(), -static_cast<mpfr_exp_t>(bits_), MPFR_RNDD);  // exact
  (two_ ? mpfr_exp2 : mpfr_exp)(value_, value_, MPFR_RNDD);
  mpfr_mul_2ui(value_, value_, bits_, MPFR_RNDD);
  mpfr_get_z(result.get_mpz_t(), value_, MPFR_RNDD);
  return result;
}

Powers::~Powers() {
  mpfr_clear(value_);
}
#endif

Powers::Powers(Base base, std::size_t bits, const LogitScale& s)
    : two_(base == Base::two), bits_(bits), zero_(Integer(bits + 1) << bits) {
  turned_ = !s.irrational() && s.rational < 0;
  if (s.irrational()) radicand_ = s.radicand;
  if (!s.irrational()) scale_ = abs(s.rational);
  scale_.get_num() <<= bits;
#ifndef ATTEST_BOOST
  // Exponents are exact.
  mpfr_init2(value_, static_cast<mpfr_prec_t>(bits + std::max<std::size_t>(18, std::bit_width(bits + 1))));
#endif
}

Enclosure Powers::operator()(const Integer& num, const Integer& den) {
  // 2^bits |x s|, rounded up.
  mpz_mul(exponent_.get_mpz_t(), num.get_mpz_t(), scale_.get_num_mpz_t());
  mpz_mul(den_.get_mpz_t(), den.get_mpz_t(), scale_.get_den_mpz_t());
  mpz_abs(exponent_.get_mpz_t(), exponent_.get_mpz_t());
  if (radicand_ != 1) {
    exponent_ *= exponent_;
    den_ *= den_;
    den_ *= radicand_;
  }
  mpz_cdiv_qr(exponent_.get_mpz_t(), rest_.get_mpz_t(), exponent_.get_mpz_t(), den_.get_mpz_t());
  bool exact = rest_ == 0;
  if (radicand_ != 1) {
    mpz_sqrtrem(exponent_.get_mpz_t(), rest_.get_mpz_t(), exponent_.get_mpz_t());
    exact = exact && rest_ == 0;
    exponent_ += rest_ == 0 ? 0 : 1;
  }
  if (exponent_ >= zero_) return {0, 1};
  // Of a rational number other than 0, e^-x is irrational, and so is 2^-x unless x is an integer.
  exact = exact && (exponent_ == 0 || (two_ && mpz_divisible_2exp_p(exponent_.get_mpz_t(), bits_) != 0));
  const Integer least = power_below();
  return {least, exact ? least : Integer(least + 4)};
}

std::vector<Enclosure> Powers::of(const Vector& logits, Enclosure& sum, const Integer* enough) {
  const Integer reference = turned_ ? *std::ranges::min_element(logits.num) : Integer(0);
  std::vector<Enclosure> result;
  result.reserve(logits.size());
  for (const Integer& logit : logits.num) {
    if (enough != nullptr && sum.least >= *enough) break;
    distance_ = logit - reference;
    result.push_back((*this)(distance_, logits.den));
    sum.least += result.back().least;
    sum.most += result.back().most;
  }
  return result;
}

}  // namespace attest::kernel
