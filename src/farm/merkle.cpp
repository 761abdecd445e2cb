#include "farm/merkle.hpp"

#include "base/sha256.hpp"

namespace attest {
namespace {

constexpr std::string_view kLeaf("\0", 1), kNode("\1", 1);

std::string bytes_of(const std::string& hex) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(16 * value(hex[i]) + value(hex[i + 1]));
  return bytes;
}

}  // namespace

std::string merkle_leaf(std::string_view bytes) {
  Sha256 hash;
  hash.add(kLeaf);
  hash.add(bytes);
  return hash.hex();
}

std::string merkle_root(std::vector<std::string> level) {
  if (level.empty()) return sha256_hex("");
  // Splitting at the largest power of two below the size, as the RFC does, is pairing neighbours level by
  // level, the last one going up alone when there is nobody beside it.
  while (level.size() > 1) {
    std::vector<std::string> above;
    for (std::size_t k = 0; k + 1 < level.size(); k += 2) {
      Sha256 hash;
      hash.add(kNode);
      hash.add(bytes_of(level[k]));
      hash.add(bytes_of(level[k + 1]));
      above.push_back(hash.hex());
    }
    if (level.size() % 2 == 1) above.push_back(level.back());
    level = std::move(above);
  }
  return level[0];
}

}  // namespace attest
