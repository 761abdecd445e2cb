#include "search/arithmetic/character.hpp"

#include <set>
#include <string>

#include "tests/exact/residues.hpp"

using namespace attest;
using test::kRings;

namespace {

bool prime(std::uint64_t n) {
  return mpz_probab_prime_p(mpz_class(static_cast<unsigned long>(n)).get_mpz_t(), 40) != 0;
}

}  // namespace

TEST_CASE("characters: p = 2 q + 1 and q are prime, g has order q") {
  for (const bool large : {false, true})
    for (const Ring ring : kRings) {
      std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
      for (std::size_t k = 0; k < 40; ++k) {
        const Character c = large ? large_character(ring, k) : small_character(ring, k);
        CAPTURE(k);
        CAPTURE(c.p);
        CHECK(c.p == 2 * c.q + 1);
        CHECK(prime(c.p));
        CHECK(prime(c.q));
        CHECK(c.p < (std::uint64_t{1} << (large ? 60 : 23)));
        CHECK(c.g > 1);
        CHECK(c.g < c.p);
        // q is prime, so the order is q when it divides q and is not 1.
        CHECK(test::textbook_power(c.g, c.q, c.p) == 1);
        if (ring == Ring::two) {
          CHECK(c.g == 2);
          CHECK(c.p % 8 == 7);
        }
        CHECK(seen.emplace(c.p, c.g).second);  // trying again is worth something
      }
    }
}

TEST_CASE("2 has order q mod a safe prime exactly when p = 7 mod 8") {
  for (std::uint64_t p = 11; p < 5000; ++p)
    if (prime(p) && prime((p - 1) / 2)) CHECK((test::textbook_power(2, (p - 1) / 2, p) == 1) == (p % 8 == 7));
}

TEST_CASE("the same character every time") {
  for (const Ring ring : kRings)
    for (std::size_t k = 0; k < 5; ++k) {
      const Character a = small_character(ring, k), b = small_character(ring, k);
      CHECK(a.p == b.p);
      CHECK(a.g == b.g);
    }
}

TEST_CASE("tables of powers") {
  CHECK_THROWS_AS(PowerTable({2147483579, 1073741789, 4}), std::logic_error);  // products above 2^53

  const Character tiny[] = {{7, 3, 2}, {11, 5, 4}, {23, 11, 2}, {47, 23, 2}};
  for (const Character& c : tiny) {
    REQUIRE(prime(c.p));
    REQUIRE(prime(c.q));
    const PowerTable table(c);
    for (std::uint64_t x = 0; x < std::min<std::uint64_t>(c.q, 1000); ++x)
      CHECK(table(x) == power_mod(c.g, x, c.p));
    CHECK(table(c.q - 1) == power_mod(c.g, c.q - 1, c.p));
  }
  test::Random random(1);
  for (const Ring ring : kRings) {
    const Character c = small_character(ring, 1);
    const PowerTable table(c);
    for (int trial = 0; trial < 2000; ++trial) {
      const std::uint64_t x = random.below(c.q);
      CHECK(table(x) == test::textbook_power(c.g, x, c.p));
    }
    // Many at once, 0 and the largest residues of both signs among them; more than one buffer.
    const double half = static_cast<double>(c.q / 2);
    std::vector<double> logits = {0, half, -half, 1, -1};
    while (logits.size() < 700) logits.push_back(blas::balanced(random.below(c.q), c.q));
    std::vector<double> powers = logits;
    table.replace(powers);
    for (std::size_t k = 0; k < logits.size(); ++k)
      CHECK(powers[k] == blas::balanced(table(blas::unbalanced(logits[k], c.q)), c.p));
    table.replace({});
  }
}
