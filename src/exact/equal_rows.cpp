#include "exact/equal_rows.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace attest {
namespace {

std::uint64_t word(double x) {
  return std::bit_cast<std::uint64_t>(x + 0.0);  // -0.0 + 0.0 = 0.0: equal numbers, equal words
}
std::uint64_t word(std::int64_t x) {
  return static_cast<std::uint64_t>(x);
}
std::uint64_t word(const mpq_class& x) {
  return mpz_get_ui(x.get_num_mpz_t()) + 3 * mpz_get_ui(x.get_den_mpz_t());
}

template <class T>
std::vector<std::size_t> first_equal(const std::vector<T>& entries, std::size_t length) {
  const auto row = [&](std::size_t k) { return entries.begin() + static_cast<std::ptrdiff_t>(k * length); };
  const auto hash = [&](std::size_t k) {
    std::uint64_t h = 0;
    for (std::size_t j = 0; j < length; ++j)
      h = std::rotl(h ^ word(row(k)[static_cast<std::ptrdiff_t>(j)]), 23) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(h ^ h >> 32);
  };
  const auto equal = [&](std::size_t a, std::size_t b) { return std::equal(row(a), row(a + 1), row(b)); };
  std::unordered_set<std::size_t, decltype(hash), decltype(equal)> seen(16, hash, equal);
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k < entries.size() / length; ++k) first.push_back(*seen.insert(k).first);
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
