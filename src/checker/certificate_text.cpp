#include "checker/certificate_text.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "input/numbers.hpp"

namespace attest::checker {
namespace {

constexpr std::size_t kMaxDepth = 32;

std::string shortened(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

/// Accepts what a certificate may contain; keeps the first complaint.
class StrictSyntax : public nlohmann::json_sax<Json> {
public:
  std::string complaint;
  std::size_t position = 0;  ///< of a syntax error, in bytes from 1; 0 when the complaint is another

  bool null() override { return refuse("null is not used in certificates"); }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t& digits) override {
    return refuse("the number " + digits.substr(0, 40) +
                  " is not an integer below 2^64; other numbers are strings");
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return refuse("binary data"); }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return deeper();
  }
  bool key(string_t& name) override {
    return keys_.back().insert(name).second || refuse("duplicate key \"" + name.substr(0, 40) + "\"");
  }
  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    position = std::max<std::size_t>(byte, 1);
    return refuse(error.what());
  }

private:
  bool deeper() {
    return ++depth_ <= kMaxDepth || refuse("nested deeper than " + std::to_string(kMaxDepth) + " levels");
  }
  bool refuse(const std::string& what) {
    if (complaint.empty()) complaint = what;
    return false;
  }
  std::vector<std::set<std::string>> keys_;
  std::size_t depth_ = 0;
};

}  // namespace

Json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  if (std::filesystem::is_directory(file) || !stream || !(bytes << stream.rdbuf())) {
    throw InputError(file.string(), "", "cannot be read", "a certificate, as `attest verify` writes it");
  }
  return parse_json(bytes.str(), file.string());
}

Json parse_json(const std::string& bytes, const std::string& name) {
  StrictSyntax syntax;
  if (!Json::sax_parse(bytes, &syntax)) {
    std::string place;
    if (syntax.position != 0) {
      const std::string before = bytes.substr(0, std::min(syntax.position - 1, bytes.size()));
      const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
      place = "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ", column " +
              std::to_string(before.size() - line_start + 1);
    }
    throw InputError(name, place, syntax.complaint, "a certificate is JSON (docs/certificate.md)");
  }
  return Json::parse(bytes);
}

Object::Object(const Json& value) : value_(value) {
  ensure(value.is_object(), "an object", shortened(value));
}

const Json* Object::find(const char* key) {
  known_.emplace_back(key);
  const auto place = value_.find(key);
  return place == value_.end() ? nullptr : &*place;
}

const Json& Object::operator[](const char* key) {
  const Json* value = find(key);
  ensure(value != nullptr, "the key \"" + std::string(key) + "\"", "no such key");
  return *value;
}

void Object::done() const {
  for (const auto& item : value_.items()) {
    ensure(std::find(known_.begin(), known_.end(), item.key()) != known_.end(), "only known keys",
           "the key \"" + item.key().substr(0, 40) + "\"");
  }
}

const Json& array(const Json& value) {
  ensure(value.is_array(), "an array", shortened(value));
  return value;
}

const Json& array(const Json& value, std::size_t size) {
  ensure(array(value).size() == size, "an array of " + std::to_string(size) + " entries",
         std::to_string(value.size()) + " entries");
  return value;
}

Word word(const Json& value) {
  ensure(value.is_number_unsigned(), "an integer >= 0", shortened(value));
  return value.get<Word>();
}

std::size_t index(const Json& value, std::size_t size) {
  const Word result = word(value);
  ensure(result < size, "an index below " + std::to_string(size), std::to_string(result));
  return result;
}

bool boolean(const Json& value) {
  ensure(value.is_boolean(), "true or false", shortened(value));
  return value.get<bool>();
}

const std::string& string(const Json& value) {
  ensure(value.is_string(), "a string", shortened(value));
  return value.get_ref<const std::string&>();
}

Rational rational(const Json& value) {
  const std::string& digits = string(value);
  try {
    return to_rational(parse_number(digits));
  } catch (const std::invalid_argument&) {
    throw Failure{"a rational number such as \"-7/4\"", shortened(value)};
  }
}

Integer integer(const Json& value) {
  const Rational result = rational(value);
  ensure(denominator(result) == 1, "an integer", shortened(value));
  return numerator(result);
}

std::vector<std::size_t> distinct_indices(const Json& value, std::size_t size) {
  std::vector<std::size_t> result;
  for (const Json& entry : array(value)) result.push_back(index(entry, size));
  std::vector<std::size_t> sorted = result;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  ensure(twice == sorted.end(), "distinct indices",
         twice == sorted.end() ? "" : std::to_string(*twice) + " twice");
  return result;
}

Vector vector(const Json& value, std::size_t size) {
  Object object(value);
  Integer den = integer(object["den"]);
  ensure(den > 0, "a positive denominator", text(den));
  std::vector<Integer> num;
  for (const Json& entry : array(object["num"], size)) num.push_back(integer(entry));
  object.done();
  return Vector(std::move(num), std::move(den));
}

Element element(const Json& value, const Ring& ring, std::size_t max_power) {
  Element result;
  for (const Json& term : array(value)) {
    array(term, 2);
    result.add(ring, rational(term[0]), rational(term[1]), max_power);
  }
  return result;
}

Word prime(const Json& value) {
  const Word p = word(value);
  ensure(p < kModulusLimit && is_prime(p), "a prime below 2^62", std::to_string(p));
  return p;
}

}  // namespace attest::checker
