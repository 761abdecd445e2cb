#include "cli/markup.hpp"

namespace attest {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char ch : text) switch (ch) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += static_cast<unsigned char>(ch) < 0x20 || ch == 0x7f ? ' ' : ch;
    }
  return out;
}

}  // namespace attest
