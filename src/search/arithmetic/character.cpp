#include "search/arithmetic/character.hpp"

#include <algorithm>

#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

// The k-th safe prime at or below `start` downwards; 7 mod 8 when 2 has to be a square, so that 2 has order
// q.
std::uint64_t safe_prime(std::uint64_t start, std::size_t k, bool seven_mod_eight) {
  for (std::uint64_t p = start; p > 7; --p) {
    if (p % 4 != 3 || (seven_mod_eight && p % 8 != 7)) continue;
    if (is_prime((p - 1) / 2) && is_prime(p) && k-- == 0) return p;
  }
  return 7;
}

Character character(std::uint64_t start, Ring ring, std::size_t k) {
  const bool two = ring == Ring::two;
  // Away from base 2 the point g matters as much as the prime: squares of scattered residues have order q.
  const std::uint64_t p = safe_prime(start, two ? k : k / 4, two);
  const std::uint64_t root = 2 + (0x9E3779B97F4A7C15u * (k + 1)) % (p - 4);
  return {p, (p - 1) / 2, two ? 2 : multiply_mod(root, root, p)};
}

}  // namespace

Character small_character(Ring ring, std::size_t k) {
  return character((std::uint64_t{1} << 23) - 1, ring, k);
}
Character large_character(Ring ring, std::size_t k) {
  return character((std::uint64_t{1} << 60) - 1, ring, k);
}

PowerTable::PowerTable(const Character& c) : p_(c.p), shift_(0), q_(static_cast<double>(c.q)), reduce_(c.p) {
  while ((std::uint64_t{1} << (2 * shift_)) < c.q) ++shift_;
  mask_ = (std::uint64_t{1} << shift_) - 1;
  low_.resize(mask_ + 1);
  high_.resize((c.q >> shift_) + 1);
  const double g = blas::balanced(c.g, c.p);
  low_[0] = high_[0] = 1;
  for (std::size_t i = 1; i < low_.size(); ++i) low_[i] = reduce_(low_[i - 1] * g);
  const double step = reduce_(low_.back() * g);
  for (std::size_t i = 1; i < high_.size(); ++i) high_[i] = reduce_(high_[i - 1] * step);
}

std::uint64_t PowerTable::operator()(std::uint64_t x) const {
  return blas::unbalanced(reduce_(low_[x & mask_] * high_[x >> shift_]), p_);
}

// Look-ups and arithmetic are separate loops, so that compilers vectorize the latter.
ATTEST_EACH_VECTOR_UNIT void PowerTable::replace(std::span<double> values) const {
  constexpr std::size_t kBuffer = 256;
  std::int32_t exponents[kBuffer];
  const auto mask = static_cast<std::int32_t>(mask_), shift = static_cast<std::int32_t>(shift_);
  const BalancedReduction reduce = reduce_;
  for (std::size_t first = 0; first < values.size(); first += kBuffer) {
    const std::size_t size = std::min(kBuffer, values.size() - first);
    double* const to = values.data() + first;
    for (std::size_t i = 0; i < size; ++i)
      exponents[i] = static_cast<std::int32_t>(to[i] < 0 ? to[i] + q_ : to[i]);
    for (std::size_t i = 0; i < size; ++i) to[i] = low_[exponents[i] & mask] * high_[exponents[i] >> shift];
    for (std::size_t i = 0; i < size; ++i) to[i] = reduce(to[i]);
  }
}

}  // namespace attest
