#include "search/arithmetic/balls.hpp"

#include <algorithm>

#include "problem/numbers.hpp"
#include "search/arithmetic/flint.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

constexpr Base kBases[] = {Base::e, Base::two};

bool contains(const Ball& ball, const mpq_class& x) {
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_mpq(q, x.get_mpq_t());
  const bool result = arb_contains_fmpq(ball.get(), q) != 0;
  fmpq_clear(q);
  return result;
}

Ball wide(const mpq_class& mid, double radius) {
  Ball b(mid, 64);
  mag_set_d(arb_radref(b.get()), radius);
  return b;
}

mpq_class exact(const arf_t x) {
  fmpq_t q;
  fmpq_init(q);
  arf_get_fmpq(q, x);
  mpq_class result;
  fmpq_get_mpq(result.get_mpq_t(), q);
  fmpq_clear(q);
  return result;
}

// Least and greatest number of a ball, exactly.
std::pair<mpq_class, mpq_class> ends(const Ball& x) {
  arf_t radius;
  arf_init(radius);
  arf_set_mag(radius, arb_radref(x.get()));
  const mpq_class mid = exact(arb_midref(x.get())), r = exact(radius);
  arf_clear(radius);
  return {mid - r, mid + r};
}

}  // namespace

TEST_CASE("balls contain the rationals that they are made from") {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const mpq_class x = random.rational(1000000, 999983);
    CHECK(contains(Ball(x, 20), x));
    CHECK(contains(Ball(x, 200), x));
    CHECK_FALSE(contains(Ball(x, 200), x + mpq_class(1, 1000000)));
  }
}

TEST_CASE("powers with a known value, and b^x b^-x = 1") {
  CHECK(contains(power(Base::two, 10, 64), 1024));
  CHECK(contains(power(Base::two, -3, 64), mpq_class(1, 8)));
  CHECK(contains(power(Base::e, 0, 64), 1));
  Ball square;
  const Ball root = power(Base::two, mpq_class(1, 2), 100);
  arb_mul(square.get(), root.get(), root.get(), 100);
  CHECK(contains(square, 2));
  CHECK_FALSE(contains(square, mpq_class("2000000000001/1000000000000")));
  Random random(2);
  for (const Base base : kBases)
    for (int trial = 0; trial < 100; ++trial) {
      const mpq_class x = random.rational(trial % 2 == 0 ? 20 : 100000, 7);
      const Ball a = power(base, x, 128), b = power(base, -x, 128);
      Ball product;
      arb_mul(product.get(), a.get(), b.get(), 128);
      CHECK(contains(product, 1));
      // Large exponents keep their relative accuracy.
      CHECK(arb_rel_accuracy_bits(a.get()) >= 120);
      Ball log = logarithm(base, 5, 128), back;
      arb_const_log2(back.get(), 128);
      if (base == Base::two) arb_mul(log.get(), log.get(), back.get(), 128);
      arb_exp(log.get(), log.get(), 128);
      CHECK(contains(log, 5));
    }
  CHECK(contains(logarithm(Base::two, 8, 64), 3));
  CHECK(contains(logarithm(Base::two, mpq_class(1, 1024), 64), -10));
  CHECK(contains(logarithm(Base::e, 1, 64), 0));
}

TEST_CASE("softmax: base 2 against fractions, base e sums to one") {
  FOR_SEEDS(60, 0) {
    const std::size_t n = random.between(1, 6);
    std::vector<mpq_class> logits, powers;
    mpq_class sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long l = random.integer(seed % 2 == 0 ? 5 : 300);
      logits.emplace_back(l);
      powers.push_back(test::power_of_two(l));
      sum += powers.back();
    }
    const std::vector<Ball> two = softmax(Base::two, logits, 96), e = softmax(Base::e, logits, 96);
    REQUIRE(two.size() == n);
    Ball total;
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(contains(two[i], powers[i] / sum));
      CHECK(arb_rel_accuracy_bits(two[i].get()) > 60);
      arb_add(total.get(), total.get(), e[i].get(), 96);
    }
    CHECK(contains(total, 1));
  }
}

TEST_CASE("upper bounds are above") {
  const Ball b = wide(3, 0.5);
  CHECK(*upper_bound(b) >= mpq_class(7, 2));
  CHECK(*upper_bound(b) < mpq_class(8, 2));
  CHECK(*upper_bound(wide(-3, 0.5)) >= mpq_class(-5, 2));
  CHECK(*upper_bound(Ball()) == 0);
  Ball infinite;
  arb_pos_inf(infinite.get());
  CHECK_FALSE(upper_bound(infinite).has_value());
  arb_indeterminate(infinite.get());
  CHECK_FALSE(upper_bound(infinite).has_value());
  // Exponents of any size: e^(2^60) and its inverse are finite, and have no numerals.
  for (const int sign : {1, -1}) {
    Ball large;
    arb_one(large.get());
    arb_mul_2exp_si(large.get(), large.get(), 60);
    arb_exp(large.get(), large.get(), 64);
    arb_mul_si(large.get(), large.get(), sign, 64);
    CHECK_FALSE(upper_bound(large).has_value());
    arb_inv(large.get(), large.get(), 64);
    const mpq_class bound = *upper_bound(large);
    CHECK((sign > 0 ? bound > 0 && bound < mpq_class(1, 1 << 30) : bound == 0));
  }
}

TEST_CASE("solve encloses the exact solution of rational systems") {
  FOR_SEEDS(60, 100) {
    const std::size_t n = random.between(1, 8), k = random.between(1, 3);
    const RationalMatrix a = random.matrix(n, n, 9, 7), x = random.matrix(n, k, 9, 7),
                         b = test::product(a, x);
    BallMatrix left(n, n), right(n, k);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) left(i, j) = Ball(a(i, j), 200);
      for (std::size_t j = 0; j < k; ++j) right(i, j) = Ball(b(i, j), 200);
    }
    const auto solution = solve(left, right, 200);
    const bool regular = test::textbook_rank(a) == n;
    REQUIRE(solution.has_value() == regular);
    if (!regular) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        CHECK(contains((*solution)(i, j), x(i, j)));
        CHECK(mag_cmp_2exp_si(arb_radref((*solution)(i, j).get()), -100) < 0);
      }
  }
}

TEST_CASE("singular matrices, and balls that contain one, are never solved") {
  FOR_SEEDS(60, 200) {
    const std::size_t n = random.between(1, 7);
    const RationalMatrix a = test::product(random.matrix(n, n - 1, 9, 7), random.matrix(n - 1, n, 9, 7));
    BallMatrix left(n, n), right(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) left(i, j) = Ball(a(i, j), 64);
      right(i, 0) = Ball(1, 64);
    }
    CHECK_FALSE(solve(left, right, 64).has_value());
    CHECK_FALSE(solve(left, right, 2000).has_value());
    // A regular matrix within 0.1 of a singular one.
    const RationalMatrix perturbation = random.matrix(n, n, 9, 90);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) left(i, j) = wide(a(i, j) + perturbation(i, j) / 10, 1.0);
    CHECK_FALSE(solve(left, right, 2000).has_value());
  }
}

TEST_CASE("products of balls contain the products") {
  FOR_SEEDS(30, 400) {
    const std::size_t m = random.between(1, 5), n = random.between(1, 5), k = random.between(1, 5);
    const RationalMatrix a = random.matrix(m, n, 99, 70), b = random.matrix(n, k, 99, 70),
                         product = test::product(a, b);
    BallMatrix left(m, n), right(n, k);
    for (std::size_t i = 0; i < m * n; ++i) left.data()[i] = Ball(a.data()[i], 100);
    for (std::size_t i = 0; i < n * k; ++i) right.data()[i] = Ball(b.data()[i], 100);
    const BallMatrix result = multiply(left, right, 100);
    REQUIRE(result.rows() == m);
    REQUIRE(result.cols() == k);
    for (std::size_t i = 0; i < m * k; ++i) {
      CHECK(contains(result.data()[i], product.data()[i]));
      CHECK(mag_cmp_2exp_si(arb_radref(result.data()[i].get()), -70) < 0);
    }
  }
}

TEST_CASE("the exponent bounds every entry with its radius, and not by much") {
  BallMatrix x(2, 2);
  x(0, 0) = Ball(mpq_class(7), 64);
  CHECK(exponent(x) == 3);
  x(1, 1) = Ball(mpq_class(-8), 64);
  CHECK(exponent(x) == 4);
  x(1, 0) = wide(15, 2);
  CHECK(exponent(x) == 5);
  BallMatrix small(1, 1);
  small(0, 0) = Ball(mpq_class(1, 3), 64);
  CHECK(exponent(small) == -1);
  CHECK(exponent(BallMatrix(1, 1)) < -1000000);
}

TEST_CASE("rounding to multiples of a power of two: the nearest one, as an exact numeral") {
  FOR_SEEDS(100, 500) {
    const mpq_class x = random.rational(1000000, 999983);
    const slong unit = static_cast<slong>(random.between(0, 60)) - 40;
    const Ball y = rounded(Ball(x, 300), unit);
    CHECK(arb_is_exact(y.get()) != 0);
    const mpq_class value = parse_number(numeral(y));
    CHECK(contains(y, value));
    const mpq_class size = test::power_of_two(unit);
    CHECK(mpq_class(value / size).get_den() == 1);
    CHECK(2 * abs(value - x) <= size);
  }
  CHECK(numeral(rounded(wide(mpq_class(11, 2), 3), -1)) == "0xbp-1");
  CHECK(numeral(rounded(Ball(mpq_class(-1, 8), 64), 0)) == "0");
}

TEST_CASE("rounding outwards: exact numerals of a ball that contains the other with room to spare") {
  FOR_SEEDS(200, 300) {
    Ball x(random.rational(1000000, 999983), 256);
    if (seed % 3 == 0) x = wide(random.rational(9, 7), 0x1p-40);
    if (seed % 5 == 0) x = power(Base::e, random.rational(2000, 7), 256);
    if (seed % 7 == 0) x = wide(0, 0x1p-90);
    const slong bits = static_cast<slong>(random.between(24, 128));
    const BallText text = rounded_outwards(x, bits);
    const mpq_class mid = parse_number(text.mid), rad = parse_number(text.rad);
    const auto [least, most] = ends(x);
    CHECK(rad >= 0);
    CHECK(mpq_class(mid - rad) <= least);
    CHECK(most <= mpq_class(mid + rad));
    if (most > least) CHECK(mpq_class(most - least) < 2 * rad);
    CHECK(mpz_sizeinbase(mid.get_num_mpz_t(), 2) - mpz_scan1(mid.get_num_mpz_t(), 0) * (mid == 0 ? 0 : 1) <=
          static_cast<std::size_t>(bits));
  }
  const BallText zero = rounded_outwards(Ball(), 64);
  CHECK(parse_number(zero.mid) == 0);
  CHECK(parse_number(zero.rad) == 0);
}
