// Drawn integers: documented in docs/case-files.md, so that anybody can reproduce them.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/exact_array.hpp"

namespace attest {

/// SplitMix64 (Steele, Lea, Flood 2014). Stream s of seed k starts in the state 256 k + s (mod 2^64).
class SplitMix64 {
public:
  SplitMix64(std::uint64_t seed, std::uint64_t stream) : state_(256 * seed + stream) {}
  std::uint64_t next();
  /// Uniform in [0, bound), by rejection of the incomplete last block. Precondition: bound > 0.
  std::uint64_t below(std::uint64_t bound);

private:
  std::uint64_t state_;
};

/// Integers, uniform on {-bound, ..., bound}. Precondition: bound < 2^63.
struct DrawnIntegers {
  std::uint64_t seed = 0, bound = 9;
  /// The next one of a stream.
  std::int64_t next(SplitMix64& random) const {
    return static_cast<std::int64_t>(random.below(2 * bound + 1)) - static_cast<std::int64_t>(bound);
  }
  /// The array of this shape drawn from the given stream.
  ExactArray draw(const std::vector<std::size_t>& shape, std::uint64_t stream) const;
};

/// The streams: each array of a case has its own, so that adding one does not change the others.
namespace stream {
inline constexpr std::uint64_t contexts = 1, queries = 2, labels = 3, key = 4, query = 5, key_bias = 6,
                               query_bias = 7, readout = 8, sink = 9;
/// The keys of layer k of the stack; its queries and values have the next two.
inline constexpr std::uint64_t stack(std::uint64_t k) {
  return 32 + 3 * k;
}
}  // namespace stream

}  // namespace attest
