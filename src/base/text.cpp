#include "base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

/// The length of the character that starts at text[i] if it may be printed: valid UTF-8 and neither a control
/// character nor one that is invisible or turns the direction of writing. Otherwise 0.
std::size_t printable(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(i);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  unsigned code = first & (0x7fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i + k) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool direction = code == 0xad || code == 0x61c || code == 0x180e ||
                         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
                         (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe007f);
  return code < 0xa0 || code > 0x10ffff || overlong || surrogate || direction ? 0 : length;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (i >= limit) return out + "...";
    const std::size_t length = printable(text, i);
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text[i++]);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  return '"' + one_line(text, 60) + '"';
}

std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + last + " " : ", ";
    out += words[i];
  }
  return out;
}

namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  if (word.size() > 64) return "";
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  const std::size_t tolerated = std::max<std::size_t>(2, std::max(word.size(), best.size()) / 3);
  return best_distance <= tolerated && best_distance < best.size() ? best : "";
}

std::string index_text(const std::vector<std::size_t>& index) {
  std::string out = "[";
  for (std::size_t i = 0; i < index.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(index[i]);
  return out + "]";
}

std::vector<std::size_t> unflatten(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t k = shape.size(); k-- > 0;) {
    index[k] = flat % shape[k];
    flat /= shape[k];
  }
  return index;
}

std::string located(const std::string& file, const std::string& place, const std::string& message) {
  return file + ": " + (place.empty() ? "" : place + ": ") + message;
}

}  // namespace attest
