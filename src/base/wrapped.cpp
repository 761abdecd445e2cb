#include "base/wrapped.hpp"

#include <algorithm>

namespace attest {

std::string wrapped(const std::string& line, std::size_t margin) {
  constexpr std::size_t kColumns = 120;
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size();) {
    // Up to the next blank that has no other beside it.
    std::size_t end = std::min(line.find_first_not_of(' ', at), line.size());
    do {
      end = std::min(line.find(' ', end + 1), line.size());
    } while (end + 1 < line.size() && (line[end + 1] == ' ' || line[end - 1] == ' '));
    const auto columns = static_cast<std::size_t>(
        std::count_if(line.begin() + static_cast<long>(at), line.begin() + static_cast<long>(end),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
    const bool broken = column > margin && column + columns > kColumns;
    const std::size_t from = broken ? at + 1 : at;  // without the blank
    if (broken) (out += '\n').append(margin, ' ');
    column = broken ? margin + columns - 1 : column + columns;
    out.append(line, from, end - from);
    at = end;
  }
  return out;
}

}  // namespace attest
