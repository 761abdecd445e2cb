#include "attention/distinct.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <unordered_map>

namespace attest {
namespace {

// Long rows (contexts) are hashed by a sample, because they are compared anyway when hashes agree.
constexpr std::size_t kSample = 1024;
// Rows of one hash that are compared; a limit, so that rows made to collide cost little.
constexpr std::size_t kCompared = 4;

// Equal for equal entries: -0 counts as 0.
template <class Entry>
std::uint64_t bits_of(const Entry& x) {
  if constexpr (std::is_same_v<Entry, mpq_class>) {
    constexpr std::uint64_t prime = 0xFFFFFFFFFFFFFFC5u;
    return mpz_fdiv_ui(x.get_num_mpz_t(), prime) * 3 + mpz_fdiv_ui(x.get_den_mpz_t(), prime);
  } else if constexpr (std::is_same_v<Entry, float>) {
    return std::bit_cast<std::uint32_t>(x + 0.0f);
  } else {
    return std::bit_cast<std::uint64_t>(x + Entry{0});
  }
}

template <class Entry>
std::vector<std::size_t> equal_rows_of(const std::vector<Entry>& entries, std::size_t width) {
  const std::size_t rows = entries.size() / width, stride = width <= kSample ? 1 : width / kSample;
  std::vector<std::size_t> result(rows);
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> seen;
  seen.reserve(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const Entry* row = entries.data() + k * width;
    // Four sums at once, because each waits for its last product.
    std::uint64_t hash[4] = {1, 2, 3, 4};
    std::size_t j = 0;
    for (; j + 3 * stride < width; j += 4 * stride)
      for (std::size_t l = 0; l < 4; ++l)
        hash[l] = (hash[l] ^ bits_of(row[j + l * stride])) * 0x9E3779B97F4A7C15u;
    for (; j < width; j += stride) hash[0] = (hash[0] ^ bits_of(row[j])) * 0x9E3779B97F4A7C15u;
    std::uint64_t all = 0;
    for (std::uint64_t h : hash) all = (all ^ h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
    std::vector<std::size_t>& candidates = seen[all];
    const auto equal = std::find_if(candidates.begin(), candidates.end(), [&](std::size_t other) {
      return std::equal(row, row + width, entries.data() + other * width);
    });
    result[k] = equal == candidates.end() ? k : *equal;
    if (equal == candidates.end() && candidates.size() < kCompared) candidates.push_back(k);
  }
  return result;
}

}  // namespace

std::vector<std::size_t> equal_rows(const ExactArray& array, std::size_t width) {
  return std::visit([&](const auto& entries) { return equal_rows_of(entries, width); }, array.storage());
}

}  // namespace attest
