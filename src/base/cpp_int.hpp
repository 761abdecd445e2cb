// What the checker uses of GMP's interface, over boost::multiprecision::cpp_int: the same sources make
// attest-check and, without GMP, attest-check-boost. Names and meanings are those of the GMP manual ("Integer
// Functions", "C++ Class Interface"); limbs have 64 bits here too.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/miller_rabin.hpp>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

using mp_limb_t = boost::multiprecision::limb_type;
static_assert(sizeof(mp_limb_t) == 8);
using mp_size_t = long;
using mp_bitcnt_t = unsigned long;
__extension__ typedef unsigned __int128 mp_double_limb_t;

class mpq_class;

class mpz_class {
public:
  using Number =
      boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

  Number number;

  mpz_class() = default;
  template <std::integral I>
  mpz_class(I value) : number(value) {}
  template <std::floating_point F>
  explicit mpz_class(F value) : number(value) {}
  explicit mpz_class(Number value) : number(std::move(value)) {}
  explicit mpz_class(const mpq_class& value);  // truncated
  mpz_class(std::string digits, int base) {
    const bool negative = digits.starts_with('-');
    digits.erase(0, negative ? 1 : 0);
    const char* const allowed = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
    if (digits.empty() || digits.find_first_not_of(allowed) != std::string::npos ||
        (base != 10 && base != 16))
      throw std::invalid_argument("mpz_class");
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));  // 010 would be octal
    number = Number((base == 16 ? "0x" : "") + digits);
    if (negative) number = -number;
  }
  explicit mpz_class(const std::string& digits) : mpz_class(digits, 10) {}

  mpz_class* get_mpz_t() { return this; }
  const mpz_class* get_mpz_t() const { return this; }
  int sign() const { return number.sign(); }
  std::size_t size() const { return sign() == 0 ? 0 : number.backend().size(); }
  mp_limb_t limb(std::size_t i) const { return i < size() ? number.backend().limbs()[i] : 0; }
  /// Of the absolute value; 1 for 0.
  std::size_t bits() const { return sign() == 0 ? 1 : msb(boost::multiprecision::abs(number)) + 1; }

  unsigned long get_ui() const { return limb(0); }
  long get_si() const {
    constexpr mp_limb_t kMost = ~mp_limb_t{0} >> 1;
    return sign() < 0 ? -1 - static_cast<long>((limb(0) - 1) & kMost) : static_cast<long>(limb(0) & kMost);
  }
  bool fits_ulong_p() const { return sign() >= 0 && size() <= 1; }
  inline double get_d() const;  // truncated
  std::string get_str(int base = 10) const {
    if (base == 10) return number.str();
    std::string digits = boost::multiprecision::abs(number).str(0, std::ios_base::hex);
    return (sign() < 0 ? "-" : "") + digits;
  }

  /// The integer part of a / 2^n. Of negative numbers, Boost 1.74 loses the sign of some.
  static Number shifted(const Number& a, mp_bitcnt_t n) {
    if (a.sign() < 0) return -(Number(Number(-a - 1) >> n) + 1);
    return a >> n;
  }

  mpz_class& operator+=(const mpz_class& b) { return number += b.number, *this; }
  mpz_class& operator-=(const mpz_class& b) { return number -= b.number, *this; }
  mpz_class& operator*=(const mpz_class& b) { return number *= b.number, *this; }
  mpz_class& operator/=(const mpz_class& b) { return number /= b.number, *this; }
  mpz_class& operator%=(const mpz_class& b) { return number %= b.number, *this; }
  mpz_class& operator<<=(mp_bitcnt_t n) { return number <<= n, *this; }
  mpz_class& operator>>=(mp_bitcnt_t n) { return number = shifted(number, n), *this; }
  mpz_class& operator++() { return ++number, *this; }
  mpz_class& operator--() { return --number, *this; }
  friend mpz_class operator-(const mpz_class& a) { return mpz_class(Number(-a.number)); }
  friend mpz_class operator+(const mpz_class& a, const mpz_class& b) {
    return mpz_class(Number(a.number + b.number));
  }
  friend mpz_class operator-(const mpz_class& a, const mpz_class& b) {
    return mpz_class(Number(a.number - b.number));
  }
  friend mpz_class operator*(const mpz_class& a, const mpz_class& b) {
    return mpz_class(Number(a.number * b.number));
  }
  friend mpz_class operator/(const mpz_class& a, const mpz_class& b) {
    return mpz_class(Number(a.number / b.number));
  }
  friend mpz_class operator%(const mpz_class& a, const mpz_class& b) {
    return mpz_class(Number(a.number % b.number));
  }
  friend mpz_class operator<<(const mpz_class& a, mp_bitcnt_t n) { return mpz_class(Number(a.number << n)); }
  friend mpz_class operator>>(const mpz_class& a, mp_bitcnt_t n) { return mpz_class(shifted(a.number, n)); }
  friend bool operator==(const mpz_class& a, const mpz_class& b) { return a.number == b.number; }
  friend std::strong_ordering operator<=>(const mpz_class& a, const mpz_class& b) {
    return a.number.compare(b.number) <=> 0;
  }
  friend int sgn(const mpz_class& a) { return a.sign(); }
  friend int cmp(const mpz_class& a, const mpz_class& b) { return a.number.compare(b.number); }
  friend mpz_class abs(const mpz_class& a) { return a.sign() < 0 ? -a : a; }
  friend mpz_class sqrt(const mpz_class& a) {
    return mpz_class(Number(boost::multiprecision::sqrt(a.number)));
  }
  friend mpz_class gcd(const mpz_class& a, const mpz_class& b) {
    return mpz_class(Number(boost::multiprecision::gcd(a.number, b.number)));
  }
  friend mpz_class lcm(const mpz_class& a, const mpz_class& b) {
    return a.sign() == 0 || b.sign() == 0 ? mpz_class() : abs(a / gcd(a, b) * b);
  }
};

using mpz_ptr = mpz_class*;
using mpz_srcptr = const mpz_class*;
using mpz_t = mpz_class[1];

inline std::size_t mpz_size(mpz_srcptr a) {
  return a->size();
}
inline mp_limb_t mpz_getlimbn(mpz_srcptr a, mp_size_t i) {
  return a->limb(static_cast<std::size_t>(i));
}
inline const mp_limb_t* mpz_limbs_read(mpz_srcptr a) {
  return a->number.backend().limbs();
}
inline unsigned long mpz_get_ui(mpz_srcptr a) {
  return a->get_ui();
}
inline int mpz_sgn(mpz_srcptr a) {
  return a->sign();
}
inline int mpz_cmpabs(mpz_srcptr a, mpz_srcptr b) {
  return a->number.backend().compare_unsigned(b->number.backend());
}
/// Precondition: base 2.
inline std::size_t mpz_sizeinbase(mpz_srcptr a, int) {
  return a->bits();
}
inline mp_bitcnt_t mpz_scan1(mpz_srcptr a, mp_bitcnt_t) {
  return lsb(abs(*a).number);
}  // from bit 0
inline mp_bitcnt_t mpz_popcount(mpz_srcptr a) {
  mp_bitcnt_t count = 0;
  for (std::size_t i = 0; i < a->size(); ++i)
    count += static_cast<mp_bitcnt_t>(__builtin_popcountll(a->limb(i)));
  return count;
}
inline int mpz_perfect_square_p(mpz_srcptr a) {
  if (a->sign() < 0) return 0;
  const mpz_class root = sqrt(*a);
  return root * root == *a;
}
inline int mpz_divisible_p(mpz_srcptr a, mpz_srcptr b) {
  return *a % *b == 0;
}
inline int mpz_divisible_2exp_p(mpz_srcptr a, mp_bitcnt_t n) {
  return a->sign() == 0 || mpz_scan1(a, 0) >= n;
}
/// Deterministic below 2^64, which is all that is asked: these bases suffice (Sinclair 2011).
inline int mpz_probab_prime_p(mpz_srcptr a, int) {
  const mp_limb_t n = a->get_ui();
  if (a->size() > 1) throw std::invalid_argument("mpz_probab_prime_p");
  if (n < 2 || n % 2 == 0) return n == 2;
  const auto times = [n](mp_limb_t x, mp_limb_t y) {
    return static_cast<mp_limb_t>(mp_double_limb_t{x} * y % n);
  };
  const int twos = __builtin_ctzll(n - 1);
  for (const mp_limb_t base : {2, 325, 9375, 28178, 450775, 9780504, 1795265022}) {
    mp_limb_t power = 1, square = base % n;
    if (square == 0) continue;
    for (mp_limb_t exponent = (n - 1) >> twos; exponent != 0; exponent >>= 1, square = times(square, square))
      if (exponent & 1) power = times(power, square);
    bool passes = power == 1 || power == n - 1;
    for (int k = 1; k < twos && !passes; ++k) passes = (power = times(power, power)) == n - 1;
    if (!passes) return 0;
  }
  return 1;
}

inline void mpz_neg(mpz_ptr r, mpz_srcptr a) {
  *r = -*a;
}
inline void mpz_abs(mpz_ptr r, mpz_srcptr a) {
  *r = abs(*a);
}
inline void mpz_add(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  *r = *a + *b;
}
inline void mpz_sub(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  *r = *a - *b;
}
inline void mpz_mul(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  *r = *a * *b;
}
inline void mpz_mul_2exp(mpz_ptr r, mpz_srcptr a, mp_bitcnt_t n) {
  *r = *a << n;
}
inline void mpz_lcm(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  *r = lcm(*a, *b);
}
inline void mpz_ui_pow_ui(mpz_ptr r, unsigned long a, unsigned long n) {
  *r = mpz_class(mpz_class::Number(pow(mpz_class::Number(a), static_cast<unsigned>(n))));
}
namespace cpp_int_detail {
/// The product in memory that is used again.
inline const mpz_class::Number& product(mpz_srcptr a, mpz_srcptr b) {
  thread_local mpz_class::Number result;
  eval_multiply(result.backend(), a->number.backend(), b->number.backend());
  return result;
}
}  // namespace cpp_int_detail
inline void mpz_addmul(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  r->number += cpp_int_detail::product(a, b);
}
inline void mpz_submul(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  r->number -= cpp_int_detail::product(a, b);
}
inline void mpz_addmul_ui(mpz_ptr r, mpz_srcptr a, unsigned long b) {
  r->number += a->number * b;
}

// Quotients: truncated (t), floor (f) and ceiling (c).
inline void mpz_tdiv_q_2exp(mpz_ptr r, mpz_srcptr a, mp_bitcnt_t n) {
  *r = a->sign() < 0 ? -(-*a >> n) : *a >> n;
}
inline void mpz_fdiv_q_2exp(mpz_ptr r, mpz_srcptr a, mp_bitcnt_t n) {
  *r = *a >> n;
}
inline void mpz_cdiv_q_2exp(mpz_ptr r, mpz_srcptr a, mp_bitcnt_t n) {
  *r = -(-*a >> n);
}
inline void mpz_divexact(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
  *r = *a / *b;
}
inline void mpz_fdiv_qr(mpz_ptr q, mpz_ptr rest, mpz_srcptr a, mpz_srcptr b) {
  const mpz_class divisor = *b;
  mpz_class::Number quotient, remainder;
  divide_qr(a->number, divisor.number, quotient, remainder);
  *q = mpz_class(std::move(quotient));
  *rest = mpz_class(std::move(remainder));
  if (rest->sign() * divisor.sign() >= 0) return;
  --*q;
  *rest += divisor;
}
inline void mpz_fdiv_q(mpz_ptr q, mpz_srcptr a, mpz_srcptr b) {
  mpz_class rest;
  mpz_fdiv_qr(q, &rest, a, b);
}
inline void mpz_cdiv_qr(mpz_ptr q, mpz_ptr rest, mpz_srcptr a, mpz_srcptr b) {
  const mpz_class negative = -*a;
  mpz_fdiv_qr(q, rest, &negative, b);
  *q = -*q;
  *rest = -*rest;
}
inline void mpz_cdiv_q(mpz_ptr q, mpz_srcptr a, mpz_srcptr b) {
  mpz_class rest;
  mpz_cdiv_qr(q, &rest, a, b);
}
inline unsigned long mpz_fdiv_ui(mpz_srcptr a, unsigned long b) {
  mp_limb_t rest = 0;
  for (std::size_t i = a->size(); i-- > 0;)
    rest = static_cast<mp_limb_t>((mp_double_limb_t{rest} << 64 | a->limb(i)) % b);
  return a->sign() < 0 && rest != 0 ? b - rest : rest;
}
inline void mpz_sqrtrem(mpz_ptr root, mpz_ptr rest, mpz_srcptr a) {
  const mpz_class of = *a;
  *root = sqrt(of);
  *rest = of - *root * *root;
}

// Natural numbers as limbs.
inline mp_limb_t mpn_addmul_1(mp_limb_t* to, const mp_limb_t* a, mp_size_t n, mp_limb_t b) {
  mp_limb_t carry = 0;
  for (mp_size_t i = 0; i < n; ++i) {
    const mp_double_limb_t sum = mp_double_limb_t{a[i]} * b + to[i] + carry;
    to[i] = static_cast<mp_limb_t>(sum);
    carry = static_cast<mp_limb_t>(sum >> 64);
  }
  return carry;
}
inline mp_limb_t mpn_add_1(mp_limb_t* to, const mp_limb_t* a, mp_size_t n, mp_limb_t b) {
  for (mp_size_t i = 0; i < n; ++i) b = __builtin_add_overflow(a[i], b, &to[i]);
  return b;
}
/// Here with a copy of the limbs.
inline mpz_srcptr mpz_roinit_n(mpz_t r, const mp_limb_t* limbs, mp_size_t n) {
  while (n > 0 && limbs[n - 1] == 0) --n;
  auto& backend = r->number.backend();
  backend = mp_limb_t{0};
  if (n == 0) return r;
  backend.resize(static_cast<unsigned>(n), static_cast<unsigned>(n));
  std::copy_n(limbs, n, backend.limbs());
  return r;
}

/// In lowest terms with a positive denominator, as results of operations are and as operands must be.
class mpq_class {
public:
  mpq_class() = default;
  template <std::integral I>
  mpq_class(I value) : num_(value) {}
  mpq_class(mpz_class value) : num_(std::move(value)) {}
  template <std::floating_point F>
  explicit mpq_class(F value) {
    int exponent = 0;
    num_ = mpz_class(std::ldexp(std::frexp(static_cast<double>(value), &exponent), 53));
    (exponent >= 53 ? num_ : den_) <<= static_cast<mp_bitcnt_t>(std::abs(exponent - 53));
    canonicalize();
  }
  mpq_class(mpz_class num, mpz_class den) : num_(std::move(num)), den_(std::move(den)) {}

  mpz_class& get_num() { return num_; }
  mpz_class& get_den() { return den_; }
  const mpz_class& get_num() const { return num_; }
  const mpz_class& get_den() const { return den_; }
  mpz_ptr get_num_mpz_t() { return &num_; }
  mpz_ptr get_den_mpz_t() { return &den_; }
  mpz_srcptr get_num_mpz_t() const { return &num_; }
  mpz_srcptr get_den_mpz_t() const { return &den_; }
  mpq_class* get_mpq_t() { return this; }
  const mpq_class* get_mpq_t() const { return this; }

  void canonicalize() {
    reduce(num_, den_);
    if (den_.sign() >= 0) return;
    num_ = -num_;
    den_ = -den_;
  }
  /// Truncated, as GMP does it.
  double get_d() const {
    if (num_.sign() == 0) return 0;
    // 2^(e - 1) < |x| < 2^(e + 1), and the last place is that of a double not above.
    const long e = static_cast<long>(num_.bits()) - static_cast<long>(den_.bits());
    const long place = std::max(e - 54, -1074L);
    mpz_class mantissa = abs(num_), divisor = den_;
    (place < 0 ? mantissa : divisor) <<= static_cast<mp_bitcnt_t>(std::abs(place));
    mantissa /= divisor;
    const std::size_t bits = mantissa.bits(), more = bits > 53 ? bits - 53 : 0;
    if (place + static_cast<long>(bits) > 1100) return num_.sign() * HUGE_VAL;
    const double result = std::ldexp(static_cast<double>((mantissa >> more).get_ui()),
                                     static_cast<int>(place + static_cast<long>(more)));
    return num_.sign() < 0 && result != 0 ? -result : result;
  }
  std::string get_str(int base = 10) const {
    return den_ == 1 ? num_.get_str(base) : num_.get_str(base) + "/" + den_.get_str(base);
  }

  mpq_class& operator+=(const mpq_class& b) { return *this = *this + b; }
  mpq_class& operator-=(const mpq_class& b) { return *this = *this - b; }
  mpq_class& operator*=(const mpq_class& b) { return *this = *this * b; }
  mpq_class& operator/=(const mpq_class& b) { return *this = *this / b; }
  friend mpq_class operator-(const mpq_class& a) { return {-a.num_, a.den_}; }
  friend mpq_class operator+(const mpq_class& a, const mpq_class& b) { return sum(a, b, false); }
  friend mpq_class operator-(const mpq_class& a, const mpq_class& b) { return sum(a, b, true); }
  friend mpq_class operator*(const mpq_class& a, const mpq_class& b) {
    return product(a.num_, a.den_, b.num_, b.den_);
  }
  friend mpq_class operator/(const mpq_class& a, const mpq_class& b) {
    if (b.num_.sign() == 0) throw std::overflow_error("division by zero");
    return b.num_.sign() > 0 ? product(a.num_, a.den_, b.den_, b.num_)
                             : product(-a.num_, a.den_, b.den_, -b.num_);
  }
  friend bool operator==(const mpq_class& a, const mpq_class& b) {
    return a.num_ == b.num_ && a.den_ == b.den_;
  }
  friend std::strong_ordering operator<=>(const mpq_class& a, const mpq_class& b) {
    if (a.num_.sign() != b.num_.sign()) return a.num_.sign() <=> b.num_.sign();
    return a.den_ == b.den_ ? a.num_ <=> b.num_ : a.num_ * b.den_ <=> b.num_ * a.den_;
  }
  friend int sgn(const mpq_class& a) { return a.num_.sign(); }
  friend mpq_class abs(const mpq_class& a) { return {abs(a.num_), a.den_}; }

private:
  static void reduce(mpz_class& a, mpz_class& b) {
    if (a == 1 || b == 1) return;
    const mpz_class common = gcd(a, b);
    if (common == 1) return;
    a /= common;
    b /= common;
  }
  static mpq_class sum(const mpq_class& a, const mpq_class& b, bool minus) {
    mpz_class left = a.num_, right = minus ? -b.num_ : b.num_, den = a.den_;
    if (a.den_ != b.den_) {
      left *= b.den_;
      right *= a.den_;
      den *= b.den_;
    }
    mpq_class result(left + right, std::move(den));
    reduce(result.num_, result.den_);
    return result;
  }
  /// a / b times c / d, in lowest terms with positive denominators.
  static mpq_class product(const mpz_class& a, const mpz_class& b, const mpz_class& c, const mpz_class& d) {
    mpq_class left, right;
    left.num_ = a, left.den_ = d, right.num_ = c, right.den_ = b;
    reduce(left.num_, left.den_);
    reduce(right.num_, right.den_);
    return {left.num_ * right.num_, right.den_ * left.den_};
  }

  mpz_class num_, den_ = 1;
};

inline mpz_class::mpz_class(const mpq_class& value)
    : number(value.get_num().number / value.get_den().number) {}
inline double mpz_class::get_d() const {
  return mpq_class(*this).get_d();
}

inline void mpq_mul_2exp(mpq_class* r, const mpq_class* a, mp_bitcnt_t n) {
  *r = *a * mpq_class(mpz_class(1) << n);
}
inline void mpq_div_2exp(mpq_class* r, const mpq_class* a, mp_bitcnt_t n) {
  *r = *a * mpq_class(1, mpz_class(1) << n);
}
