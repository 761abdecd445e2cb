#include "problem/generate.hpp"

namespace attest {

std::uint64_t SplitMix64::next() {
  state_ += 0x9E3779B97F4A7C15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint64_t SplitMix64::below(std::uint64_t bound) {
  const std::uint64_t incomplete = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t x = next();
  while (incomplete != 0 && x >= 0 - incomplete) x = next();
  return x % bound;
}

ExactArray DrawnIntegers::draw(const std::vector<std::size_t>& shape, std::uint64_t stream) const {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  SplitMix64 random(seed, stream);
  std::vector<std::int64_t> entries(count);
  for (auto& entry : entries) entry = next(random);
  return ExactArray(shape, std::move(entries));
}

}  // namespace attest
