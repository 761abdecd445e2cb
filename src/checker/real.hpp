// Real numbers by enclosures: the conditions of the rules `ball` and `inverse`.
#pragma once

#include <vector>

#include "checker/layer.hpp"
#include "checker/spectrum.hpp"

namespace attest::checker {

/// A real number, at most `rad` from `mid`.
struct Ball {
  Rational mid, rad;
};

/// Integers that enclose a minor of Z: |2^bits Z - mid| <= rad in every entry.
struct EnclosedZ {
  IntegerMatrix mid, rad;
};
/// With the case's scale for its weights; with `lambda`, for all lambdas of separators from there on. With
/// `one_radius`, each row of `rad` is a single number, for all of its entries.
EnclosedZ enclosed_z(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols, std::size_t bits, const Rational* lambda = nullptr,
                     bool one_radius = false);

/// Shows A U = Y for the columns `cols` of Z, as `inverse` and `balls` say.
void check_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                   const RationalMatrix& inverse, const std::vector<std::vector<Ball>>& balls,
                   std::size_t bits, bool skip_connection);

/// Shows that |I - R M| w < w for the minor M of Z with separators of any lambdas >= `lambda`.
void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const RationalMatrix& inverse, const std::vector<Rational>& scale);

/// Shows that 2 sum min(1, b^x) <= epsilon over the exponents x; b is 2 or e.
void check_distance(const Problem& problem, const std::vector<Rational>& exponents, const Rational& epsilon);

/// Of some objects, how many are shown to be on either side.
struct Sides {
  std::size_t above = 0, below = 0;
};
/// For each of these heads of the given layer, the examples whose largest coefficient is above the threshold,
/// or at most the threshold.
std::vector<Sides> count_largest_coefficients(const Problem& problem, const Layer& given,
                                              const std::vector<std::size_t>& heads,
                                              const Rational& threshold, std::size_t bits);
/// Examples that the whole layer gets right, or wrong, in the sense of the claim.
Sides count_examples(const Problem& problem, const Claim& claim, const Layer& given, std::size_t bits);

}  // namespace attest::checker
