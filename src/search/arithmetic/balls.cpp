#include "search/arithmetic/balls.hpp"

#include <algorithm>

#include "base/meter.hpp"
#include "search/arithmetic/owned.hpp"

namespace attest {
namespace {

// m 2^e as a hexadecimal float.
std::string numeral(const arf_t x) {
  if (arf_is_zero(x)) return "0";
  OwnedInteger man, exp;
  arf_get_fmpz_2exp(man, exp, x);
  mpz_class m;
  fmpz_get_mpz(m.get_mpz_t(), man);
  return (m < 0 ? "-0x" : "0x") + mpz_class(abs(m)).get_str(16) + "p" + std::to_string(fmpz_get_si(exp));
}

}  // namespace

Ball::Ball(const mpq_class& value, slong precision) : Ball() {
  OwnedRational q;
  fmpq_set_mpq(q, value.get_mpq_t());
  arb_set_fmpq(x_, q, precision);
}

Ball power(Base base, const mpq_class& x, slong precision) {
  // The exponent may be large: it gets that many more bits, so that the result keeps `precision`.
  const slong size = static_cast<slong>(mpz_sizeinbase(x.get_num_mpz_t(), 2)) -
                     static_cast<slong>(mpz_sizeinbase(x.get_den_mpz_t(), 2));
  const slong working = precision + std::max<slong>(size, 0) + 16;
  Ball y(x, working);
  if (base == Base::e) {
    arb_exp(y.get(), y.get(), precision);
  } else {
    Ball log2;
    arb_const_log2(log2.get(), working);
    arb_mul(y.get(), y.get(), log2.get(), working);
    arb_exp(y.get(), y.get(), precision);
  }
  return y;
}

Ball logarithm(Base base, const mpq_class& x, slong precision) {
  Ball y(x, precision + 16);
  arb_log(y.get(), y.get(), precision + 16);
  if (base == Base::two) {
    Ball log2;
    arb_const_log2(log2.get(), precision + 16);
    arb_div(y.get(), y.get(), log2.get(), precision);
  }
  return y;
}

std::vector<Ball> softmax(Base base, const std::vector<mpq_class>& logits, slong precision) {
  const mpq_class largest = *std::max_element(logits.begin(), logits.end());
  std::vector<Ball> result;
  Ball sum;
  for (const mpq_class& l : logits) {
    result.push_back(power(base, l - largest, precision));
    arb_add(sum.get(), sum.get(), result.back().get(), precision);
  }
  for (Ball& x : result) arb_div(x.get(), x.get(), sum.get(), precision);
  return result;
}

std::optional<mpq_class> upper_bound(const Ball& x) {
  constexpr slong kMost = 1 << 20;  // exponents of balls have no limit, and numerators would be as long
  if (!arb_is_finite(x.get())) return std::nullopt;
  OwnedFloat bound;
  OwnedRational q;
  arb_get_ubound_arf(bound, x.get(), 64);
  if (arf_cmpabs_2exp_si(bound, kMost) > 0) return std::nullopt;
  if (!arf_is_zero(bound) && arf_cmpabs_2exp_si(bound, -kMost) < 0) {
    if (arf_sgn(bound) > 0)
      arf_set_ui_2exp_si(bound, 1, -kMost);
    else
      arf_zero(bound);
  }
  mpq_class result;
  arf_get_fmpq(q, bound);
  fmpq_get_mpq(result.get_mpq_t(), q);
  return result;
}

namespace {

// Until FLINT 3.3 a matrix has a pointer to each row, since then the distance of rows.
template <class Matrix>
void set_rows(Matrix& m, [[maybe_unused]] arb_ptr* rows) {
  if constexpr (requires { m.rows; })
    m.rows = rows;
  else
    m.stride = m.c;
}

// A matrix of balls as Arb sees it, in place: weights may be large. Arb writes to those that it is told to.
class ArbMatrix {
public:
  explicit ArbMatrix(const BallMatrix& x) : rows_(x.rows()) {
    static_assert(sizeof(Ball) == sizeof(arb_struct));
    for (std::size_t i = 0; i < x.rows() && x.cols() > 0; ++i) rows_[i] = const_cast<arb_ptr>(x(i, 0).get());
    m_->entries = rows_.empty() ? nullptr : rows_[0];
    m_->r = static_cast<slong>(x.rows());
    m_->c = static_cast<slong>(x.cols());
    set_rows(*m_, rows_.data());
  }
  ArbMatrix(const ArbMatrix&) = delete;
  ArbMatrix& operator=(const ArbMatrix&) = delete;
  arb_mat_struct* get() { return m_; }

private:
  std::vector<arb_ptr> rows_;
  arb_mat_t m_;
};

// Charges for the products of m n k balls.
void spend(std::size_t m, std::size_t n, std::size_t k, slong precision) {
  const auto words = static_cast<std::uint64_t>(precision / 64 + 1);
  meter().work(static_cast<std::uint64_t>(m) * n * k * (20 + words * words));
}

}  // namespace

std::optional<BallMatrix> solve(const BallMatrix& a, const BallMatrix& b, slong precision) {
  spend(a.rows(), a.rows(), a.rows() + b.cols(), precision);
  BallMatrix x(b.rows(), b.cols());
  ArbMatrix left(a), right(b), solution(x);
  if (arb_mat_solve_lu(solution.get(), left.get(), right.get(), precision) == 0) return std::nullopt;
  return x;
}

BallMatrix ball_identity(std::size_t n) {
  BallMatrix result(n, n);
  for (std::size_t i = 0; i < n; ++i) arb_one(result(i, i).get());
  return result;
}

BallMatrix multiply(const BallMatrix& a, const BallMatrix& b, slong precision) {
  spend(a.rows(), a.cols(), b.cols(), precision);
  BallMatrix x(a.rows(), b.cols());
  ArbMatrix left(a), right(b), product(x);
  arb_mat_mul(product.get(), left.get(), right.get(), precision);
  return x;
}

slong exponent(const BallMatrix& x) {
  slong e = -ARF_PREC_EXACT;
  OwnedFloat bound;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) {
      arb_get_abs_ubound_arf(bound, x(i, j).get(), 32);
      if (!arf_is_zero(bound)) e = std::max(e, arf_abs_bound_lt_2exp_si(bound));
    }
  return e;
}

Ball rounded(const Ball& x, slong exponent) {
  Ball result;
  OwnedInteger multiple;
  OwnedFloat scaled;
  arf_mul_2exp_si(scaled, arb_midref(x.get()), -exponent);
  arf_get_fmpz(multiple, scaled, ARF_RND_NEAR);
  arb_set_fmpz(result.get(), multiple);
  arb_mul_2exp_si(result.get(), result.get(), exponent);
  return result;
}

bool have_numerals(const BallMatrix& x) {
  constexpr slong kMost = 90000;  // readers accept exponents to 100000, of mantissas with thousands of bits
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) {
      const arf_srcptr mid = arb_midref(x(i, j).get());
      if (!arf_is_finite(mid)) return false;
      if (!arf_is_zero(mid) && (arf_cmpabs_2exp_si(mid, kMost) > 0 || arf_cmpabs_2exp_si(mid, -kMost) < 0))
        return false;
    }
  return true;
}

std::string numeral(const Ball& x) {
  return numeral(arb_midref(x.get()));
}

BallText rounded_outwards(const Ball& x, slong bits) {
  Ball y;
  arb_set_round(y.get(), x.get(), bits);  // its radius now covers the rounding
  mag_mul_2exp_si(arb_radref(y.get()), arb_radref(y.get()), 2);
  OwnedFloat rad;
  arf_set_mag(rad, arb_radref(y.get()));
  return {numeral(y), numeral(rad)};
}

}  // namespace attest
