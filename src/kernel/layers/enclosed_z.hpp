// Integers that enclose entries of Z.
#pragma once

#include <vector>

#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// |2^bits Z - mid| <= rad in every entry of some rows and columns of Z (docs/mathematics.md, Quantities
/// about Z: *quotients of enclosed sums*). Where the coefficients are multiples of 2^-bits, or the tokens'
/// entries are all 0, so that nothing is rounded, rad is 0.
struct EnclosedZ {
  IntegerMatrix mid, rad;
};
/// With the case's scale for its weights; with `lambda`, for all lambdas of separators from there on. With
/// `one_radius`, each row of `rad` is a single number, for all of its entries: 1.4 times as fast for a
/// numerical rank at T = 300, n = 16, d = 32, H = 8, 1.3 for an accuracy at T = 500, n = 16, d = 64, H = 8.
EnclosedZ enclosed_z(Logits& logits, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols, std::size_t bits, const Rational* lambda = nullptr,
                     bool one_radius = false);

}  // namespace attest::kernel
