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

std::string wrapped(const std::string& line, std::size_t margin) {
  constexpr std::size_t kColumns = 120;
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const auto columns = static_cast<std::size_t>(
        std::count_if(line.begin() + static_cast<long>(at), line.begin() + static_cast<long>(end),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
    if (column > margin && column + columns > kColumns) {
      out += "\n" + std::string(margin, ' ');
      column = margin + columns - (word - at);
      out.append(line, word, end - word);
    } else {
      out.append(line, at, end - at);
      column += columns;
    }
    at = end;
  }
  return out;
}

void complain(const std::string& error) {
  std::cerr << one_line(error, std::string::npos) << "\n";
}

}  // namespace attest
