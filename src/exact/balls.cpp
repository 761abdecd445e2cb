#include "exact/balls.hpp"

#include <algorithm>

namespace attest {
namespace {

// m 2^e as a hexadecimal float.
std::string numeral(const arf_t x) {
  if (arf_is_zero(x)) return "0";
  fmpz_t man, exp;
  fmpz_init(man);
  fmpz_init(exp);
  arf_get_fmpz_2exp(man, exp, x);
  mpz_class m;
  fmpz_get_mpz(m.get_mpz_t(), man);
  const std::string text = (m < 0 ? "-0x" : "0x") + mpz_class(abs(m)).get_str(16) + "p" + std::to_string(fmpz_get_si(exp));
  fmpz_clear(man);
  fmpz_clear(exp);
  return text;
}

}  // namespace

Ball::Ball(const mpq_class& value, slong precision) : Ball() {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_mpq(q, value.get_mpq_t());
  arb_set_fmpq(x_, q, precision);
  fmpq_clear(q);
}

Ball power(Base base, const mpq_class& x, slong precision) {
  // The exponent may be large: it gets that many more bits, so that the result keeps `precision`.
  const slong size = static_cast<slong>(mpz_sizeinbase(x.get_num_mpz_t(), 2)) - static_cast<slong>(mpz_sizeinbase(x.get_den_mpz_t(), 2));
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
  if (!arb_is_finite(x.get())) return std::nullopt;
  arf_t bound;
  fmpq_t q;
  arf_init(bound);
  fmpq_init(q);
  arb_get_ubound_arf(bound, x.get(), 64);
  arf_get_fmpq(q, bound);
  mpq_class result;
  fmpq_get_mpq(result.get_mpq_t(), q);
  arf_clear(bound);
  fmpq_clear(q);
  return result;
}

std::optional<BallMatrix> solve(const BallMatrix& a, const BallMatrix& b, slong precision) {
  const std::size_t n = a.rows(), k = b.cols();
  arb_mat_t left, right;
  arb_mat_init(left, n, n);
  arb_mat_init(right, n, k);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) arb_set(arb_mat_entry(left, i, j), a(i, j).get());
    for (std::size_t j = 0; j < k; ++j) arb_set(arb_mat_entry(right, i, j), b(i, j).get());
  }
  std::optional<BallMatrix> x;
  if (arb_mat_solve_lu(right, left, right, precision) != 0) {
    x.emplace(n, k);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < k; ++j) arb_set((*x)(i, j).get(), arb_mat_entry(right, i, j));
  }
  arb_mat_clear(left);
  arb_mat_clear(right);
  return x;
}

slong accuracy(const BallMatrix& x) {
  slong worst = ARF_PREC_EXACT;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) {
      const arb_srcptr e = x(i, j).get();
      slong bits = arb_rel_accuracy_bits(e);
      if (arb_contains_zero(e) && !arb_is_zero(e)) {
        Ball one(1, 64);
        mag_set(arb_radref(one.get()), arb_radref(e));
        bits = arb_rel_accuracy_bits(one.get());
      }
      worst = std::min(worst, bits);
    }
  return worst;
}

BallText rounded_outwards(const Ball& x, slong bits) {
  arb_t y;
  arb_init(y);
  arb_set_round(y, x.get(), bits);  // its radius now covers the rounding
  mag_mul_2exp_si(arb_radref(y), arb_radref(y), 2);
  arf_t rad;
  arf_init(rad);
  arf_set_mag(rad, arb_radref(y));
  BallText text{numeral(arb_midref(y)), numeral(rad)};
  arf_clear(rad);
  arb_clear(y);
  return text;
}

}  // namespace attest
