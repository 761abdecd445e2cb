#include "checker/group_ring.hpp"

#include <doctest/doctest.h>

#include "checker/layer.hpp"

using namespace attest;
using namespace attest::checker;

namespace {

constexpr std::size_t kMax = 1000;
const Ring kE{"lindemann-weierstrass", false, 1};
const Ring kTwo{"base-2", true, 1};

Element power_of(const Ring& ring, const char* c, const char* x) {
  Element result;
  result.add(ring, Rational(c), Rational(x), kMax);
  return result;
}

Element product(const Ring& ring, const Element& a, const Element& b) {
  Work work(1000, "", "");
  return a.times(ring, b, kMax, work);
}

Element difference(const Ring& ring, Element a, const Element& b) {
  a.add(product(ring, b, power_of(ring, "-1", "0")));
  return a;
}

}  // namespace

TEST_CASE("powers of two have relations, powers of e have none") {
  const Element root = power_of(kTwo, "1", "1/2");
  CHECK(difference(kTwo, product(kTwo, root, root), power_of(kTwo, "2", "0")).zero());
  CHECK(difference(kTwo, power_of(kTwo, "3", "-5/2"), power_of(kTwo, "3/8", "1/2")).zero());
  CHECK_FALSE(difference(kTwo, power_of(kTwo, "1", "1/2"), power_of(kTwo, "1", "1/3")).zero());
  CHECK_FALSE(difference(kTwo, power_of(kTwo, "1", "1/2"), power_of(kTwo, "7/5", "0")).zero());

  const Element e_root = power_of(kE, "1", "1/2");
  CHECK(difference(kE, product(kE, e_root, e_root), power_of(kE, "1", "1")).zero());
  CHECK_FALSE(difference(kE, power_of(kE, "1", "1"), power_of(kE, "2", "0")).zero());
  Element sum;
  for (int i = 1; i < 20; ++i) sum.add(power_of(kE, "1", std::to_string(i).c_str()));
  CHECK_FALSE(sum.zero());
}

TEST_CASE("(b^x - b^-x)^2 = b^2x - 2 + b^-2x") {
  for (const Ring& ring : {kE, kTwo}) {
    for (const char* x : {"1/3", "1", "7/2"}) {
      Element a = power_of(ring, "1", x);
      a.add(power_of(ring, "-1", (std::string("-") + x).c_str()));
      const Rational twice = Rational(x) * 2;
      Element b = power_of(ring, "-2", "0");
      b.add(ring, 1, twice, kMax);
      b.add(ring, 1, -twice, kMax);
      CHECK(difference(ring, product(ring, a, a), b).zero());
    }
  }
}

TEST_CASE("characters are ring homomorphisms") {
  // 2^20 < p = 1049219? The test looks for its own safe primes.
  std::size_t found = 0;
  for (Word q = 100003; found < 6; q += 2) {
    const Word p = 2 * q + 1;
    if (!is_prime(q) || !is_prime(p)) continue;
    ++found;
    for (const Ring& ring : {kE, kTwo}) {
      if (ring.two && p % 8 != 7) {
        CHECK_THROWS_AS(character(ring, p, 2), Failure);
        continue;
      }
      const Character phi = character(ring, p, ring.two ? 2 : 9);
      Element a = power_of(ring, "3/7", "-11/5"), b = power_of(ring, "-2", "9/4");
      a.add(power_of(ring, "5", "22/3"));
      b.add(power_of(ring, "1/9", "4/15"));
      CHECK(product(ring, a, b).image(phi) == multiply(a.image(phi), b.image(phi), p));
      Element sum = a;
      sum.add(b);
      CHECK(sum.image(phi) == (a.image(phi) + b.image(phi)) % p);
    }
  }
}

TEST_CASE("denominators must be prime to p and q") {
  const Character phi = character(kE, 23, 2);  // q = 11
  CHECK(power_of(kE, "1/11", "1/23").image(phi) < 23);
  CHECK_THROWS_AS(power_of(kE, "1/23", "1").image(phi), Failure);
  CHECK_THROWS_AS(power_of(kE, "1", "5/22").image(phi), Failure);
}

TEST_CASE("conditions on p and g") {
  CHECK_NOTHROW(character(kE, 7, 2));
  CHECK_NOTHROW(character(kTwo, 23, 2));
  CHECK_THROWS_AS(character(kE, 4, 3), Failure);           // even
  CHECK_THROWS_AS(character(kE, 15, 2), Failure);          // not prime
  CHECK_THROWS_AS(character(kE, 13, 3), Failure);          // q = 6
  CHECK_THROWS_AS(character(kE, 23, 1), Failure);          // trivial
  CHECK_THROWS_AS(character(kE, 23, 5), Failure);          // of order 22
  CHECK_THROWS_AS(character(kE, 23, 25), Failure);         // not reduced
  CHECK_THROWS_AS(character(kTwo, 23, 3), Failure);        // not the image of 2
  CHECK_THROWS_AS(character(kTwo, 11, 2), Failure);        // 2 is of order 10
  CHECK_THROWS_AS(character(kE, 4294967087, 4), Failure);  // a safe prime, too large
}

TEST_CASE("work is counted and powers of two are bounded") {
  Element many;
  for (int i = 0; i < 40; ++i) many.add(kE, 1, i, kMax);
  Work work(1599, "the expansion", "--max-terms");
  CHECK_THROWS_WITH_AS(many.times(kE, many, kMax, work), "the expansion exceeds the limit of 1599; --max-terms raises it", LimitError);
  Element big;
  CHECK_THROWS_AS(big.add(kTwo, 1, Rational(1001), kMax), LimitError);
  CHECK_NOTHROW(big.add(kE, 1, Rational("1000000000000000000000"), kMax));
}
