#include "kernel/certificate.hpp"

#include <functional>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "problem/numbers.hpp"
#include "theory/statements.hpp"

namespace attest::kernel {
namespace {

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxKeys = 64;  // more than any object has; they are looked up one after the other

std::string shortened(const Json& value) {
  if (value.is_array()) return "an array of " + count(value.size()) + " entries";
  if (value.is_object()) return "an object of " + count(value.size()) + " keys";
  if (value.is_string() && value.get_ref<const std::string&>().size() > 60) return "a long string";
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

using Refuse = std::function<void(const std::string&)>;

/// What is no JSON of a certificate is refused while it is read, before any value is made. (With a callback
/// the library would look through the whole array that an object is in, after each of them.)
struct Grammar : Json::json_sax_t {
  Grammar(const Refuse& refused, bool allows_null) : refuse(refused), nulls(allows_null) {}

  const Refuse& refuse;
  const bool nulls;
  int open = 0;
  std::vector<std::set<std::string>> keys{};  ///< of the objects that are open

  bool value() const {
    if (open >= kMaxDepth) refuse("nested deeper than " + count(kMaxDepth) + " levels");
    return true;
  }
  bool null() override {
    if (!nulls) refuse("null is not used in certificates");
    return value();
  }
  bool boolean(bool) override { return value(); }
  bool number_integer(Json::number_integer_t) override { return value(); }
  bool number_unsigned(Json::number_unsigned_t) override { return value(); }
  bool number_float(Json::number_float_t number, const std::string&) override {
    refuse("the number " + shortened(number) + " is not an integer below 2^64; other numbers are strings");
    return false;
  }
  bool string(std::string&) override { return value(); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_array(std::size_t) override { return value() && ++open > 0; }
  bool end_array() override { return --open >= 0; }
  bool start_object(std::size_t) override {
    keys.emplace_back();
    return value() && ++open > 0;
  }
  bool key(std::string& name) override {
    if (!keys.back().insert(name).second) refuse("duplicate key " + in_quotes(name));
    if (keys.back().size() > kMaxKeys) refuse("an object of more than " + count(kMaxKeys) + " keys");
    return true;
  }
  bool end_object() override {
    keys.pop_back();
    return --open >= 0;
  }
  bool parse_error(std::size_t, const std::string& token, const Json::exception& error) override {
    // "[...] parse error at line 1, column 5: ...", or a number beyond the range of binary64
    const std::string what = error.what();
    const std::size_t place = what.find("at line");
    refuse(place == std::string::npos ? "the number " + one_line(token, 60) +
                                            " is not an integer below 2^64; other numbers are strings"
                                      : one_line(what.substr(place)));
    return false;
  }
};

}  // namespace

Json parse_json(std::string_view bytes, const std::string& name, const std::string& form, bool nulls) {
  const Refuse refuse = [&](const std::string& complaint) { throw InputError(name, "", complaint, form); };
  // The parser takes it for the end, and would leave the rest unread.
  if (bytes.find('\0') != std::string_view::npos) refuse("a NUL byte");
  Grammar grammar(refuse, nulls);
  Json::sax_parse(bytes, &grammar);
  return Json::parse(bytes);
}

const Json& field(const Json& value, std::string_view key) {
  ENSURE(value.is_object(), "an object", shortened(value));
  ENSURE(value.contains(key), "the key " + in_quotes(key), "no such key");
  return value.at(key);
}

const Json& object(const Json& value, std::string_view keys) {
  std::set<std::string> known;
  for (std::string key : words_in(std::string(keys))) {
    if (key.back() == '?')
      key.pop_back();
    else
      field(value, key);
    known.insert(key);
  }
  for (const auto& item : value.items())
    ENSURE(known.count(item.key()) != 0, "only known keys", "the key " + item.key());
  return value;
}

const Json& array(const Json& value) {
  ENSURE(value.is_array(), "an array", shortened(value));
  return value;
}

const Json& array(const Json& value, std::size_t size) {
  ENSURE(array(value).size() == size, "an array of " + count(size) + " entries",
         count(value.size()) + " entries");
  return value;
}

Word word(const Json& value) {
  ENSURE(value.is_number_unsigned(), "an integer >= 0", shortened(value));
  return value.get<Word>();
}

std::size_t index(const Json& value, std::size_t size) {
  const Word result = word(value);
  ENSURE(result < size, "an index below " + count(size), count(result));
  return result;
}

std::size_t precision(const Json& value) {
  const Word bits = word(value);
  ENSURE(bits <= kMostBits, "at most " + count(kMostBits) + " bits", count(bits));
  return bits;
}

const std::string& string(const Json& value) {
  ENSURE(value.is_string(), "a string", shortened(value));
  return value.get_ref<const std::string&>();
}

bool choice(const Json& value, const std::string& first, const std::string& second) {
  const std::string& found = string(value);
  ENSURE(found == first || found == second, first + " or " + second, in_quotes(found));
  return found == first;
}

Rational rational(const Json& value) {
  const std::string& digits = string(value);
  std::optional<Rational> result;
  try {
    result = parse_number(digits);
  } catch (const std::invalid_argument&) {
  }
  ENSURE(result.has_value(), "a rational number such as \"-7/4\"", shortened(value));
  return *result;
}

Rational positive(const Json& value) {
  const Rational result = rational(value);
  ENSURE(result > 0, "a positive number", text(result));
  return result;
}

Integer integer(const Json& value) {
  const Rational result = rational(value);
  ENSURE(is_integer(result), "an integer", shortened(value));
  return result.get_num();
}

NumberedSteps named_steps(const Json& numbers, const Json& all) {
  NumberedSteps result;
  for (const Json& entry : array(numbers)) {
    const std::size_t number = index(entry, array(all).size());
    ENSURE(result.empty() || result.back().number < number, "increasing numbers of steps",
           count(number) + " after " + count(result.back().number));
    result.push_back({number, &all[number]});
  }
  return result;
}

NumberedSteps all_steps(const Json& all) {
  NumberedSteps result;
  for (const Json& step : array(all)) result.push_back({result.size(), &step});
  return result;
}

std::vector<std::size_t> distinct_indices(const Json& value, std::size_t size) {
  std::set<std::size_t> found;
  return list(value, array(value).size(), [&](const Json& entry) {
    const std::size_t result = index(entry, size);
    ENSURE(found.insert(result).second, "distinct indices", count(result) + " twice");
    return result;
  });
}

Vector vector(const Json& value, std::size_t size) {
  object(value, "den num");
  const Integer den = integer(value.at("den"));
  ENSURE(den > 0, "a positive denominator", text(den));
  return Vector(list(value.at("num"), size, integer), den);
}

std::vector<Vector> vectors(const Json& value, std::size_t count, std::size_t size) {
  return list(value, count, [&](const Json& entry) { return vector(entry, size); });
}

PowerSums::Scalar element(const Json& value, const PowerSums& ring) {
  PowerSums::Scalar result;
  if (value.is_string()) {
    ring.add_term(result, rational(value), 0);
    return result;
  }
  for (const Json& term : array(value)) {
    array(term, 2);
    ring.add_term(result, rational(term[0]), rational(term[1]));
  }
  return result;
}

Word prime(const Json& value, unsigned bits) {
  const Word p = word(value);
  ENSURE(p >> bits == 0 && p != 2 && is_prime(p), "an odd prime below 2^" + count(bits), count(p));
  return p;
}

}  // namespace attest::kernel
