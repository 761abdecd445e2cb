// How near coefficients are to a single 1.
#pragma once

#include <functional>
#include <vector>

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// Concludes that coefficients are within `epsilon` of a one-hot vector, in the 1-norm: next to the largest,
/// the others are at most b^x for these exponents x, so all of them together are off by at most 2 sum min(1,
/// b^x)
/// <= epsilon; b is 2 or e (docs/mathematics.md, The construction: *Claim 2*).
void check_distance(const Problem& problem, const std::vector<Rational>& exponents, const Rational& epsilon);

/// Of some objects, how many are shown to be on either side.
struct Sides {
  std::size_t above = 0, below = 0;

  void operator+=(const Sides& more) {
    above += more.above;
    below += more.below;
  }
};
/// Hears how many examples are done, for people who wait; it changes nothing.
using Reached = std::function<void(std::size_t examples)>;
/// By example, for each of these heads of the given layer: whether the largest coefficient is above the
/// threshold, or at most the threshold. It is 1 / S, S the sum of the powers when the largest is 1, and is
/// rounded to multiples of 2^-bits, so that a third is not told from a third (docs/mathematics.md, Quantities
/// about Z: *Saturation*). What is told without a stack does not depend on which examples are
/// asked for together.
std::vector<std::vector<Sides>> sides_of_largest_coefficients(const Problem& problem, const Layer& given,
                                                              const std::vector<std::size_t>& heads,
                                                              const std::vector<std::size_t>& examples,
                                                              const Rational& threshold, std::size_t bits,
                                                              const Reached& reached = {});
}  // namespace attest::kernel
