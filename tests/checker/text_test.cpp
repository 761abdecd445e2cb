#include "checker/certificate_text.hpp"

#include <doctest/doctest.h>

#include "checker/failure.hpp"
#include "input/errors.hpp"

using namespace attest;
using namespace attest::checker;

namespace {

Json json(const char* text) { return parse_json(text, "test"); }

}  // namespace

TEST_CASE("integers") {
  CHECK(word(json("0")) == 0);
  CHECK(word(json("18446744073709551615")) == 18446744073709551615ULL);
  for (const char* wrong : {"-1", "\"1\"", "true", "[]", "{}"}) CHECK_THROWS_AS(word(json(wrong)), Failure);
  CHECK(index(json("4"), 5) == 4);
  CHECK_THROWS_AS(index(json("5"), 5), Failure);
  CHECK(prime(json("4611686018427387847")) == 4611686018427387847);
  for (const char* wrong : {"0", "1", "9", "4611686018427387857", "9223372036854775783"}) {
    CHECK_THROWS_AS(prime(json(wrong)), Failure);
  }
}

TEST_CASE("exact numbers") {
  CHECK(rational(json("\"-7/4\"")) == Rational(-7, 4));
  CHECK(rational(json("\"0x1.8p-3\"")) == Rational(3, 16));
  CHECK(integer(json("\"6/2\"")) == 3);
  for (const char* wrong : {"3", "\"\"", "\"1/0\"", "\"x\"", "\"1 \"", "\"nan\"", "\"inf\""}) {
    CHECK_THROWS_AS(rational(json(wrong)), Failure);
  }
  CHECK_THROWS_AS(integer(json("\"1/2\"")), Failure);
  const std::string digits(161587, '7');
  CHECK(integer(Json(digits)).str() == digits);
}

TEST_CASE("vectors") {
  const Vector v = vector(json(R"({"den": "4", "num": ["2", "-6", "0"]})"), 3);
  CHECK(v.den == 2);
  CHECK(v[1] == Rational(-3, 2));
  for (const char* wrong : {R"({"den": "0", "num": ["1"]})", R"({"den": "-1", "num": ["1"]})", R"({"den": 1, "num": ["1"]})",
                            R"({"den": "1", "num": [1]})", R"({"den": "1", "num": []})", R"({"den": "1/2", "num": ["1"]})",
                            R"({"den": "1", "num": ["1", "2"]})", R"({"num": ["1"]})", R"({"den": "1"})",
                            R"({"den": "1", "num": ["1"], "more": 1})", R"(["1"])"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(vector(json(wrong), 1), Failure);
  }
  CHECK(distinct_indices(json("[2, 0]"), 3) == std::vector<std::size_t>{2, 0});
  CHECK_THROWS_AS(distinct_indices(json("[2, 2]"), 3), Failure);
  CHECK_THROWS_AS(distinct_indices(json("[3]"), 3), Failure);
}

TEST_CASE("group-ring elements") {
  const Ring two{"base-2", true, 1};
  CHECK(element(json(R"([["1", "1/2"], ["-2", "-1/2"]])"), two, 100).zero());
  CHECK_FALSE(element(json(R"([["1", "1/2"], ["-2", "-1/2"]])"), {}, 100).zero());
  CHECK(element(json("[]"), two, 100).zero());
  for (const char* wrong : {R"([["1"]])", R"([["1", "1", "1"]])", R"([[1, 1]])", R"({"1": "1"})", R"(["1", "1"])"}) {
    CHECK_THROWS_AS(element(json(wrong), two, 100), Failure);
  }
  CHECK_THROWS_AS(element(json(R"([["1", "1e100000"]])"), two, 100), LimitError);
}

TEST_CASE("the common denominator is in lowest terms, so that residues exist whenever they can") {
  const Vector v(std::vector<Rational>{Rational(1, 6), Rational(5, 10)});
  CHECK(v.den == 6);
  CHECK(residues(v, 5) == Row{1, 3});  // 1/6 = 1, 1/2 = 3 mod 5
  CHECK_THROWS_AS(residues(v, 3), Failure);
  CHECK(residues(vector(json(R"({"den": "7", "num": ["7", "14"]})"), 2), 7) == Row{1, 2});
  CHECK(dot(v, v) == Rational(1, 36) + Rational(1, 4));
  CHECK(combination({2, Rational(1, 3)}, {&v, &v})[0] == Rational(7, 18));
  CHECK(primitive(Vector({Integer(6), Integer(-9)}, 2)) == std::vector<Integer>{2, -3});
  CHECK(primitive(Vector({Integer(0), Integer(0)}, 1)) == std::vector<Integer>{0, 0});
}
