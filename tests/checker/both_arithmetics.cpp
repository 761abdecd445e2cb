// Prints what the numbers of base/integers.hpp, powers, and drawn normal numbers are, for random operands:
// compiled with GMP and with Boost, it has to print the same.
#include <algorithm>
#include <iostream>
#include <random>

#include "kernel/arithmetic/powers.hpp"
#include "problem/numbers.hpp"
#include "readers/generate.hpp"

using namespace attest;
using namespace attest::kernel;

namespace {

std::mt19937_64 random_words(7);

/// Of up to `words` words, some of them 0 or all ones, of either sign.
Integer integer(std::size_t words) {
  Integer result = 0;
  for (std::size_t k = random_words() % (words + 1); k > 0; --k) {
    const std::uint64_t kind = random_words() % 4, word = kind == 0   ? 0
                                                          : kind == 1 ? ~std::uint64_t{0}
                                                                      : random_words();
    result = (result << 64) + Integer(word >> (random_words() % 64));
  }
  return random_words() % 2 ? result : Integer(-result);
}

Integer positive(std::size_t words) {
  const Integer result = abs(integer(words));
  return result == 0 ? Integer(1) : result;
}

Rational rational(std::size_t words) {
  const Integer num = integer(words), den = positive(words);  // in this order
  Rational result(num, den);
  result.canonicalize();
  return result;
}

void print(const char* name, const Integer& x) {
  std::cout << name << " " << x.get_str(16) << "\n";
}

void integers() {
  const Integer a = integer(6), b = integer(4), c = positive(3);
  const std::size_t n = random_words() % 200;
  const std::uint64_t word = random_words();
  print("+", a + b);
  print("-", a - b);
  print("*", a * b);
  print("/", a / c);
  print("%", a % c);
  print("<<", a << n);
  print(">>", a >> n);
  print("gcd", gcd(a * c, b * c));
  print("lcm", lcm(a, b));
  print("sqrt", sqrt(abs(a)));
  Integer q, r;
  mpz_fdiv_qr(q.get_mpz_t(), r.get_mpz_t(), a.get_mpz_t(), b == 0 ? c.get_mpz_t() : b.get_mpz_t());
  print("floor", q);
  print("rest", r);
  mpz_cdiv_qr(q.get_mpz_t(), r.get_mpz_t(), a.get_mpz_t(), c.get_mpz_t());
  print("ceiling", q);
  print("rest", r);
  mpz_cdiv_q_2exp(q.get_mpz_t(), a.get_mpz_t(), n);
  print("ceiling", q);
  mpz_tdiv_q_2exp(q.get_mpz_t(), a.get_mpz_t(), n);
  print("truncated", q);
  mpz_sqrtrem(q.get_mpz_t(), r.get_mpz_t(), c.get_mpz_t());
  print("root", q);
  print("rest", r);
  r = a;
  mpz_addmul(r.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  mpz_addmul(r.get_mpz_t(), r.get_mpz_t(), r.get_mpz_t());
  mpz_submul(r.get_mpz_t(), b.get_mpz_t(), c.get_mpz_t());
  print("sums", r);
  std::cout << a.get_str() << " " << sgn(a) << (a < b) << (a == b) << a.fits_ulong_p() << " " << a.get_ui()
            << " " << a.get_si() << " " << mpz_size(a.get_mpz_t()) << " " << mpz_sizeinbase(a.get_mpz_t(), 2)
            << " " << mpz_popcount(c.get_mpz_t()) << " " << mpz_scan1(c.get_mpz_t(), 0) << " "
            << mpz_fdiv_ui(a.get_mpz_t(), random_words() | 1) << " "
            << (mpz_perfect_square_p(c.get_mpz_t()) != 0)
            << (mpz_perfect_square_p(Integer(b * b).get_mpz_t()) != 0)
            << (mpz_divisible_2exp_p(a.get_mpz_t(), n) != 0)
            << (mpz_divisible_p(a.get_mpz_t(), c.get_mpz_t()) != 0)
            << (mpz_cmpabs(a.get_mpz_t(), b.get_mpz_t()) < 0) << " " << std::hexfloat << a.get_d()
            << std::defaultfloat << " " << is_prime(word >> n % 60) << "\n";
}

void rationals() {
  const Rational a = rational(3), b = rational(2), half(1, 2);
  const std::vector<Rational> all = {a + b,
                                     a - b,
                                     a * b,
                                     b == 0 ? a : Rational(a / b),
                                     a * half,
                                     -a,
                                     abs(a),
                                     parse_number("-" + number_text(abs(b))),
                                     parse_number("0x1.8p-70"),
                                     Rational(a.get_d())};
  for (const Rational& x : all) {
    Rational scaled;
    mpq_div_2exp(scaled.get_mpq_t(), x.get_mpq_t(), 77);
    std::cout << number_text(x) << " " << scaled.get_str(16) << " " << std::hexfloat << x.get_d()
              << std::defaultfloat << " " << (x < b) << (x == b) << sgn(x) << "\n";
  }
  for (const int place : {-1100, -1074, -1060, -1022, -600, 900, 1023}) {  // truncated, also subnormal ones
    Rational scaled = a;
    if (place > 0) scaled *= Rational(Integer(1) << static_cast<unsigned long>(place - 200));
    if (place < 0) scaled /= Rational(Integer(1) << static_cast<unsigned long>(-place));
    std::cout << std::hexfloat << scaled.get_d() << std::defaultfloat << "\n";
  }
}

void powers() {
  for (const std::size_t bits : {24, 32, 64, 72, 100, 256, 264, 700})
    for (const Base base : {Base::two, Base::e}) {
      Powers power(base, bits, random_words() % 2 ? LogitScale{} : LogitScale{1, 7});
      const Integer den = random_words() % 3 ? positive(2) : Integer(1) << (random_words() % 80);
      const Integer near = integer(2), num = den * Integer(random_words() % (bits + 2)) + near;
      const Integer whole = den * Integer(random_words() % (bits + 2)), small = random_words() % 5;
      for (const Integer& x : {num, whole, small}) {
        const Enclosure found = power(x, den);
        std::cout << bits << " " << found.least.get_str(16) << " " << found.most.get_str(16) << "\n";
      }
    }
}

}  // namespace

int main() {
  for (int k = 0; k < 1000; ++k) {
    integers();
    rationals();
    powers();
  }
  Generator generator;
  generator.kind = Generator::Kind::normal_f64;
  generator.seed = 3;
  const ExactArray drawn = generator.draw({20000}, 1);
  for (std::size_t k = 0; k < drawn.size(); ++k) std::cout << number_text(drawn.at(k)) << "\n";
}
