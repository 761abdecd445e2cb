// Sums of c * b^x with rational c and x, decided exactly (docs/certificate.md, "The ring").
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/layers/ring.hpp"
#include "search/arithmetic/character.hpp"
#include "search/arithmetic/matrix.hpp"

namespace attest {

/// An element of the ring: no term is left exactly when it is zero.
using RingElement = kernel::PowerSums::Scalar;

/// b^logit for each of them and their sum. A LimitError when a power of two is too large to expand.
kernel::Attention<kernel::PowerSums> expanded(const kernel::PowerSums& ring,
                                              const std::vector<mpq_class>& logits);
/// The image under a character; empty when a denominator vanishes.
std::optional<std::uint64_t> image_of(const RingElement& element, const Character& c);

/// A matrix over the ring.
using GroupRingMatrix = std::vector<std::vector<RingElement>>;

/// The right kernel of a matrix over the ring, over its fraction field, by elimination (FLINT's polynomial
/// matrices; for Ring::two linear algebra over Q with the field Q(2^(1/D)) as a vector space): a basis whose
/// vectors have entries in the ring. Empty when the exponents are too many or too far apart (`degree_limit`),
/// which is a limit of effort, not of validity.
std::optional<std::vector<std::vector<RingElement>>> right_kernel(const GroupRingMatrix& a, std::size_t cols,
                                                                  Ring ring, std::size_t degree_limit);

}  // namespace attest
