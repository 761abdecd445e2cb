#include "words/markup.hpp"

#include <algorithm>
#include <iostream>

#include "base/text.hpp"

namespace attest {

namespace {

// Length of the well-formed UTF-8 sequence at `at`, and its character; 0 when there is none.
std::size_t utf8_length(const std::string& text, std::size_t at, unsigned& character) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80       ? 1
                             : first >> 5 == 6  ? 2
                             : first >> 4 == 14 ? 3
                             : first >> 3 == 30 ? 4
                                                : 0;
  if (length == 0) return 0;
  character = length == 1 ? first : first & (0x7fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    character = character << 6 | (byte(k) & 0x3f);
  }
  static constexpr unsigned kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xd800 && character < 0xe000;
  return character < kLeast[length] || surrogate || character > 0x10ffff ? 0 : length;
}

bool invisible(unsigned ch) {
  return (ch < 0x20 && ch != '\n') || (ch >= 0x7f && ch < 0xa0) || (ch >= 0x200b && ch <= 0x200f) ||
         (ch >= 0x2028 && ch <= 0x202e) || (ch >= 0x2060 && ch <= 0x206f) || ch == 0xfeff;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    unsigned character = 0;
    const std::size_t length = utf8_length(text, at, character);
    if (length == 0 || character == 0xfffe || character == 0xffff)
      out += "\uFFFD";
    else if (character == '&')
      out += "&amp;";
    else if (character == '<')
      out += "&lt;";
    else if (character == '>')
      out += "&gt;";
    else if (character == '"')
      out += "&quot;";
    else if (character == '\'')
      out += "&#39;";
    else if (character < 0x20 || character == 0x7f)
      out += ' ';
    else
      out.append(text, at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string printable(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    unsigned character = 0;
    const std::size_t length = utf8_length(text, at, character);
    const std::size_t taken = length == 0 ? 1 : length;
    for (std::size_t k = 0; k < taken; ++k) {
      const auto byte = static_cast<unsigned char>(text[at + k]);
      if (length != 0 && !invisible(character))
        out += text[at + k];
      else
        out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
    at += taken;
  }
  return out;
}

void complain(const std::string& error) {
  std::cerr << one_line(error, std::string::npos) << "\n";
}

}  // namespace attest
