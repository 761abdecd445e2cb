#include "problem/exact_array.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace attest {
namespace {

TEST_CASE("entries are exact in every storage") {
  const ExactArray doubles({2, 2}, std::vector<double>{0.1, -0.0, 5e-324, 1.7976931348623157e308});
  CHECK(doubles.size() == 4);
  CHECK(doubles.at(0) == mpq_class("3602879701896397/36028797018963968"));
  CHECK(doubles.at(1) == 0);
  CHECK(doubles.at(2) == mpq_class(1, mpz_class(1) << 1074));
  CHECK(doubles.at(3) == mpq_class((mpz_class(1) << 1024) - (mpz_class(1) << 971)));

  const ExactArray floats({3}, std::vector<float>{0.1F, 0x1p-149F, -2});
  CHECK(floats.at(0) == mpq_class(13421773, 134217728));
  CHECK(floats.at(1) == mpq_class(1, mpz_class(1) << 149));
  CHECK(floats.bytes() == 12);
  CHECK(doubles.bytes() == 32);
  CHECK(ExactArray(floats).reshaped({3, 1}).shape() == std::vector<std::size_t>{3, 1});

  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  const ExactArray integers({3}, std::vector<std::int64_t>{lowest, 0, -(lowest + 1)});
  CHECK(integers.at(0) == mpq_class("-9223372036854775808"));
  CHECK(integers.at(2) == mpq_class("9223372036854775807"));

  const ExactArray rationals({1, 1}, std::vector<mpq_class>{mpq_class(1, 3)});
  CHECK(rationals.at(0) == mpq_class(1, 3));
  CHECK(ExactArray().size() == 0);
}

TEST_CASE("shapes are printed as numpy does") {
  CHECK(shape_text({}) == "()");
  CHECK(shape_text({7}) == "(7,)");
  CHECK(shape_text({3, 4}) == "(3, 4)");
}

}  // namespace
}  // namespace attest
