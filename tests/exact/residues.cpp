#include "search/arithmetic/residues.hpp"

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "search/arithmetic/modular.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

const std::uint64_t kModuli[] = {3, 5, 7, 101, 4194301, 8388593, 16777213};

template <class Real>
std::size_t wrong_residues(const std::vector<Real>& values, std::uint64_t p) {
  std::vector<double> out(values.size());
  BalancedResidues(p).convert(values.data(), values.size(), out.data());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (out[i] != blas::balanced(*residue(mpq_class(values[i]), p), p)) ++wrong;
  return wrong;
}

}  // namespace

TEST_CASE("balanced residues of binary32: every sign and exponent, extreme and random mantissas") {
  Random random(1);
  std::vector<float> values;
  for (std::uint32_t top = 0; top < 512; ++top) {
    if ((top & 255) == 255) continue;  // infinities and NaN
    for (std::uint32_t mantissa :
         {0u, 1u, 0x400000u, 0x7FFFFFu, static_cast<std::uint32_t>(random.below(1 << 23))})
      values.push_back(std::bit_cast<float>(top << 23 | mantissa));
  }
  for (std::uint64_t p : kModuli) {
    CAPTURE(p);
    CHECK(wrong_residues(values, p) == 0);
  }
}

TEST_CASE("balanced residues of binary64: every sign and exponent, extreme and random mantissas") {
  Random random(2);
  std::vector<double> values;
  const std::uint64_t all = (std::uint64_t{1} << 52) - 1;
  for (std::uint64_t top = 0; top < 4096; ++top) {
    if ((top & 2047) == 2047) continue;
    for (std::uint64_t mantissa : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x3FFFFFF},
                                   all ^ 0x3FFFFFF, all, random.below(all + 1)})
      values.push_back(std::bit_cast<double>(top << 52 | mantissa));
  }
  for (std::uint64_t p :
       {std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{8388593}, std::uint64_t{16777213}}) {
    CAPTURE(p);
    CHECK(wrong_residues(values, p) == 0);
  }
}

TEST_CASE("balanced residues of integers and rationals, a denominator that p divides is refused") {
  const std::vector<std::int64_t> integers = {0,
                                              1,
                                              -1,
                                              7,
                                              -7,
                                              3,
                                              4,
                                              -3,
                                              -4,
                                              std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max()};
  for (std::uint64_t p : kModuli) {
    std::vector<double> out(integers.size());
    BalancedResidues(p).convert(integers.data(), integers.size(), out.data());
    for (std::size_t i = 0; i < integers.size(); ++i)
      CHECK(out[i] == blas::balanced(*residue(mpq_class(mpz_class(std::to_string(integers[i]))), p), p));
  }
  const ExactArray array({3}, std::vector<mpq_class>{mpq_class(1, 3), mpq_class(5, 14), mpq_class(-1, 3)});
  double out[3];
  CHECK_FALSE(BalancedResidues(7).convert(array, 0, 3, out));
  CHECK(BalancedResidues(7).convert(array, 2, 1, out));
  CHECK(out[0] == 2);  // 3 * 2 = -1
  CHECK(BalancedResidues(11).convert(array, 0, 3, out));
  CHECK(out[0] == 4);
  CHECK(out[1] == -2);
  CHECK(out[2] == -4);
  CHECK_FALSE(invertible_denominators(array, 7));
  CHECK_FALSE(invertible_denominators(array, 3));
  CHECK(invertible_denominators(array, 11));
  const ExactArray floats({2}, std::vector<double>{0.1, 5e-324});
  CHECK(invertible_denominators(floats, 3));
  CHECK(BalancedResidues(7).convert(floats, 1, 1, out));
  CHECK(out[0] == blas::balanced(*residue(mpq_class(5e-324), 7), 7));
}

TEST_CASE("reduction is right at the ends of its range, and says where they are") {
  for (std::uint64_t p : kModuli) {
    CAPTURE(p);
    const BalancedReduction reduce(p);
    const auto half = static_cast<double>(p / 2);
    Random random(p);
    std::vector<std::int64_t> values = {0, 1, static_cast<std::int64_t>(p),
                                        static_cast<std::int64_t>(reduce.largest())};
    for (std::int64_t k = 1; k < 40; ++k) {
      values.push_back(static_cast<std::int64_t>(reduce.largest()) - k);
      values.push_back(static_cast<std::int64_t>(p) * k / 2);  // halfway
      values.push_back((static_cast<std::int64_t>(reduce.largest()) / static_cast<std::int64_t>(p) - k) *
                           static_cast<std::int64_t>(p) +
                       static_cast<std::int64_t>(p / 2));
      values.push_back(static_cast<std::int64_t>(random.below(std::uint64_t{1} << 52)));
    }
    for (std::int64_t v : values)
      for (std::int64_t x : {v, -v, v + 1 <= reduce.largest() ? v + 1 : v}) {
        const std::uint64_t r = static_cast<std::uint64_t>(
            (x % static_cast<std::int64_t>(p) + static_cast<std::int64_t>(p)) % static_cast<std::int64_t>(p));
        CHECK(reduce(static_cast<double>(x)) == blas::balanced(r, p));
      }
    // The number of terms is exact: so many products and a residue fit, one more product does not.
    const mpz_class h(half), fits(reduce.largest());
    const mpz_class terms(static_cast<unsigned long>(reduce.terms()));
    CHECK(terms * h * h + h <= fits);
    CHECK((terms + 1) * h * h + h > fits);
    CHECK(fits + 2 * p <= mpz_class(std::to_string(std::uint64_t{1} << 53)));
  }
  CHECK(BalancedReduction(8388593).terms() >= 512);
  for (std::uint64_t p : {0u, 1u, 2u, 4u, 8388592u, 16777217u, 1u << 24})
    CHECK_THROWS_AS(BalancedReduction{p}, std::logic_error);
  CHECK_THROWS_AS(BalancedResidues{2}, std::logic_error);
}
