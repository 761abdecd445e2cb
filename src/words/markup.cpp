#include "words/markup.hpp"

#include <algorithm>
#include <iostream>

#include "base/text.hpp"

namespace attest {

std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t character = 0;
    const std::size_t length = utf8_character(text, at, character);
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
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += one_line(std::string_view(text).substr(at, end - at), std::string::npos);
    if (end == text.size()) return out;
    out += '\n';
    at = end + 1;
  }
}

void complain(const std::string& error) {
  std::cerr << one_line(error, std::string::npos) << "\n";
}

}  // namespace attest
