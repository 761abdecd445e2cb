#include "kernel/arithmetic/powers.hpp"

#include <algorithm>
#include <bit>

#include "base/meter.hpp"

namespace attest::kernel {
namespace {

// MPFR keeps constants for each thread.
struct Constants {
  ~Constants() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

}  // namespace

Powers::Powers(Base base, std::size_t bits, const LogitScale& s)
    : two_(base == Base::two), bits_(bits), zero_(Integer(bits + 1) << bits) {
  turned_ = !s.irrational() && s.rational < 0;
  if (s.irrational()) radicand_ = s.radicand;
  if (!s.irrational()) scale_ = abs(s.rational);
  scale_.get_num() <<= bits;
  thread_local const Constants constants;
  // Exponents are exact.
  mpfr_init2(value_, static_cast<mpfr_prec_t>(bits + std::max<std::size_t>(18, std::bit_width(bits + 1))));
}

Enclosure Powers::operator()(const Integer& num, const Integer& den) {
  const std::size_t words = bits_ / 64 + 2 + mpz_size(num.get_mpz_t()) + mpz_size(den.get_mpz_t());
  meter().work(100 * (40 + words * words));
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
  mpz_neg(exponent_.get_mpz_t(), exponent_.get_mpz_t());
  Enclosure result;
  mpfr_set_z_2exp(value_, exponent_.get_mpz_t(), -static_cast<mpfr_exp_t>(bits_), MPFR_RNDD);
  exact &= (two_ ? mpfr_exp2 : mpfr_exp)(value_, value_, MPFR_RNDD) == 0;
  mpfr_mul_2ui(value_, value_, bits_, MPFR_RNDD);
  exact &= mpfr_get_z(result.least.get_mpz_t(), value_, MPFR_RNDD) == 0;
  result.most = result.least;
  if (!exact) result.most += 4;
  return result;
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
