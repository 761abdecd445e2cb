#include "problem/numbers.hpp"

#include <cstdlib>
#include <stdexcept>

#include "base/text.hpp"

namespace attest {
namespace {

constexpr long kMaxExponent = 100000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// 10^n; kept until another is wanted, because long lists tend to repeat it.
const mpz_class& power_of_ten(unsigned long n) {
  thread_local unsigned long exponent = 0;
  thread_local mpz_class power = 1;
  if (n != exponent) {
    mpz_ui_pow_ui(power.get_mpz_t(), 10, n);
    exponent = n;
  }
  return power;
}

/// Recursive descent over one numeral. Digits go to GMP in one piece, so that its subquadratic conversion is
/// used.
class Numeral {
public:
  explicit Numeral(std::string_view text) : text_(text) {}

  mpq_class read() {
    const bool negative = minus();
    mpq_class value = read_unsigned();
    if (position_ != text_.size()) stray();
    return negative ? mpq_class(-value) : value;
  }

private:
  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const {
    throw std::invalid_argument(in_quotes(text_) + " " + wrong + "; " + right);
  }
  [[noreturn]] void stray() const {
    if (text_.empty()) fail("is empty", kForms);
    if (position_ >= text_.size()) fail("has no digits where they are expected", kForms);
    const auto byte = static_cast<unsigned char>(text_[position_]);
    const std::string what = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ? "a blank"
                             : byte < 0x80 ? "the character '" + one_line(text_.substr(position_, 1)) + "'"
                                           : std::string("a character that is not ASCII");
    fail("is not an exact number: " + what + " at position " + std::to_string(position_ + 1), kForms);
  }
  bool eat(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  /// Reads an optional sign; whether it was a minus.
  bool minus() {
    if (eat('-')) return true;
    eat('+');
    return false;
  }
  std::string digits(bool (*belongs)(char)) {
    const std::size_t begin = position_;
    while (position_ < text_.size() && belongs(text_[position_])) ++position_;
    return std::string(text_.substr(begin, position_ - begin));
  }
  std::string some_digits(bool (*belongs)(char)) {
    std::string out = digits(belongs);
    if (out.empty()) stray();
    return out;
  }
  long exponent() {
    const bool negative = minus();
    std::string text = some_digits(is_digit);
    text.erase(0, text.find_first_not_of('0'));
    if (text.size() > 6 || (!text.empty() && std::stol(text) > kMaxExponent)) {
      fail("has an exponent beyond +-100000", "give an exponent within -100000 and 100000, or p/q");
    }
    const long value = text.empty() ? 0 : std::stol(text);
    return negative ? -value : value;
  }

  mpq_class read_unsigned() {
    const std::string_view start = text_.substr(position_, 2);
    const bool hexadecimal = start == "0x" || start == "0X";
    if (hexadecimal) position_ += 2;
    const auto belongs = hexadecimal ? is_hex_digit : is_digit;
    std::string mantissa = digits(belongs);
    if (!hexadecimal && !mantissa.empty() && eat('/')) {
      const std::string denominator = some_digits(is_digit);
      mpq_class value(mpz_class(mantissa, 10), mpz_class(denominator, 10));
      if (value.get_den() == 0) fail("has a zero denominator", "give p/q with q at least 1");
      value.canonicalize();
      return value;
    }
    long power = 0;
    if (eat('.')) {
      const std::string fraction = digits(belongs);
      power = (hexadecimal ? -4 : -1) * static_cast<long>(fraction.size());
      mantissa += fraction;
    }
    if (mantissa.empty()) {
      if (position_ > 0 && text_[position_ - 1] == '.') --position_;
      stray();
    }
    if (eat(hexadecimal ? 'p' : 'e') || eat(hexadecimal ? 'P' : 'E')) power += exponent();
    mpq_class value{mpz_class(mantissa, hexadecimal ? 16 : 10)};
    if (power == 0) return value;
    const auto size = static_cast<unsigned long>(std::labs(power));
    if (hexadecimal) {
      (power < 0 ? mpq_div_2exp : mpq_mul_2exp)(value.get_mpq_t(), value.get_mpq_t(), size);
    } else {
      (power < 0 ? value.get_den() : value.get_num()) *= power_of_ten(size);
      value.canonicalize();
    }
    return value;
  }

  static constexpr const char* kForms =
      "write an integer, p/q, a decimal like \"0.25\" or \"1e-3\", or a hexadecimal float like \"0x1.8p-3\"";
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

mpq_class parse_number(std::string_view text) {
  return Numeral(text).read();
}

std::string number_text(const mpq_class& value) {
  return value.get_str();
}

}  // namespace attest
