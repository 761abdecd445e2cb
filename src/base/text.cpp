#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <utility>

namespace attest {

namespace {

/// What shows nothing, something else, or the end of a quotation, between these characters.
constexpr std::pair<std::uint32_t, std::uint32_t> kHidden[] = {
    {0x00, 0x1f},                                              // control characters
    {0x7f, 0xa0},                                              // and a blank
    {0xab, 0xab},       {0xad, 0xad},       {0xbb, 0xbb},      // quotation marks, a soft hyphen
    {0x2b9, 0x2bc},     {0x2ee, 0x2ee},     {0x34f, 0x34f},    // primes, apostrophes; a joiner
    {0x61c, 0x61c},     {0x115f, 0x1160},   {0x1680, 0x1680},  // a mark of direction, blanks
    {0x17b4, 0x17b5},   {0x180b, 0x180f},                      // vowels and variants without form
    {0x2000, 0x200f},   {0x2018, 0x201f},   {0x2028, 0x202f},
    {0x2032, 0x2037},                                          // blanks, marks, quotation marks
    {0x2039, 0x203a},   {0x205f, 0x206f},   {0x275b, 0x2760},  // more of them
    {0x276e, 0x276f},   {0x2800, 0x2800},   {0x2e42, 0x2e42},  // and an empty braille pattern
    {0x3000, 0x3000},   {0x3008, 0x300f},   {0x301d, 0x301f},  // of East Asia
    {0x3164, 0x3164},   {0xd800, 0xf8ff},                      // surrogates, private use
    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xff02, 0xff02},  // variants, a byte order mark
    {0xff07, 0xff07},   {0xffa0, 0xffa0},   {0xfff0, 0xfffc},
    {0xfffe, 0xffff},                                             // of full and half width
    {0x1d159, 0x1d159}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},  // of music; tags, private use
};

/// Whether "::error ::" or "##[group]" may begin here, which services of continuous integration obey.
bool begins_command(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  const char after = at + 2 < text.size() ? text[at + 2] : ' ';
  return (two == "##" && (after == '[' || std::islower(static_cast<unsigned char>(after)))) ||
         (two == "::" && (at == 0 || text[at - 1] == ' '));
}

}  // namespace

std::size_t utf8_character(std::string_view text, std::size_t at, std::uint32_t& character) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  character = byte(0);
  if (character < 0x80) return at < text.size() ? 1 : 0;
  if (character < 0xc2 || character > 0xf4) return 0;
  const std::size_t length = character >= 0xf0 ? 4 : character >= 0xe0 ? 3 : 2;
  character &= 0x7fu >> length;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    character = character << 6 | (byte(k) & 0x3f);
  }
  const bool overlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  return overlong || surrogate || character > 0x10ffff ? 0 : length;
}

bool shows(std::uint32_t character) {
  return std::none_of(std::begin(kHidden), std::end(kHidden), [&](const auto& range) {
    return character >= range.first && character <= range.second;
  });
}

std::string one_line(std::string_view text, std::size_t limit) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (i >= limit) return out + "...";
    std::uint32_t character = 0;
    const std::size_t length = utf8_character(text, i, character);
    if (length > 0 && shows(character) && !begins_command(text, i)) {
      out += text.substr(i, length);
      i += length;
      continue;
    }
    for (const std::size_t end = i + std::max<std::size_t>(length, 1); i < end; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

std::string path_line(std::string_view path, std::size_t limit) {
  return one_line(path, limit);
}

std::string in_quotes(std::string_view text) {
  return '"' + one_line(text, 60) + '"';
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string annotation(const std::string& file, std::size_t line, std::size_t column,
                       const std::string& message) {
  const char* const github = std::getenv("GITHUB_ACTIONS");
  if (github == nullptr || std::string_view(github) != "true") return "";
  // Of what does not show GitHub would make what a terminal makes of it.
  const auto escaped = [](const std::string& text, std::string_view more) {
    std::string result;
    for (const char c : one_line(text, std::string::npos)) {
      if (c == '%' || more.find(c) != std::string_view::npos) {
        constexpr const char* kDigits = "0123456789ABCDEF";
        result += {'%', kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]};
      } else {
        result += c;
      }
    }
    return result;
  };
  std::string text = "::error file=" + escaped(file, ":,");
  if (line != 0) text += ",line=" + std::to_string(line) + ",col=" + std::to_string(column);
  return text + "::" + escaped(message, "") + "\n";
}

}  // namespace attest
