#include "search/arithmetic/group_ring.hpp"

#include "base/errors.hpp"
#include "search/arithmetic/modular.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

constexpr Ring kRings[] = {Ring::exponential, Ring::irrational_power, Ring::two};

GroupRingElement element(Ring ring, const std::vector<std::pair<mpq_class, mpq_class>>& terms) {
  GroupRingElement e(ring);
  for (const auto& [c, x] : terms) e.add(c, x);
  return e;
}

GroupRingElement random_element(Random& random, Ring ring, std::size_t terms, long denominator) {
  GroupRingElement e(ring);
  for (std::size_t k = 0; k < terms; ++k) e.add(random.rational(6, 3), random.rational(5, denominator));
  return e;
}

bool annihilates(const GroupRingMatrix& a, const std::vector<GroupRingElement>& x, Ring ring) {
  for (const auto& row : a) {
    GroupRingElement sum(ring);
    for (std::size_t j = 0; j < x.size(); ++j) sum += row[j] * x[j];
    if (!sum.is_zero()) return false;
  }
  return true;
}

std::size_t rank_of_image(const GroupRingMatrix& a, std::size_t cols, const Character& c) {
  ModularMatrix m(a.size(), cols);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < cols; ++j) m(i, j) = *a[i][j].image(c);
  return test::textbook_rank_mod(m, c.p);
}

}  // namespace

TEST_CASE("2^(1/2) 2^(1/2) = 2 in base 2, and nowhere else") {
  const GroupRingElement root(Ring::two, 1, mpq_class(1, 2));
  CHECK(element(Ring::two, {{2, 0}}).terms() == (root * root).terms());
  CHECK(element(Ring::two, {{1, mpq_class(7, 2)}}).terms() ==
        element(Ring::two, {{8, mpq_class(1, 2)}}).terms());
  CHECK(element(Ring::two, {{1, mpq_class(-1, 3)}}).terms() ==
        element(Ring::two, {{mpq_class(1, 2), mpq_class(2, 3)}}).terms());
  CHECK(element(Ring::two, {{1, -3}, {mpq_class(-1, 8), 0}}).is_zero());
  for (const Ring ring : {Ring::exponential, Ring::irrational_power}) {
    const GroupRingElement half(ring, 1, mpq_class(1, 2));
    CHECK(element(ring, {{1, 1}}).terms() == (half * half).terms());
    CHECK_FALSE(element(ring, {{1, 1}, {-2, 0}}).is_zero());
    CHECK_FALSE(element(ring, {{1, -3}, {mpq_class(-1, 8), 0}}).is_zero());
  }
}

TEST_CASE("a sum is zero exactly when all terms cancel") {
  for (const Ring ring : kRings) {
    CHECK(GroupRingElement(ring).is_zero());
    CHECK(element(ring, {{0, 5}}).is_zero());
    CHECK(element(ring,
                  {{1, mpq_class(1, 3)}, {2, mpq_class(1, 5)}, {-1, mpq_class(1, 3)}, {-2, mpq_class(1, 5)}})
              .is_zero());
    CHECK_FALSE(element(ring, {{1, mpq_class(1, 3)}, {-1, mpq_class(1, 5)}}).is_zero());
    // (b^x - 1)(b^x + 1) = b^2x - 1
    const GroupRingElement minus = element(ring, {{1, mpq_class(2, 7)}, {-1, 0}}),
                           plus = element(ring, {{1, mpq_class(2, 7)}, {1, 0}});
    GroupRingElement difference = minus * plus;
    difference += element(ring, {{-1, mpq_class(4, 7)}, {1, 0}});
    CHECK(difference.is_zero());
  }
}

TEST_CASE("powers of two that cannot be expanded are refused, not computed") {
  GroupRingElement e(Ring::two);
  CHECK_THROWS_AS(e.add(1, mpq_class(mpz_class("100000000000000000000000"))), LimitError);
  CHECK_THROWS_AS(e.add(1, -2000000), LimitError);
  CHECK_NOTHROW(e.add(1, 1000));
  GroupRingElement f(Ring::exponential);
  CHECK_NOTHROW(f.add(1, mpq_class(mpz_class("100000000000000000000000"))));
}

TEST_CASE("characters are homomorphisms") {
  for (const Ring ring : kRings)
    FOR_SEEDS(60, 0) {
      const Character c = seed % 2 == 0 ? small_character(ring, seed) : large_character(ring, seed % 5);
      const GroupRingElement a = random_element(random, ring, random.between(0, 6), 6),
                             b = random_element(random, ring, random.between(0, 6), 6);
      GroupRingElement sum = a;
      sum += b;
      const auto x = a.image(c), y = b.image(c);
      REQUIRE(x.has_value());
      REQUIRE(y.has_value());
      CHECK((a * b).image(c) == multiply_mod(*x, *y, c.p));
      CHECK(sum.image(c) == (*x + *y) % c.p);
      CHECK(element(ring, {{mpq_class(-3, 4), 0}}).image(c) == residue(mpq_class(-3, 4), c.p));
      CHECK(element(ring, {{1, 3}}).image(c) == test::textbook_power(c.g, 3, c.p));
      // q times x is x^q = 1; 2^q = 1 is why g = 2 has to have order q.
      CHECK(multiply_mod(*element(ring, {{1, mpq_class(1, 5)}}).image(c),
                         *element(ring, {{1, mpq_class(4, 5)}}).image(c),
                         c.p) == *element(ring, {{1, 1}}).image(c));
    }
}

TEST_CASE("an image needs denominators prime to p and q") {
  const Character c{23, 11, 2};
  CHECK_FALSE(element(Ring::exponential, {{mpq_class(1, 23), 1}}).image(c).has_value());
  CHECK_FALSE(element(Ring::exponential, {{1, mpq_class(1, 11)}}).image(c).has_value());
  CHECK(element(Ring::exponential, {{mpq_class(1, 11), mpq_class(1, 23)}}).image(c).has_value());
  CHECK(*GroupRingElement(Ring::exponential).image(c) == 0);
}

TEST_CASE("kernels of small matrices by hand") {
  for (const Ring ring : kRings) {
    // (1, b^(1/2)): the kernel is spanned by (b^(1/2), -1).
    const GroupRingElement one(ring, 1, 0), root(ring, 1, mpq_class(1, 2));
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
    const GroupRingMatrix singular = {{one, root}, {root, GroupRingElement(ring, 1, 1)}};
    const GroupRingMatrix regular = {{one, root}, {root, element(ring, {{1, 1}, {1, 0}})}};
    CHECK_FALSE(right_kernel(singular, 2, ring, 1000)->empty());
    CHECK(right_kernel(regular, 2, ring, 1000)->empty());
  }
  // [[1, 2^(1/2)], [2^(1/2), 2]]: singular in base 2 because 2^(1/2) 2^(1/2) = 2; [[1, r], [r, 2]] is regular
  // for b = e.
  auto matrix = [](Ring ring) {
    return GroupRingMatrix{{GroupRingElement(ring, 1, 0), GroupRingElement(ring, 1, mpq_class(1, 2))},
                           {GroupRingElement(ring, 1, mpq_class(1, 2)), GroupRingElement(ring, 2, 0)}};
  };
  CHECK_FALSE(right_kernel(matrix(Ring::two), 2, Ring::two, 1000)->empty());
  CHECK(right_kernel(matrix(Ring::exponential), 2, Ring::exponential, 1000)->empty());
  CHECK(right_kernel(matrix(Ring::irrational_power), 2, Ring::irrational_power, 1000)->empty());
}

TEST_CASE("kernels of random matrices of planted rank") {
  for (const Ring ring : kRings)
    FOR_SEEDS(25, 100) {
      const std::size_t m = random.between(1, 4), n = random.between(1, 4),
                        r = random.between(0, std::min(m, n));
      const long denominator = ring == Ring::two ? 3 : 4;
      // [I; *] [I *], scaled by units: rank r.
      GroupRingMatrix a(m, std::vector<GroupRingElement>(n, GroupRingElement(ring)));
      GroupRingMatrix left(m), right(r);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k < r; ++k)
          left[i].push_back(i < r ? (i == k ? GroupRingElement(ring, 1, random.rational(2, denominator))
                                            : GroupRingElement(ring))
                                  : random_element(random, ring, 2, denominator));
      for (std::size_t k = 0; k < r; ++k)
        for (std::size_t j = 0; j < n; ++j)
          right[k].push_back(j < r ? (j == k ? GroupRingElement(ring, 1, 0) : GroupRingElement(ring))
                                   : random_element(random, ring, 2, denominator));
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t k = 0; k < r; ++k) a[i][j] += left[i][k] * right[k][j];
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
  const GroupRingMatrix far = {
      {GroupRingElement(Ring::exponential, 1, 0), GroupRingElement(Ring::exponential, 1, 5000)}};
  CHECK_FALSE(right_kernel(far, 2, Ring::exponential, 1000).has_value());
  CHECK(right_kernel(far, 2, Ring::exponential, 5000).has_value());
  const GroupRingMatrix fine = {
      {GroupRingElement(Ring::two, 1, mpq_class(1, 997)), GroupRingElement(Ring::two, 1, 0)}};
  CHECK_FALSE(right_kernel(fine, 2, Ring::two, 1000).has_value());
}
