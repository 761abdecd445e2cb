#include "statements/proposition.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

Truth both(Truth a, Truth b) {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::open;
}

Truth not_less(const Bounds& a, const Bounds& b) {
  if (a.lower >= b.upper) return Truth::yes;
  return a.upper < b.lower ? Truth::no : Truth::open;
}

/// Encloses a function of two numbers that, in each of them, takes its extremes at the ends of every
/// interval.
template <class Function>
Bounds enclosed(const Bounds& a, const Bounds& b, Function function) {
  const mpz_class corners[] = {function(a.lower, b.lower), function(a.lower, b.upper),
                               function(a.upper, b.lower), function(a.upper, b.upper)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

/// Reads the text from left to right; expressions are short, so nothing is kept.
class Reader {
public:
  Reader(const std::string& text, const Knowledge& knowledge) : text_(text), knowledge_(knowledge) {}

  Truth proposition() {
    Truth result = comparison();
    while (accept("and")) result = both(result, comparison());
    finish();
    return result;
  }

  Bounds expression() {
    Bounds result = product();
    for (;;) {
      if (accept("+")) {
        result = enclosed(result, product(), std::plus<mpz_class>());
      } else if (accept("-")) {
        result = enclosed(result, product(), std::minus<mpz_class>());
      } else {
        return result;
      }
    }
  }

  void finish() {
    blanks();
    if (at_ != text_.size()) fail();
  }

private:
  Truth comparison() {
    if (accept("decided(")) {
      const Bounds value = expression();
      expect(")");
      return value.decided() ? Truth::yes : Truth::open;
    }
    const Bounds left = expression();
    const bool at_least = accept(">="), at_most = !at_least && accept("<=");
    if (!at_least && !at_most) expect("=");
    const Bounds right = expression();
    if (at_least) return not_less(left, right);
    if (at_most) return not_less(right, left);
    return both(not_less(left, right), not_less(right, left));
  }

  Bounds product() {
    Bounds result = factor();
    for (;;) {
      if (accept("*")) {
        result = enclosed(result, factor(), std::multiplies<mpz_class>());
      } else if (accept("/")) {
        const Bounds divisor = factor();
        if (divisor.lower <= 0) fail();
        result = enclosed(result, divisor, [](const mpz_class& a, const mpz_class& b) {
          mpz_class floor;
          mpz_fdiv_q(floor.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
          return floor;
        });
      } else {
        return result;
      }
    }
  }

  Bounds factor() {
    if (accept("(")) {
      const Bounds inner = expression();
      expect(")");
      return inner;
    }
    for (const bool least : {true, false}) {
      if (!accept(least ? "min(" : "max(")) continue;
      Bounds result = expression();
      while (accept(",")) {
        result = enclosed(result, expression(), [&](const mpz_class& a, const mpz_class& b) {
          return least ? std::min(a, b) : std::max(a, b);
        });
      }
      expect(")");
      return result;
    }
    const std::string word = quantity();
    if (word.find_first_not_of("0123456789") != std::string::npos) return knowledge_(word);
    const mpz_class number(word);
    return {number, number};
  }

  /// A name with what is in its parentheses, or a number.
  std::string quantity() {
    blanks();
    const std::size_t first = at_;
    const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (at_ < text_.size() && part(text_[at_])) ++at_;
    if (at_ == first) fail();
    if (at_ < text_.size() && text_[at_] == '(') {
      std::size_t depth = 0;
      do {
        if (at_ == text_.size()) fail();
        if (text_[at_] == '(') ++depth;
        if (text_[at_] == ')') --depth;
        ++at_;
      } while (depth != 0);
    }
    return text_.substr(first, at_ - first);
  }

  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(const std::string& symbol) {
    blanks();
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    return true;
  }
  void expect(const std::string& symbol) {
    if (!accept(symbol)) fail();
  }
  [[noreturn]] void fail() const {
    throw std::logic_error("the proposition \"" + text_ + "\" cannot be read at character " +
                           std::to_string(at_));
  }

  const std::string& text_;
  const Knowledge& knowledge_;
  std::size_t at_ = 0;
};

}  // namespace

Bounds evaluate(const std::string& expression, const Knowledge& knowledge) {
  Reader reader(expression, knowledge);
  const Bounds result = reader.expression();
  reader.finish();
  return result;
}

Truth decide(const std::string& proposition, const Knowledge& knowledge) {
  return Reader(proposition, knowledge).proposition();
}

std::vector<std::string> quantities_in(const std::string& text) {
  std::vector<std::string> names;
  const Knowledge recorder = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return Bounds{1, 1};  // a value for which every operation is defined
  };
  decide(text, recorder);
  return names;
}

}  // namespace attest
