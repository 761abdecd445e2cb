#include "theory/proposition.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

Truth not_less(const Bounds& a, const Bounds& b) {
  if (a.lower >= b.upper) return Truth::yes;
  return a.upper < b.lower ? Truth::no : Truth::open;
}

/// A function of two numbers that, in each of them, takes its extremes at the ends of every interval.
struct Operation {
  const char* symbol;
  std::function<mpz_class(const mpz_class&, const mpz_class&)> apply;

  Bounds operator()(const Bounds& a, const Bounds& b) const {
    const auto [least, most] = std::minmax(
        {apply(a.lower, b.lower), apply(a.lower, b.upper), apply(a.upper, b.lower), apply(a.upper, b.upper)});
    return {least, most};
  }
};

mpz_class quotient(const mpz_class& a, const mpz_class& b) {
  if (b <= 0) throw std::logic_error("a division by a number that need not be positive");
  mpz_class floor;
  mpz_fdiv_q(floor.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return floor;
}

/// Those of each precedence, and functions.
const std::vector<std::vector<Operation>> kOperations = {
    {{"+", std::plus<mpz_class>()}, {"-", std::minus<mpz_class>()}},
    {{"*", std::multiplies<mpz_class>()}, {"/", quotient}}};
const std::vector<Operation> kFunctions = {
    {"min(", [](const mpz_class& a, const mpz_class& b) { return std::min(a, b); }},
    {"max(", [](const mpz_class& a, const mpz_class& b) { return std::max(a, b); }}};

/// Reads the text from left to right; expressions are short, so nothing is kept.
class Reader {
public:
  Reader(const std::string& text, const Knowledge& knowledge) : text_(text), knowledge_(knowledge) {}

  Truth proposition() {
    Truth result = comparison();
    while (accept("and")) result = std::min(result, comparison());
    return result;
  }

  Bounds expression(std::size_t precedence = 0) {
    if (precedence == kOperations.size()) return factor();
    Bounds result = expression(precedence + 1);
    while (const Operation* operation = accept(kOperations[precedence]))
      result = (*operation)(result, expression(precedence + 1));
    return result;
  }

  void finish() {
    if (!accept("") || at_ != text_.size()) fail();
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
    const Truth not_less_than = not_less(left, right), not_more_than = not_less(right, left);
    return at_least ? not_less_than : at_most ? not_more_than : std::min(not_less_than, not_more_than);
  }

  Bounds factor() {
    const Operation* function = accept(kFunctions);
    if (function != nullptr || accept("(")) {
      Bounds result = expression();
      while (function != nullptr && accept(",")) result = (*function)(result, expression());
      expect(")");
      return result;
    }
    const std::string word = quantity();
    if (word.find_first_not_of("0123456789") != std::string::npos) return knowledge_(word);
    return {mpz_class(word), mpz_class(word)};
  }

  /// A name with what is in its parentheses, or a number.
  std::string quantity() {
    const std::size_t first = at_;
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '(') ++depth;
      if (depth == 0 && std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') break;
      if (c == ')') --depth;
    }
    if (at_ == first || depth != 0) fail();
    return text_.substr(first, at_ - first);
  }

  bool accept(const std::string& symbol) {
    at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    return true;
  }
  const Operation* accept(const std::vector<Operation>& operations) {
    const auto accepted = [&](const Operation& operation) { return accept(operation.symbol); };
    const auto found = std::find_if(operations.begin(), operations.end(), accepted);
    return found == operations.end() ? nullptr : &*found;
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
  Reader reader(proposition, knowledge);
  const Truth result = reader.proposition();
  reader.finish();
  return result;
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
