#include "search/arithmetic/rational.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

// Rank exactly r, by [I; *] [I *] with permuted rows and columns.
RationalMatrix of_rank(Random& random, std::size_t m, std::size_t n, std::size_t r, long denominator) {
  RationalMatrix left = random.matrix(m, r, 5, denominator), right = random.matrix(r, n, 5, denominator);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t k = 0; k < r; ++k) left(i, k) = right(i, k) = i == k ? 1 : 0;
  const RationalMatrix a = test::product(left, right);
  RationalMatrix scrambled(m, n);
  const auto rows = random.permutation(m), cols = random.permutation(n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) scrambled(rows[i], cols[j]) = a(i, j);
  return scrambled;
}

mpq_class row_times(const RationalMatrix& a, std::size_t i, const RationalVector& x) {
  const std::vector<mpq_class> v = entries(x);
  REQUIRE(v.size() == a.cols());
  mpq_class sum = 0;
  for (std::size_t j = 0; j < a.cols(); ++j) sum += a(i, j) * v[j];
  return sum;
}

void check_relation(const RationalMatrix& a, const RowRelation& relation) {
  REQUIRE(relation.rows.size() == relation.relation.size());
  REQUIRE(!relation.rows.empty());
  for (std::size_t k = 0; k < relation.rows.size(); ++k) {
    CHECK(relation.relation[k] != 0);
    REQUIRE(relation.rows[k] < a.rows());
    if (k > 0) CHECK(relation.rows[k - 1] < relation.rows[k]);
  }
  for (std::size_t j = 0; j < a.cols(); ++j) {
    mpq_class sum = 0;
    for (std::size_t k = 0; k < relation.rows.size(); ++k)
      sum += relation.relation[k] * a(relation.rows[k], j);
    CHECK(sum == 0);
  }
  // A circuit: without any one of them the rows are independent.
  for (std::size_t k = 0; k < relation.rows.size(); ++k) {
    std::vector<std::size_t> rest = relation.rows;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    CHECK(test::textbook_rank(test::rows_of(a, rest)) == rest.size());
  }
}

}  // namespace

TEST_CASE("rows of arrays, of every storage") {
  const ExactArray doubles({3, 2}, std::vector<double>{0.5, 0.1, -2, 3, 4, 5});
  const RationalMatrix m = rational_rows(doubles, 2, 1, 2);
  CHECK(m.rows() == 2);
  CHECK(m(0, 0) == -2);
  CHECK(m(1, 1) == 5);
  CHECK(rational_rows(doubles, 2, 0, 1)(0, 1) == mpq_class(0.1));
  CHECK(rational_rows(doubles, 2, 0, 1)(0, 1) != mpq_class(1, 10));
  const ExactArray integers({1, 3}, std::vector<std::int64_t>{-1, 0, 7});
  CHECK(rational_rows(integers, 3, 0, 1)(0, 2) == 7);
  CHECK(rational_rows(integers, 1, 1, 2)(1, 0) == 7);
}

TEST_CASE("primitive rows") {
  RationalMatrix a(4, 2);
  a(0, 0) = mpq_class(1, 2), a(0, 1) = mpq_class(1, 3);
  a(1, 0) = -4, a(1, 1) = 6;
  a(3, 1) = mpq_class(-7, 5);
  const Matrix<mpz_class> p = primitive_rows(a);
  CHECK(p(0, 0) == 3);
  CHECK(p(0, 1) == 2);
  CHECK(p(1, 0) == -2);
  CHECK(p(1, 1) == 3);
  CHECK(p(2, 0) == 0);
  CHECK(p(2, 1) == 0);
  CHECK(p(3, 1) == -1);
}

TEST_CASE("rank: planted, and against elimination with fractions") {
  FOR_SEEDS(80, 0) {
    const std::size_t m = random.between(1, 7), n = random.between(1, 7),
                      r = random.between(0, std::min(m, n));
    CHECK(rank(of_rank(random, m, n, r, 4)) == r);
    const RationalMatrix a = random.matrix(m, n, 1, 2);
    CHECK(rank(a) == test::textbook_rank(a));
  }
  CHECK(rank(RationalMatrix(3, 4)) == 0);
  CHECK(rank(RationalMatrix(0, 0)) == 0);
}

TEST_CASE("right inverses and solutions, or none when the rows are dependent") {
  FOR_SEEDS(80, 100) {
    const std::size_t m = random.between(1, 6), n = random.between(1, 8),
                      r = random.between(0, std::min(m, n));
    const RationalMatrix a = of_rank(random, m, n, seed % 2 == 0 ? std::min(m, n) : r, 6);
    const bool full = test::textbook_rank(a) == m;
    const auto inverse = right_inverse(a);
    REQUIRE(inverse.has_value() == full);
    std::vector<mpq_class> b;
    for (std::size_t i = 0; i < m; ++i) b.push_back(random.rational(9, 9));
    const auto x = solve_full_row_rank(a, b);
    REQUIRE(x.has_value() == full);
    if (!full) continue;
    REQUIRE(inverse->size() == m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) CHECK(row_times(a, i, (*inverse)[j]) == (i == j ? 1 : 0));
      CHECK(row_times(a, i, *x) == b[i]);
    }
    // The support is that of a column basis: at most m coordinates are used.
    std::size_t used = 0;
    for (std::size_t j = 0; j < n; ++j) {
      bool any = false;
      for (const RationalVector& column : *inverse) any = any || column.num[j] != 0;
      used += any ? 1 : 0;
    }
    CHECK(used <= m);
  }
  RationalMatrix one(1, 1);
  CHECK_FALSE(right_inverse(one).has_value());
  CHECK_FALSE(solve_full_row_rank(one, {1}).has_value());
  one(0, 0) = mpq_class(-2, 3);
  CHECK(entries(right_inverse(one)->front()) == std::vector<mpq_class>{mpq_class(-3, 2)});
  CHECK_FALSE(right_inverse(RationalMatrix(2, 1)).has_value());
  CHECK(right_inverse(RationalMatrix(0, 3))->empty());
}

TEST_CASE("square systems over Q") {
  FOR_SEEDS(60, 200) {
    const std::size_t n = random.between(1, 7), k = random.between(1, 3);
    const RationalMatrix a = of_rank(random, n, n, n - (seed % 3 == 0 ? 1 : 0), 5),
                         x = random.matrix(n, k, 9, 9);
    const auto solution = solve(a, test::product(a, x));
    REQUIRE(solution.has_value() == (seed % 3 != 0));
    if (!solution) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < k; ++j) CHECK((*solution)(i, j) == x(i, j));
  }
}

TEST_CASE("relations of rows are circuits, one for each dependent row") {
  FOR_SEEDS(100, 300) {
    const std::size_t m = random.between(1, 8), n = random.between(1, 6),
                      r = random.between(0, std::min(m, n));
    RationalMatrix a = of_rank(random, m, n, r, 4);
    if (seed % 4 == 0) {  // zero rows and repeated rows are circuits too
      for (std::size_t j = 0; j < n; ++j) a(m - 1, j) = 0;
      if (m > 2)
        for (std::size_t j = 0; j < n; ++j) a(1, j) = mpq_class(-2, 7) * a(0, j);
    }
    const std::size_t rank_of_a = test::textbook_rank(a);
    const auto circuits = fundamental_circuits(a);
    CHECK(circuits.size() == m - rank_of_a);
    for (const RowRelation& c : circuits) check_relation(a, c);
    const auto relation = row_relation(a);
    REQUIRE(relation.has_value() == (rank_of_a < m));
    if (!relation) continue;
    check_relation(a, *relation);
    for (const RowRelation& c : circuits) CHECK(relation->rows.size() <= c.rows.size());
  }
  CHECK_FALSE(row_relation(RationalMatrix(0, 3)).has_value());
  CHECK(row_relation(RationalMatrix(1, 1))->rows == std::vector<std::size_t>{0});
}

TEST_CASE("right kernels: dimension, identity, primitive integers") {
  FOR_SEEDS(80, 400) {
    const std::size_t m = random.between(1, 6), n = random.between(1, 7),
                      r = random.between(0, std::min(m, n));
    const RationalMatrix a = of_rank(random, m, n, r, 4);
    const auto kernel = right_kernel(a);
    REQUIRE(kernel.size() == n - r);
    RationalMatrix basis(n - r, n);
    for (std::size_t k = 0; k < kernel.size(); ++k) {
      mpz_class g = 0;
      for (std::size_t j = 0; j < n; ++j) {
        basis(k, j) = kernel[k][j];
        g = gcd(g, kernel[k][j]);
      }
      CHECK(g == 1);
      for (std::size_t i = 0; i < m; ++i) CHECK(row_times(a, i, RationalVector(kernel[k], 1)) == 0);
    }
    CHECK(test::textbook_rank(basis) == n - r);
  }
  CHECK(right_kernel(RationalMatrix(2, 3)).size() == 3);
}
