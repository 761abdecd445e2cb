#include "problem/numbers.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <random>

#include "tests/input/support.hpp"

namespace attest {
namespace {

using test::check_matches;
using test::matches;
using test::outcome;

TEST_CASE("numerals are read exactly") {
  const struct {
    const char* text;
    const char* value;
  } rows[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+7", "7"},
      {"007", "7"},
      {"-12", "-12"},
      {"18446744073709551617", "18446744073709551617"},
      {"6/4", "3/2"},
      {"-6/4", "-3/2"},
      {"0/5", "0"},
      {"+1/3", "1/3"},
      {"0.1", "1/10"},
      {"-0.25", "-1/4"},
      {".5", "1/2"},
      {"5.", "5"},
      {"1e-3", "1/1000"},
      {"1E3", "1000"},
      {"2.50e+1", "25"},
      {"-1.5e-1", "-3/20"},
      {"0e99999", "0"},
      {"1e0000000000000000000000001", "10"},
      {"0x1.8p-3", "3/16"},
      {"-0x1.8p-3", "-3/16"},
      {"-0x3p10", "-3072"},
      {"0X1P+4", "16"},
      {"0xff", "255"},
      {"0x.8p0", "1/2"},
      {"0x0p5", "0"},
      {"0xe", "14"},
      {"0x1.999999999999ap-4", "3602879701896397/36028797018963968"},
  };
  for (const auto& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(number_text(parse_number(row.text)) == row.value);
  }
}

TEST_CASE("what is not a numeral is refused with the reason") {
  const struct {
    const char* text;
    const char* pattern;
  } rows[] = {
      {"", "\"\" is empty; write an integer, p/q"},
      {" 1", "a blank at position 1"},
      {"1 ", "a blank at position 2"},
      {"1 2", "a blank at position 2"},
      {"1\n", "a blank at position 2"},
      {"1_000", "the character '_' at position 2"},
      {"inf", "the character 'i' at position 1 ... write an integer"},
      {"-nan", "the character 'n' at position 2"},
      {"-", "has no digits"},
      {"--1", "the character '-' at position 2"},
      {".", "the character '.' at position 1"},
      {"1.2.3", "the character '.' at position 4"},
      {"1,5", "the character ',' at position 2"},
      {"1/", "has no digits"},
      {"/2", "the character '/' at position 1"},
      {"1/-2", "the character '-' at position 3"},
      {"1/2/3", "the character '/' at position 4"},
      {"1.0/2", "the character '/' at position 4"},
      {"1/2.0", "the character '.' at position 4"},
      {"1/0", "\"1/0\" has a zero denominator; give p/q with q at least 1"},
      {"1/000", "zero denominator"},
      {"1e", "has no digits"},
      {"1e+", "has no digits"},
      {"e5", "the character 'e' at position 1"},
      {"1e1.5", "the character '.' at position 4"},
      {"1e100001", "has an exponent beyond +-100000; give an exponent within"},
      {"1e-100001", "exponent beyond"},
      {"0x1p100001", "exponent beyond"},
      {"1e99999999999999999999999", "exponent beyond"},
      {"1e999999999", "exponent beyond"},
      {"-1e-999999999", "exponent beyond"},
      {"0x", "has no digits"},
      {"0x.", "the character '.' at position 3"},
      {"0xg", "the character 'g' at position 3"},
      {"0x1p", "has no digits"},
      {"0x1pf", "the character 'f' at position 5"},
      {"0x1/2", "the character '/' at position 4"},
      {"x1", "the character 'x' at position 1"},
      {"1f", "the character 'f' at position 2"},
      {"\xC2\xBD", "a character that is not ASCII at position 1"},
      {"1\x01", "\"1\\x01\" is not an exact number: the character '\\x01' at position 2"},
  };
  for (const auto& row : rows) {
    const std::string got = outcome([&] { parse_number(row.text); });
    CAPTURE(std::string(row.text));
    check_matches(got, std::string("invalid: ... ") + row.pattern);
  }
}

TEST_CASE("the largest exponents are legal") {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, 100000);
  CHECK(parse_number("1e100000") == mpq_class(power));
  CHECK(parse_number("-1e-100000") == mpq_class(-1, power));
  CHECK(parse_number("0x1p-100000") * parse_number("0x1p100000") == 1);
}

TEST_CASE("numerals of any length are read fast") {
  std::string numerator(81000, '7'), denominator(80587, '3');
  const std::clock_t start = std::clock();
  const mpq_class fraction = parse_number(numerator + "/" + denominator);
  CHECK(fraction * mpz_class(denominator) == mpq_class(mpz_class(numerator)));
  CHECK(parse_number(number_text(fraction)) == fraction);
  const mpq_class decimal = parse_number("0." + numerator + "1");
  CHECK(decimal.get_den() % 10 == 0);
  const mpq_class hexadecimal = parse_number("-0x1." + std::string(200000, 'f') + "p0");
  CHECK(mpz_sizeinbase(hexadecimal.get_den_mpz_t(), 2) == 800001);
  CHECK(std::clock() - start < 5 * CLOCKS_PER_SEC);
}

TEST_CASE("long defective numerals give short messages") {
  const std::string got = outcome([] { parse_number(std::string(100000, '1') + "z"); });
  CHECK(got.size() < 300);
  CHECK(matches(got, "111... ... the character 'z' at position 100001"));
}

TEST_CASE("number_text and parse_number are inverse") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    mpq_class value(static_cast<long>(random()) >> (random() % 60), 1 + (random() >> (1 + random() % 60)));
    value.canonicalize();
    CHECK(parse_number(number_text(value)) == value);
    const double binary = std::ldexp(static_cast<double>(static_cast<long>(random())),
                                     static_cast<int>(random() % 1900) - 1000);
    char text[64];
    std::snprintf(text, sizeof text, "%a", binary);
    CHECK(parse_number(text) == mpq_class(binary));
    std::snprintf(text, sizeof text, "%.17g", binary);
    CHECK(parse_number(text).get_d() == doctest::Approx(binary));
  }
}

}  // namespace
}  // namespace attest
