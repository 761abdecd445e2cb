#include "readers/toml_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "base/hints.hpp"
#include "base/meter.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "problem/numbers.hpp"
#include "readers/numerals.hpp"

namespace attest {
namespace {

std::string source_place(std::size_t line, std::size_t column) {
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string type_text(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "the string " + in_quotes(node.as_string()->get());
    case toml::node_type::integer:
      return "the integer " + std::to_string(node.as_integer()->get());
    case toml::node_type::floating_point:
      return "a float";
    case toml::node_type::boolean:
      return node.as_boolean()->get() ? "true" : "false";
    default:
      return "a date or time";
  }
}

/// "0x1.8p-3": the shortest exact hexadecimal form.
std::string hexadecimal(double value) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::hex).ptr;
  return (std::signbit(value) ? "-0x" : "0x") + std::string(buffer, end);
}

bool starts_key(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '"' || c == '\'';
}

}  // namespace

TomlFile::TomlFile(const std::filesystem::path& file, std::size_t memory_limit)
    : name_(file.string()),
      // A number in an array is 2 bytes of text and about 100 when parsed.
      bytes_(read_regular_file(file, name_, memory_limit / 50).view()) {
  meter().work(20 * bytes_.size());
  require_harmless_keys();
  try {
    root_ = toml::parse(std::string_view(bytes_));
  } catch (const toml::parse_error& error) {
    const std::string what(error.description());
    std::string right = "correct the TOML syntax";
    if (what.find("redefine") != std::string::npos) right = "give every key and table once";
    if (what.find("representable") != std::string::npos) right = "write large numbers as strings";
    throw InputError(name_, place(error.source()), "not valid TOML: " + one_line(what), right);
  }
}

/// Refuses what the parser does not guard itself against: it recurses into dotted keys without a limit (a
/// case needs no more than one dot), and takes for granted that table headers start with a key and values
/// with neither a closing brace nor an exotic blank. Follows strings, comments and brackets as TOML does; the
/// parser stops where the two would disagree.
void TomlFile::require_harmless_keys() const {
  constexpr int kMaxDots = 8;
  const std::string_view text = bytes_;
  std::size_t line = 1, line_start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte order mark is legal
  int dots = 0;                                                                 // of this key
  std::string open;                                                             // brackets and braces
  bool line_is_blank = true;
  const auto refuse = [&](std::size_t at, const std::string& wrong, const std::string& right) {
    // Columns count code points, not their continuation bytes.
    std::size_t column = 1;
    for (std::size_t k = line_start; k < at; ++k)
      column += (static_cast<unsigned char>(text[k]) & 0xC0) != 0x80;
    throw InputError(name_, source_place(line, column), wrong, right);
  };
  for (std::size_t i = line_start; i < text.size(); ++i) {
    const char c = text[i];
    const bool first = line_is_blank;
    line_is_blank = c == '\n' || (line_is_blank && (c == ' ' || c == '\t'));
    if (c == '"' || c == '\'') {
      const bool multi_line = text.substr(i, 3) == std::string(3, c);
      const std::string_view end = multi_line ? text.substr(i, 3) : text.substr(i, 1);
      for (i += end.size(); i < text.size() && text.substr(i, end.size()) != end; ++i) {
        if (c == '"' && text[i] == '\\') ++i;
        if (i < text.size() && text[i] == '\n') {
          ++line;
          line_start = i + 1;
          if (!multi_line) break;
        }
      }
      // `i` goes on after the delimiter; up to two quotes more may belong to a multi-line string.
      i += end.size() - 1;
      for (int extra = 0; multi_line && extra < 2 && i + 1 < text.size() && text[i + 1] == c; ++extra) ++i;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++dots > kMaxDots) {
        refuse(i, "the key has more than " + std::to_string(kMaxDots) + " dots",
               "no key of a case needs more than one");
      }
    } else if (c == '\n' || c == ',' || c == '=' || c == '{' || c == '[') {
      dots = 0;
      if (c == '[' && open.empty() && first) {
        const std::size_t key = text.find_first_not_of(" \t", text.substr(i, 2) == "[[" ? i + 2 : i + 1);
        if (key == std::string_view::npos || !starts_key(text[key])) {
          refuse(i, "not valid TOML: the table header does not start with a key",
                 "write [layer], for example");
        }
      }
      if (c == '{' || c == '[') open += c;
      if (c == '\n') {
        ++line;
        line_start = i + 1;
      }
    } else if (c == '}' || c == ']') {
      if (!open.empty() && open.back() != (c == '}' ? '{' : '[')) {
        refuse(i, std::string("not valid TOML: '") + c + "' does not close '" + open.back() + "'",
               "close brackets and braces in the order of opening");
      }
      if (!open.empty()) open.pop_back();
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      refuse(i, "not valid TOML: a character that is not ASCII outside of strings and comments",
             "write keys and text in quotes");
    }
  }
}

std::string TomlFile::place(const toml::source_region& source) {
  return source_place(std::max<std::size_t>(source.begin.line, 1),
                      std::max<std::size_t>(source.begin.column, 1));
}

void TomlFile::fail(const toml::node& node, const std::string& wrong, const std::string& right) const {
  throw InputError(name_, place_of(node), wrong, right);
}

void TomlFile::fail_limit(const toml::node& node, const std::string& message) const {
  throw LimitError(located(name_, place_of(node), message));
}

void TomlFile::require_known_keys(const toml::table& table, const std::string& where,
                                  const std::vector<std::string>& known) const {
  const toml::key* unknown = nullptr;
  for (const auto& [key, value] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const auto position = [](const toml::key& k) {
      return std::pair(k.source().begin.line, k.source().begin.column);
    };
    if (unknown == nullptr || position(key) < position(*unknown)) unknown = &key;
  }
  if (unknown == nullptr) return;
  const std::string word(unknown->str());
  const std::string guess = nearest(word, known);
  throw InputError(
      name_, place(unknown->source()), "unknown key " + in_quotes(word) + " in " + where,
      guess.empty() ? "known keys are " + joined(known) : "did you mean " + in_quotes(guess) + "?");
}

void TomlFile::refuse_keys(const toml::table& table, const std::vector<std::string>& keys,
                           const std::string& wrong, const std::string& right) const {
  for (const std::string& key : keys)
    if (const toml::node* const node = table.get(key)) fail(*node, key + " " + wrong, right);
}

void TomlFile::wrong_type(const toml::node& node, const std::string& name,
                          const std::string& expected) const {
  const std::string found = node.is_floating_point() ? "the float " + written_float(node) : type_text(node);
  fail(node, name + " is " + found, "it must be " + expected);
}

/// The characters of the file that `node`, a float, was read from.
std::string TomlFile::written_float(const toml::node& node) const {
  std::size_t position = 0;
  for (std::size_t line = 1; line < node.source().begin.line && position != std::string::npos; ++line) {
    position = bytes_.find('\n', position);
    if (position != std::string::npos) ++position;
  }
  // Columns count code points.
  for (std::size_t column = 1; column < node.source().begin.column && position < bytes_.size(); ++column) {
    do {
      ++position;
    } while (position < bytes_.size() && (static_cast<unsigned char>(bytes_[position]) & 0xC0) == 0x80);
  }
  if (position >= bytes_.size()) return "";
  const std::size_t end = bytes_.find_first_not_of("0123456789+-._eEinfa", position);
  return one_line(std::string_view(bytes_).substr(position, end == std::string::npos ? end : end - position),
                  60);
}

void TomlFile::refuse_float(const toml::node& node, const std::string& name) const {
  const double value = node.as_floating_point()->get();
  const std::string written = written_float(node);
  if (!std::isfinite(value)) {
    fail(node, name + " is " + written, "every number must be finite: an integer or a string like \"1/3\"");
  }
  std::string decimal = written;
  std::erase(decimal, '_');
  if (decimal.starts_with('+')) decimal.erase(0, 1);
  const std::string doubles = "\"" + hexadecimal(value) + "\" for the nearest double";
  std::string right = "write " + doubles;
  try {
    const mpq_class exact = parse_number(decimal);
    if (exact == mpq_class(value)) {
      right = "write \"" + decimal + "\"";
    } else {
      const std::string fraction = number_text(exact);
      right = "write \"" + decimal + "\" for exactly " + (fraction.size() <= 40 ? fraction : "this decimal") +
              ", or " + doubles;
    }
  } catch (const std::invalid_argument&) {
    // The text is too long to be repeated, or its exponent is beyond the limit.
  }
  fail(node, name + ": the bare float " + written + " could mean the decimal or the nearest double", right);
}

const toml::table& TomlFile::table(const toml::node& node, const std::string& name,
                                   const std::string& expected) const {
  if (!node.is_table()) wrong_type(node, name, expected);
  return *node.as_table();
}

std::int64_t TomlFile::integer(const toml::node& node, const std::string& name) const {
  if (!node.is_integer()) wrong_type(node, name, "an integer");
  return node.as_integer()->get();
}

std::string TomlFile::text(const toml::node& node, const std::string& name) const {
  if (!node.is_string()) wrong_type(node, name, "a string");
  const std::string value = node.as_string()->get();
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      fail(node, name + " contains a control character", "write it on one line");
  }
  return value;
}

bool TomlFile::boolean(const toml::node& node, const std::string& name) const {
  if (!node.is_boolean()) wrong_type(node, name, "true or false");
  return node.as_boolean()->get();
}

mpq_class TomlFile::number(const toml::node& node, const std::string& name) const {
  if (node.is_integer()) return mpq_class(static_cast<long>(node.as_integer()->get()));
  if (node.is_floating_point()) refuse_float(node, name);
  if (!node.is_string()) wrong_type(node, name, "an exact number: an integer or a string like \"1/3\"");
  try {
    return read_numeral(node.as_string()->get());
  } catch (const std::invalid_argument& error) {
    throw InputError(name_, place_of(node), name + ": " + error.what());
  }
}

mpz_class TomlFile::whole_number(const toml::node& node, const std::string& name) const {
  const mpq_class value = number(node, name);
  if (value.get_den() != 1)
    fail(node, name + " is " + one_line(number_text(value), 60), "it must be an integer");
  return value.get_num();
}

}  // namespace attest
