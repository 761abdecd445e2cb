#include "base/hints.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/wrapped.hpp"

namespace attest {
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
  return std::string("[").append(integer_list(index, ", ")) + "]";
}

std::vector<std::size_t> unflatten(std::size_t flat, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t k = shape.size(); k-- > 0;) {
    index[k] = flat % shape[k];
    flat /= shape[k];
  }
  return index;
}

std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + last + " " : ", ";
    out += words[i];
  }
  return out;
}

std::string located(const std::string& file, const std::string& place, const std::string& message) {
  return file + ": " + (place.empty() ? "" : place + ": ") + message;
}

std::string wrapped_lines(const std::string& text) {
  constexpr std::size_t kDeeper = 4, kMost = 40;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    out += wrapped(line, std::min(line.find_first_not_of(' '), kMost) + kDeeper);
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace attest
