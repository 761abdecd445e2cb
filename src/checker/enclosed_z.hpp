// Integers that enclose entries of Z.
#pragma once

#include <vector>

#include "checker/layer.hpp"
#include "checker/spectrum.hpp"

namespace attest::checker {

/// |2^bits Z - mid| <= rad in every entry of some rows and columns of Z (docs/mathematics.md, Quantities
/// about Z: *quotients of enclosed sums*). Where the coefficients are multiples of 2^-bits, or the tokens'
/// entries are all 0, so that nothing is rounded, rad is 0.
struct EnclosedZ {
  IntegerMatrix mid, rad;
};
/// With the case's scale for its weights; with `lambda`, for all lambdas of separators from there on.
EnclosedZ enclosed_z(Logits& logits, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols, std::size_t bits,
                     const Rational* lambda = nullptr);

}  // namespace attest::checker
