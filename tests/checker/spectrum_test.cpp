// Exact counts of eigenvalues.
#include "checker/spectrum.hpp"

#include <doctest/doctest.h>

using namespace attest::checker;

namespace {

void check_count(const RationalMatrix& matrix, const Rational& mu, std::size_t above, std::size_t equal) {
  const EigenvalueCount count = count_eigenvalues(matrix, mu);
  CHECK(count.above == above);
  CHECK(count.equal == equal);
}

}  // namespace

TEST_CASE("eigenvalues of diagonal matrices") {
  const RationalMatrix diagonal = {{3, 0, 0, 0}, {0, -2, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 0}};
  check_count(diagonal, 0, 2, 1);
  check_count(diagonal, 3, 0, 2);
  check_count(diagonal, Rational(5, 2), 2, 0);
  check_count(diagonal, -2, 3, 1);
  check_count(diagonal, -3, 4, 0);
  check_count(diagonal, 4, 0, 0);
  check_count({{Rational(1, 3)}}, Rational(1, 3), 0, 1);
}

TEST_CASE("irrational eigenvalues") {
  const RationalMatrix golden = {{1, 1}, {1, 0}};  // 1.618..., -0.618...
  check_count(golden, Rational(1618, 1000), 1, 0);
  check_count(golden, Rational(1619, 1000), 0, 0);
  check_count(golden, Rational(-618, 1000), 1, 0);
  check_count(golden, Rational(-619, 1000), 2, 0);
}

TEST_CASE("every diagonal matrix turned by a rational rotation keeps its eigenvalues") {
  // Q = [3 -4; 4 3] / 5
  for (int a = -3; a <= 3; ++a) {
    for (int b = -3; b <= 3; ++b) {
      const Rational x(9 * a + 16 * b, 25), y(12 * a - 12 * b, 25), z(16 * a + 9 * b, 25);
      for (int mu = -4; mu <= 4; ++mu) {
        const auto is_above = [&](int value) { return static_cast<std::size_t>(value > mu); };
        const auto is_equal = [&](int value) { return static_cast<std::size_t>(value == mu); };
        check_count({{x, y}, {y, z}}, mu, is_above(a) + is_above(b), is_equal(a) + is_equal(b));
      }
    }
  }
}

TEST_CASE("Gram matrices take the shorter side") {
  const auto row = [](const std::vector<Rational>& entries) { return Vector(entries); };
  CHECK(gram({row({1, 2, 0})}) == RationalMatrix{{5}});
  CHECK(gram({row({1}), row({Rational(1, 2)})}) == RationalMatrix{{Rational(5, 4)}});
  CHECK(gram({row({1, 2}), row({3, 4})}) == RationalMatrix{{5, 11}, {11, 25}});
}
