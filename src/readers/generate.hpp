// Generated arrays: documented in docs/case-files.md, so that anybody can reproduce them.
#pragma once

#include "problem/generate.hpp"

namespace attest {

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

}  // namespace attest
