// Sums of c * b^x with rational c and x, decided exactly (docs/certificate.md, "The ring").
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "search/arithmetic/character.hpp"
#include "search/arithmetic/matrix.hpp"

namespace attest {

/// An element of the ring that the powers of the base generate over Q; exponents are kept in normal form, so
/// that the element is zero exactly when no term is left.
class GroupRingElement {
public:
  using Terms = std::map<mpq_class, mpq_class>;  ///< exponent -> coefficient, non-zero

  explicit GroupRingElement(Ring ring) : ring_(ring) {}
  GroupRingElement(Ring ring, const mpq_class& coefficient, const mpq_class& exponent) : ring_(ring) {
    add(coefficient, exponent);
  }

  void add(const mpq_class& coefficient, const mpq_class& exponent);
  GroupRingElement& operator+=(const GroupRingElement& other);
  GroupRingElement operator*(const GroupRingElement& other) const;
  bool is_zero() const { return terms_.empty(); }
  const Terms& terms() const { return terms_; }
  /// The image under a character; empty when a denominator vanishes.
  std::optional<std::uint64_t> image(const Character& c) const;

private:
  Ring ring_;
  Terms terms_;
};

/// A matrix over the ring.
using GroupRingMatrix = std::vector<std::vector<GroupRingElement>>;

/// The right kernel of a matrix over the ring, over its fraction field, by elimination (FLINT's polynomial
/// matrices; for Ring::two linear algebra over Q with the field Q(2^(1/D)) as a vector space): a basis whose
/// vectors have entries in the ring. Empty when the exponents are too many or too far apart (`degree_limit`),
/// which is a limit of effort, not of validity.
std::optional<std::vector<std::vector<GroupRingElement>>> right_kernel(const GroupRingMatrix& a,
                                                                       std::size_t cols, Ring ring,
                                                                       std::size_t degree_limit);

}  // namespace attest
