#include "readers/generate.hpp"

#include <doctest/doctest.h>

#include "base/sha256.hpp"
#include "problem/numbers.hpp"
#include "tests/input/support.hpp"

// The expected values come from an independent formulation: Python integers for SplitMix64 and rejection,
// and for the normal variates 80-digit decimals with series for pi and the cosine.

namespace attest {
namespace {

using Kind = Generator::Kind;

TEST_CASE("SplitMix64") {
  SplitMix64 zero(0, 0);
  for (const std::uint64_t expected :
       {0xe220a8397b1dcdafU, 0x6e789e6aa1b965f4U, 0x06c45d188009454fU, 0xf88bb8a8724c81ecU}) {
    CHECK(zero.next() == expected);
  }
  SplitMix64 seven(7, 1);
  for (const std::uint64_t expected : {0xb8612b39868111d7U, 0xc14414ff0f8ac5ddU, 0x0ab5679953132218U}) {
    CHECK(seven.next() == expected);
  }
  CHECK(SplitMix64((std::uint64_t{1} << 56) + 7, 1).next() == 0xb8612b39868111d7);  // modulo 2^64
}

TEST_CASE("below rejects the incomplete last block") {
  SplitMix64 random(5, 3);
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;  // about every second draw is rejected
  for (const std::uint64_t expected : {2112339496722607640U, 7917560360342368462U, 5888460578323844815U,
                                       6140592979257454311U, 1102323653124312867U}) {
    CHECK(random.below(bound) == expected);
  }
  SplitMix64 a(1, 1), b(1, 1);
  for (int i = 0; i < 100; ++i) CHECK(a.below(std::uint64_t{1} << 63) == b.next() % (std::uint64_t{1} << 63));
  CHECK(a.below(1) == 0);
}

TEST_CASE("integers") {
  const ExactArray array = Generator{Kind::integers, 7, 9, 9, 1}.draw({3, 4}, stream::contexts);
  CHECK(array.shape() == std::vector<std::size_t>{3, 4});
  CHECK(std::get<std::vector<std::int64_t>>(array.storage()) ==
        std::vector<std::int64_t>{6, -6, 8, 8, 8, -1, -3, 9, -7, 7, -6, 0});
  const ExactArray wide =
      Generator{Kind::integers, 11, 1'000'000'000'000'000'000, 9, 1}.draw({5000}, stream::key);
  CHECK(sha256_hex(test::raw(std::get<std::vector<std::int64_t>>(wide.storage()))) ==
        "1cc10508a718602ad4e62623fe82176db294b62e3783ad29b7acd7e02ddae1f4");
  const ExactArray scaled = Generator{Kind::integers, 7, 9, 9, mpq_class(-1, 4)}.draw({2}, stream::contexts);
  CHECK(scaled.at(0) == mpq_class(-3, 2));
  CHECK(scaled.at(1) == mpq_class(3, 2));
  const std::uint64_t largest = std::uint64_t{1} << 62;
  const ExactArray extreme = Generator{Kind::integers, 1, largest, 9, 1}.draw({100}, 1);
  for (std::size_t i = 0; i < 100; ++i) CHECK(abs(extreme.at(i)) <= largest);
}

TEST_CASE("rationals") {
  const ExactArray array = Generator{Kind::rationals, 7, 9, 5, 1}.draw({2, 3}, stream::queries);
  std::size_t flat = 0;
  for (const char* const expected : {"6/5", "-8", "7/4", "1/3", "3/4", "5"}) {
    CHECK(number_text(array.at(flat++)) == expected);
  }
  CHECK((Generator{Kind::rationals, 7, 9, 5, mpq_class(5, 6)}.draw({1}, stream::queries).at(0) == 1));
}

TEST_CASE("uniform and normal doubles") {
  const ExactArray uniform = Generator{Kind::uniform_f64, 3, 9, 9, 1}.draw({4}, stream::key);
  CHECK(std::get<std::vector<double>>(uniform.storage()) ==
        std::vector<double>{0x1.9c171c44fa0afp-1, 0x1.fd91ac642c2b8p-4, 0x1.e0f9448e40d82p-2,
                            0x1.80d669d35a552p-1});
  const ExactArray key = Generator{Kind::normal_f64, 1, 9, 9, 1}.draw({6}, stream::key);
  CHECK(std::get<std::vector<double>>(key.storage()) ==
        std::vector<double>{0x1.80778081f114ep-1, -0x1.147e599990600p-2, -0x1.62639a055df0fp-4,
                            0x1.0fcda6cf3512ep+1, -0x1.10e46ab1cfa30p+1, -0x1.4381a22fdd15cp+0});
  const ExactArray query = Generator{Kind::normal_f64, 1, 9, 9, 1}.draw({3}, stream::query);
  CHECK(std::get<std::vector<double>>(query.storage()) ==
        std::vector<double>{-0x1.fec7c6c77a6c9p+0, 0x1.61316f7ebd2edp-1, 0x1.d72eed9c1a2c0p+0});
  const ExactArray many = Generator{Kind::normal_f64, 11, 9, 9, 1}.draw({2000}, stream::key);
  CHECK(sha256_hex(test::raw(std::get<std::vector<double>>(many.storage()))) ==
        "253746341c6dd771a02aa470505dadc1d594cd1580ee8379b942cf6ed3d43028");
}

TEST_CASE("scales are applied exactly") {
  const ExactArray plain = Generator{Kind::normal_f64, 1, 9, 9, 1}.draw({50}, 4);
  for (const char* const text : {"1/8", "-1024", "0", "1/3", "3", "0x1p-1070", "0x1p1023", "1e400"}) {
    CAPTURE(text);
    const mpq_class scale = parse_number(text);
    const ExactArray scaled = Generator{Kind::normal_f64, 1, 9, 9, scale}.draw({50}, 4);
    for (std::size_t i = 0; i < 50; ++i) CHECK(scaled.at(i) == plain.at(i) * scale);
    const bool doubles = scale == mpq_class(1, 8) || scale == -1024 || scale == 0;
    CHECK(std::holds_alternative<std::vector<double>>(scaled.storage()) == doubles);
  }
}

TEST_CASE("a larger array begins with the smaller one of the same stream") {
  const Generator generator{Kind::integers, 42, 100, 9, 1};
  const ExactArray small = generator.draw({10}, 1), large = generator.draw({4, 5}, 1),
                   other = generator.draw({10}, 2);
  bool equal = true, differs = false;
  for (std::size_t i = 0; i < 10; ++i) {
    equal = equal && small.at(i) == large.at(i);
    differs = differs || small.at(i) != other.at(i);
  }
  CHECK(equal);
  CHECK(differs);
}

}  // namespace
}  // namespace attest
