#include "readers/generate.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#ifdef ATTEST_BOOST
#include <boost/multiprecision/cpp_bin_float.hpp>
#else
#include <mpfr.h>
#endif

#include "base/meter.hpp"

namespace attest {

namespace {

// Box-Muller at 128 bits: every operation rounds to nearest there, the result once more to binary64.
#ifdef ATTEST_BOOST
template <unsigned bits>
using Floating = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<bits, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

struct Normal {
  using Narrow = Floating<128>;
  using Wide = Floating<320>;
  const Narrow pi{boost::math::constants::pi<Wide>()};

  /// By long double, if numbers 2^-59 around the result, which is off by less than 2^-61 of it, have one
  /// nearest double; else nan. All but 3 % of numbers do, and take 1 in place of 300 us.
  static double quick(double u1, double u2) {
    if (std::numeric_limits<long double>::digits < 64) return NAN;
    const double quarter = std::floor(4 * u2 + 0.5), rest = u2 - quarter / 4;  // in [-1/8, 1/8], exact
    const long double angle = 2 * std::numbers::pi_v<long double> * rest;
    const bool turned = std::fmod(quarter, 2) != 0;
    const long double cosine = turned ? std::sin(angle) : std::cos(angle),
                      radius = std::sqrt(-2 * std::log(static_cast<long double>(u1))),
                      result = quarter == 1 || quarter == 2 ? -radius * cosine : radius * cosine;
    const auto least = static_cast<double>(result * (1 - 0x1p-59L)),
               most = static_cast<double>(result * (1 + 0x1p-59L));
    return least == most && least != 0 ? least : NAN;
  }

  // Logarithm and cosine with 192 bits more, of which the last are wrong, and others lost where the cosine is
  // near 0: rounded to 128 they are, for all that is known of such numbers, the nearest ones. A wrong one
  // would be another array, with another digest.
  double draw(SplitMix64& random) {
    const double u1 = std::ldexp(static_cast<double>((random.next() >> 11) + 1), -53);
    const double u2 = std::ldexp(static_cast<double>(random.next() >> 11), -53);
    if (const double found = quick(u1, u2); !std::isnan(found)) return found;
    const Narrow radius = sqrt(Narrow(abs(2 * log(Wide(u1))))), angle = 2 * (pi * u2);
    return (radius * Narrow(cos(Wide(angle)))).convert_to<double>() + 0.0;
  }
};
#else
constexpr mpfr_prec_t kPrecision = 128;

class Normal {
public:
  Normal() { mpfr_inits2(kPrecision, radius_, angle_, pi_, static_cast<mpfr_ptr>(nullptr)); }
  Normal(const Normal&) = delete;
  Normal& operator=(const Normal&) = delete;
  ~Normal() { mpfr_clears(radius_, angle_, pi_, static_cast<mpfr_ptr>(nullptr)); }

  double draw(SplitMix64& random) {
    const double u1 = std::ldexp(static_cast<double>((random.next() >> 11) + 1), -53);
    const double u2 = std::ldexp(static_cast<double>(random.next() >> 11), -53);
    mpfr_set_d(radius_, u1, MPFR_RNDN);
    mpfr_log(radius_, radius_, MPFR_RNDN);
    mpfr_mul_si(radius_, radius_, -2, MPFR_RNDN);
    mpfr_abs(radius_, radius_, MPFR_RNDN);  // ln 1 would give -0
    mpfr_sqrt(radius_, radius_, MPFR_RNDN);
    mpfr_const_pi(pi_, MPFR_RNDN);
    mpfr_mul_d(angle_, pi_, u2, MPFR_RNDN);
    mpfr_mul_2ui(angle_, angle_, 1, MPFR_RNDN);
    mpfr_cos(angle_, angle_, MPFR_RNDN);
    mpfr_mul(radius_, radius_, angle_, MPFR_RNDN);
    return mpfr_get_d(radius_, MPFR_RNDN) + 0.0;
  }

private:
  mpfr_t radius_, angle_, pi_;
};
#endif

mpq_class as_rational(std::int64_t value) {
  return mpq_class(static_cast<long>(value));
}

/// The products with `scale` as doubles, if every one of them is exactly a double.
bool scale_doubles(std::vector<double>& entries, const mpq_class& scale) {
  const double factor = scale.get_d();
  if (!std::isfinite(factor) || mpq_class(factor) != scale) return false;
  int exponent = 0;
  if (factor != 0 && std::fabs(std::frexp(factor, &exponent)) != 0.5) return false;  // not a power of two
  std::vector<double> scaled(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    scaled[i] = entries[i] * factor + 0.0;
    if (factor != 0 && scaled[i] / factor != entries[i]) return false;
    if (!std::isfinite(scaled[i])) return false;
  }
  entries = std::move(scaled);
  return true;
}

}  // namespace

ExactArray Generator::draw(const std::vector<std::size_t>& shape, std::uint64_t stream) const {
  const DrawnIntegers integers{seed, bound};
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  SplitMix64 random(seed, stream);
  // Drawing takes some steps, with logarithm and cosine of 128 bits thousands; rationals are brought to
  // lowest terms.
  const bool exact = scale != 1 || kind == Kind::rationals;
  const std::uint64_t limbs = mpz_size(scale.get_num_mpz_t()) + mpz_size(scale.get_den_mpz_t());
  const std::uint64_t each = (kind == Kind::normal_f64 ? 10'000 : 10) + (exact ? 200 + 20 * limbs : 0);
  std::uint64_t work = 0;
  meter().work(__builtin_mul_overflow(count, each, &work) ? UINT64_MAX : work);

  if (kind == Kind::integers && scale == 1) return integers.draw(shape, stream);
  if (kind == Kind::integers || kind == Kind::rationals) {
    std::vector<mpq_class> entries(count);
    for (auto& entry : entries) {
      entry = as_rational(integers.next(random));
      if (kind == Kind::rationals)
        entry /= as_rational(static_cast<std::int64_t>(random.below(denominator)) + 1);
      entry *= scale;
    }
    return ExactArray(shape, std::move(entries));
  }

  std::vector<double> entries(count);
  if (kind == Kind::uniform_f64) {
    for (auto& entry : entries) entry = std::ldexp(static_cast<double>(random.next() >> 11), -53);
  } else {
    Normal normal;
    for (auto& entry : entries) entry = normal.draw(random);
  }
  if (scale == 1 || scale_doubles(entries, scale)) return ExactArray(shape, std::move(entries));
  std::vector<mpq_class> scaled(count);
  for (std::size_t i = 0; i < count; ++i) scaled[i] = mpq_class(entries[i]) * scale;
  return ExactArray(shape, std::move(scaled));
}

}  // namespace attest
