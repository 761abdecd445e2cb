// Generated arrays: documented in docs/case-files.md, so that anybody can reproduce them.
#pragma once

#include <cstdint>
#include <string>
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

/// What `generate = {...}` asks for.
struct Generator {
  enum class Kind {
    integers,     ///< uniform on {-bound, ..., bound}
    rationals,    ///< p/q, p uniform on {-bound, ..., bound}, q uniform on {1, ..., denominator}
    uniform_f64,  ///< k 2^-53, k uniform on {0, ..., 2^53 - 1}
    normal_f64,   ///< Box-Muller at 128 bits, rounded once to binary64
  };
  Kind kind = Kind::integers;
  std::uint64_t seed = 0;
  std::uint64_t bound = 9;
  std::uint64_t denominator = 9;
  mpq_class scale = 1;  ///< every entry is multiplied by it, exactly

  /// The array of this shape drawn from the given stream.
  ExactArray draw(const std::vector<std::size_t>& shape, std::uint64_t stream) const;
};

/// The streams: each array of a case has its own, so that adding one does not change the others.
namespace stream {
inline constexpr std::uint64_t contexts = 1, queries = 2, labels = 3, key = 4, query = 5, key_bias = 6,
                               query_bias = 7, readout = 8, sink = 9;
/// The keys of layer k before the layer; its queries and values have the next two.
inline constexpr std::uint64_t stack(std::uint64_t k) {
  return 32 + 3 * k;
}
}  // namespace stream

}  // namespace attest
