#include "search/arithmetic/group_ring.hpp"

#include "base/errors.hpp"
#include "tests/exact/residues.hpp"

using namespace attest;
using test::kRings;
using test::Random;

namespace {

kernel::PowerSums sums(Ring ring) {
  return {ring == Ring::two};
}

RingElement random_element(Random& random, Ring ring, std::size_t terms, long denominator) {
  RingElement e;
  for (std::size_t k = 0; k < terms; ++k)
    sums(ring).add_term(e, random.rational(6, 3), random.rational(5, denominator));
  return e;
}

bool annihilates(const GroupRingMatrix& a, const std::vector<RingElement>& x, Ring ring) {
  for (const auto& row : a) {
    RingElement sum;
    for (std::size_t j = 0; j < x.size(); ++j) sums(ring).add(sum, sums(ring).multiply(row[j], x[j]), 1);
    if (!sum.empty()) return false;
  }
  return true;
}

std::size_t rank_of_image(const GroupRingMatrix& a, std::size_t cols, const Character& c) {
  ModularMatrix m(a.size(), cols);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < cols; ++j) m(i, j) = *image_of(a[i][j], c);
  return test::textbook_rank_mod(m, c.p);
}

}  // namespace

TEST_CASE("powers of two that cannot be expanded are refused, not computed") {
  const mpq_class large(mpz_class("100000000000000000000000"));
  CHECK_THROWS_AS(expanded(sums(Ring::two), {0, large}), LimitError);
  CHECK_THROWS_AS(expanded(sums(Ring::two), {-2000000}), LimitError);
  CHECK(expanded(sums(Ring::two), {1000}).sum.size() == 1);
  CHECK(expanded(sums(Ring::independent), {0, large}).sum.size() == 2);
}

TEST_CASE("characters are homomorphisms") {
  for (const Ring ring : kRings)
    FOR_SEEDS(60, 0) {
      const Character c = seed % 2 == 0 ? small_character(ring, seed) : large_character(ring, seed % 5);
      const RingElement a = random_element(random, ring, random.between(0, 6), 6),
                        b = random_element(random, ring, random.between(0, 6), 6);
      RingElement sum = a;
      sums(ring).add(sum, b, 1);
      const auto x = image_of(a, c), y = image_of(b, c);
      REQUIRE(x.has_value());
      REQUIRE(y.has_value());
      CHECK(image_of(sums(ring).multiply(a, b), c) == multiply_mod(*x, *y, c.p));
      CHECK(image_of(sum, c) == (*x + *y) % c.p);
      CHECK(image_of({{0, mpq_class(-3, 4)}}, c) == residue(mpq_class(-3, 4), c.p));
      CHECK(image_of(sums(ring).power(3), c) == test::textbook_power(c.g, 3, c.p));
    }
}

TEST_CASE("an image needs denominators prime to p and q") {
  const Character c{23, 11, 2};
  CHECK_FALSE(image_of({{1, mpq_class(1, 23)}}, c).has_value());
  CHECK_FALSE(image_of({{mpq_class(1, 11), 1}}, c).has_value());
  CHECK(image_of({{mpq_class(1, 23), mpq_class(1, 11)}}, c).has_value());
  CHECK(*image_of({}, c) == 0);
}

TEST_CASE("kernels of small matrices by hand") {
  for (const Ring ring : kRings) {
    // (1, b^(1/2)): the kernel is spanned by (b^(1/2), -1).
    const RingElement one = sums(ring).power(0), root = sums(ring).power(mpq_class(1, 2));
    const GroupRingMatrix a = {{one, root}};
    const auto kernel = right_kernel(a, 2, ring, 1000);
    REQUIRE(kernel.has_value());
    for (const auto& x : *kernel) CHECK(annihilates(a, x, ring));
    CHECK(kernel->size() ==
          (ring == Ring::two ? 2 : 1));  // over Q(2^(1/2)) as a space over Q, two vectors on one line
    GroupRingMatrix spanned;
    for (const auto& x : *kernel) spanned.push_back(x);
    CHECK(rank_of_image(spanned, 2, small_character(ring, 0)) == 1);

    // [[1, r], [r, b]] with r = b^(1/2) is singular; [[1, r], [r, b + 1]] is not.
    const GroupRingMatrix singular = {{one, root}, {root, sums(ring).power(1)}};
    const GroupRingMatrix regular = {{one, root}, {root, expanded(sums(ring), {1, 0}).sum}};
    CHECK_FALSE(right_kernel(singular, 2, ring, 1000)->empty());
    CHECK(right_kernel(regular, 2, ring, 1000)->empty());
  }
  // [[1, 2^(1/2)], [2^(1/2), 2]]: singular in base 2 because 2^(1/2) 2^(1/2) = 2; [[1, r], [r, 2]] is regular
  // for b = e.
  auto matrix = [](Ring ring) {
    const RingElement root = sums(ring).power(mpq_class(1, 2));
    return GroupRingMatrix{{{{0, 1}}, root}, {root, {{0, 2}}}};
  };
  CHECK_FALSE(right_kernel(matrix(Ring::two), 2, Ring::two, 1000)->empty());
  CHECK(right_kernel(matrix(Ring::independent), 2, Ring::independent, 1000)->empty());
}

TEST_CASE("kernels of random matrices of planted rank") {
  for (const Ring ring : kRings)
    FOR_SEEDS(25, 100) {
      const std::size_t m = random.between(1, 4), n = random.between(1, 4),
                        r = random.between(0, std::min(m, n));
      const long denominator = ring == Ring::two ? 3 : 4;
      // [I; *] [I *], scaled by units: rank r.
      GroupRingMatrix a(m, std::vector<RingElement>(n));
      GroupRingMatrix left(m), right(r);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k < r; ++k)
          left[i].push_back(i < r
                                ? (i == k ? sums(ring).power(random.rational(2, denominator)) : RingElement())
                                : random_element(random, ring, 2, denominator));
      for (std::size_t k = 0; k < r; ++k)
        for (std::size_t j = 0; j < n; ++j)
          right[k].push_back(j < r ? (j == k ? sums(ring).power(0) : RingElement())
                                   : random_element(random, ring, 2, denominator));
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t k = 0; k < r; ++k)
            sums(ring).add(a[i][j], sums(ring).multiply(left[i][k], right[k][j]), 1);
      const auto kernel = right_kernel(a, n, ring, 2000);
      REQUIRE(kernel.has_value());
      for (const auto& x : *kernel) CHECK(annihilates(a, x, ring));
      GroupRingMatrix spanned;
      for (const auto& x : *kernel) spanned.push_back(x);
      const Character c = large_character(ring, 0);
      CHECK((spanned.empty() ? 0 : rank_of_image(spanned, n, c)) == n - r);
      CHECK(rank_of_image(a, n, c) == r);
      if (ring != Ring::two) CHECK(kernel->size() == n - r);
    }
}

TEST_CASE("kernels that would take too much are not looked for") {
  const GroupRingMatrix far = {{{{0, 1}}, {{5000, 1}}}};
  CHECK_FALSE(right_kernel(far, 2, Ring::independent, 1000).has_value());
  CHECK(right_kernel(far, 2, Ring::independent, 5000).has_value());
  const GroupRingMatrix fine = {{{{mpq_class(1, 997), 1}}, {{0, 1}}}};
  CHECK_FALSE(right_kernel(fine, 2, Ring::two, 1000).has_value());
}
