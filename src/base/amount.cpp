#include "base/amount.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/text.hpp"

namespace attest {

std::uint64_t parse_amount(const std::string& text, const std::string& option, std::uint64_t unit) {
  const auto fail = [&](const std::string& wrong) {
    throw InputError(option, "", in_quotes(text) + " " + wrong, "give a number like 1000000, 500M or 8G");
  };
  static const std::string suffixes = "KMGT";
  const std::size_t power = text.empty() ? std::string::npos : suffixes.find(text.back());
  const std::string digits = power == std::string::npos ? text : text.substr(0, text.size() - 1);
  if (digits.empty() || digits.size() > 40 || digits.find_first_not_of("0123456789.") != std::string::npos ||
      std::count(digits.begin(), digits.end(), '.') > 1 || digits == ".")
    fail("is not an amount");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  mpz_class value(digits.substr(0, point) + digits.substr(std::min(point + 1, digits.size())), 10), divisor;
  mpz_ui_pow_ui(divisor.get_mpz_t(), 10, digits.size() - std::min(point + 1, digits.size()));
  for (std::size_t k = 0; power != std::string::npos && k <= power; ++k) value *= mpz_class(unit);
  if (value % divisor != 0) fail("is not a whole number");
  value /= divisor;
  if (value == 0) fail("is zero");
  if (value > mpz_class("9223372036854775807")) fail("is beyond 2^63 - 1");
  return value.get_ui();
}

}  // namespace attest
