// The whole layer, for statements about what it puts out.
#pragma once

#include "kernel/quantities/saturation.hpp"

namespace attest::kernel {

/// Of each of these examples whether the whole layer gets it right (above), or wrong, in the sense of the
/// claim: the score of the class exceeds every other, or every score is within epsilon of its label. The
/// scores are affine in the means of the heads, rows of Z, which are enclosed at `bits`; all else is exact
/// (docs/mathematics.md, Quantities about Z: *Accuracy*).
std::vector<Sides> sides_of_examples(const Problem& problem, const Claim& claim, const Layer& given,
                                     const std::vector<std::size_t>& examples, std::size_t bits,
                                     const Reached& reached = {});

}  // namespace attest::kernel
