// Heads that point at tokens, for the rule `coefficients` (docs/certificate.md).
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// A minor, not 0 modulo p, of the rows that heads put out which point at tokens.
struct Pointing {
  std::uint64_t p = 0;
  std::vector<std::size_t> rows, cols;
  /// For each of the rows and each head a token, or the sink, one index more.
  std::vector<std::vector<std::size_t>> tokens;
  /// Whether all examples could be rows, so that hardly any other choice has a larger minor.
  bool all = false;

  /// capacity >= |rows|.
  void add_to(ProofScript& script) const;
};

/// One of largest size, at most `most`, but for bad luck. Preconditions: contexts and queries, no sigmoid
/// coefficients.
Pointing largest_pointing(const Case& c, std::size_t most);

}  // namespace attest
