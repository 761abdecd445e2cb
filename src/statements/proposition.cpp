#include "statements/proposition.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

/// Reads the text from left to right; expressions are short, so nothing is kept.
class Reader {
public:
  Reader(const std::string& text, const Knowledge& knowledge) : text_(text), knowledge_(knowledge) {}

  Truth proposition() {
    Truth result = comparison();
    while (accept("and")) {
      const Truth next = comparison();
      if (result == Truth::no || next == Truth::no) {
        result = Truth::no;
      } else if (next == Truth::open) {
        result = Truth::open;
      }
    }
    finish();
    return result;
  }

  Bounds expression() {
    Bounds result = product();
    for (;;) {
      if (accept("+")) {
        result = sum(result, product());
      } else if (accept("-")) {
        result = difference(result, product());
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
    const Truth above = not_less(left, right), below = not_less(right, left);
    if (above == Truth::no || below == Truth::no) return Truth::no;
    return above == Truth::yes && below == Truth::yes ? Truth::yes : Truth::open;
  }

  static Truth not_less(const Bounds& a, const Bounds& b) {
    if (b.upper && a.lower >= *b.upper) return Truth::yes;
    if (a.upper && *a.upper < b.lower) return Truth::no;
    return Truth::open;
  }

  Bounds product() {
    Bounds result = factor();
    for (;;) {
      if (accept("*")) {
        result = times(result, factor());
      } else if (accept("/")) {
        result = quotient(result, factor());
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
      while (accept(",")) result = extreme(result, expression(), least);
      expect(")");
      return result;
    }
    const std::string word = quantity();
    if (word.find_first_not_of("0123456789") != std::string::npos) return knowledge_(word);
    const mpz_class number(word);
    return {number, number};
  }

  static Bounds sum(const Bounds& a, const Bounds& b) {
    Bounds result{a.lower + b.lower, {}};
    if (a.upper && b.upper) result.upper = *a.upper + *b.upper;
    return result;
  }
  Bounds difference(const Bounds& a, const Bounds& b) const {
    if (!b.upper) fail();
    Bounds result{a.lower - *b.upper, {}};
    if (a.upper) result.upper = *a.upper - b.lower;
    return result;
  }
  /// One factor is never negative, in all our tables; the other may be.
  Bounds times(const Bounds& a, const Bounds& b) const {
    if (!a.upper || !b.upper) {
      if (a.lower < 0 || b.lower < 0) fail();
      return {a.lower * b.lower, {}};
    }
    const mpz_class corners[] = {a.lower * b.lower, a.lower * *b.upper, *a.upper * b.lower,
                                 *a.upper * *b.upper};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }
  Bounds quotient(const Bounds& a, const Bounds& b) const {
    if (!b.decided() || b.lower <= 0) fail();
    const auto floor = [&](const mpz_class& x) {
      mpz_class result;
      mpz_fdiv_q(result.get_mpz_t(), x.get_mpz_t(), b.lower.get_mpz_t());
      return result;
    };
    Bounds result{floor(a.lower), {}};
    if (a.upper) result.upper = floor(*a.upper);
    return result;
  }
  static Bounds extreme(const Bounds& a, const Bounds& b, bool least) {
    Bounds result;
    if (least) {
      result.lower = std::min(a.lower, b.lower);
      result.upper = !a.upper ? b.upper : !b.upper ? a.upper : std::min(*a.upper, *b.upper);
    } else {
      result.lower = std::max(a.lower, b.lower);
      if (a.upper && b.upper) result.upper = std::max(*a.upper, *b.upper);
    }
    return result;
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
    return Bounds{1, mpz_class(1)};  // a value for which every operation is defined
  };
  decide(text, recorder);
  return names;
}

}  // namespace attest
