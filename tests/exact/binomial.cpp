#include "search/arithmetic/binomial.hpp"

#include <cmath>

#include "tests/support.hpp"

using namespace attest;

TEST_CASE("Clopper-Pearson intervals, as tables have them") {
  const auto near = [](const mpq_class& end, double expected, double rounding) {
    // Outwards, to a multiple of 2^-20.
    CHECK(end.get_d() == doctest::Approx(expected).epsilon(1e-4));
    CHECK(std::fabs(end.get_d() - expected) <= rounding);
  };
  const Share three = clopper_pearson(3, 3, 10);
  near(three.lower, 0.0667395, 2e-6);
  near(three.upper, 0.6524529, 2e-6);
  const Share none = clopper_pearson(0, 0, 5000);
  CHECK(none.lower == 0);
  near(none.upper, 1 - std::pow(0.025, 1.0 / 5000), 1e-6);
  CHECK(none.upper.get_d() > 1 - std::pow(0.025, 1.0 / 5000));
  const Share all = clopper_pearson(20, 20, 20);
  CHECK(all.upper == 1);
  CHECK(all.lower.get_d() < std::pow(0.025, 1.0 / 20));
  near(all.lower, std::pow(0.025, 1.0 / 20), 1e-6);
}

TEST_CASE("what is open widens the interval on both sides") {
  const Share narrow = clopper_pearson(4, 4, 30), wide = clopper_pearson(4, 9, 30);
  CHECK(wide.lower == narrow.lower);
  CHECK(wide.upper > narrow.upper);
  CHECK(wide.upper == clopper_pearson(9, 9, 30).upper);
  const Share one = clopper_pearson(0, 1, 1);
  CHECK(one.lower == 0);
  CHECK(one.upper == 1);
}
