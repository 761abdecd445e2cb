#include "search/arithmetic/equal_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <unordered_map>

#include "base/parallel.hpp"

namespace attest {
namespace {

// Long rows (contexts) are hashed by a sample, because they are compared anyway when hashes agree.
constexpr std::size_t kSample = 1024;

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
std::uint64_t hash_of(const Entry* row, std::size_t length) {
  const std::size_t stride = length <= kSample ? 1 : length / kSample;
  // Four sums at once, because each waits for its last product.
  std::uint64_t sums[4] = {1, 2, 3, 4};
  std::size_t j = 0;
  for (; j + 3 * stride < length; j += 4 * stride)
    for (std::size_t l = 0; l < 4; ++l)
      sums[l] = (sums[l] ^ bits_of(row[j + l * stride])) * 0x9E3779B97F4A7C15u;
  for (; j < length; j += stride) sums[0] = (sums[0] ^ bits_of(row[j])) * 0x9E3779B97F4A7C15u;
  std::uint64_t hash = 0;
  for (std::uint64_t sum : sums) hash = (hash ^ sum ^ (sum >> 29)) * 0xBF58476D1CE4E5B9u;
  return hash;
}

template <class Entries>
std::vector<std::size_t> first_equal(const Entries& entries, std::size_t length) {
  const std::size_t rows = entries.size() / length;
  std::vector<std::size_t> first(rows), next(rows, rows);  // next: the next different row of the same hash
  std::vector<std::uint64_t> hashes(rows);
  in_ranges(rows, 4 * rows * std::min(length, kSample), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) hashes[k] = hash_of(entries.data() + k * length, length);
  });
  std::unordered_map<std::uint64_t, std::size_t> seen;
  for (std::size_t k = 0; k < rows; ++k) {
    const auto* row = entries.data() + k * length;
    std::size_t other = seen.try_emplace(hashes[k], k).first->second;
    while (other != k && !std::equal(row, row + length, entries.data() + other * length)) {
      if (next[other] == rows) next[other] = k;
      other = next[other];
    }
    first[k] = other;
  }
  return first;
}

}  // namespace

std::vector<std::size_t> first_equal_rows(const ExactArray& array, std::size_t length) {
  return std::visit([&](const auto& entries) { return first_equal(entries, length); }, array.storage());
}

std::size_t count_distinct_rows(const ExactArray& array, std::size_t length) {
  const std::vector<std::size_t> first = first_equal_rows(array, length);
  std::size_t count = 0;
  for (std::size_t k = 0; k < first.size(); ++k) count += first[k] == k ? 1 : 0;
  return count;
}

}  // namespace attest
