// Characters (docs/mathematics.md): ring homomorphisms that send c to c mod p and b^x to g^(x mod q), p = 2 q
// + 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/arithmetic/residues.hpp"

namespace attest {

/// Which multiplicative relations the powers of the base b have (docs/certificate.md, "The ring"), as
/// kernel::Ring: none, or 2^1 = 2.
enum class Ring { independent, two };
/// A character: p = 2 q + 1 with p, q prime, g of order q mod p (g = 2 for Ring::two).
struct Character {
  std::uint64_t p, q, g;
};

/// The k-th character that is tried; p is just below 2^23, where elimination on binary64 is fastest.
/// Deterministic.
Character small_character(Ring ring, std::size_t k);
/// The same with p just below 2^60, for exact identities that are searched for by rational reconstruction.
Character large_character(Ring ring, std::size_t k);

/// Powers of g by two look-ups.
class PowerTable {
public:
  /// Precondition: p < 2^24.
  explicit PowerTable(const Character& c);
  /// g^x mod p for 0 <= x < q.
  std::uint64_t operator()(std::uint64_t x) const;
  /// Balanced residues x mod q become those of g^x mod p.
  void replace(std::span<double> values) const;

private:
  std::uint64_t p_, shift_, mask_;
  double q_;
  BalancedReduction reduce_;
  std::vector<double> low_, high_;  ///< balanced
};

}  // namespace attest
