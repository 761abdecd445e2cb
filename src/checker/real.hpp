// Real numbers by enclosures: the conditions of the rules `ball` and `inverse`.
#pragma once

#include <vector>

#include "checker/layer.hpp"

namespace attest::checker {

/// A real number, at most `rad` from `mid`.
struct Ball {
  Rational mid, rad;
};

/// Shows A U = Y for the columns `cols` of Z, as `inverse` and `balls` say.
void check_enclosed_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                            const std::vector<std::vector<Rational>>& inverse,
                            const std::vector<std::vector<Ball>>& balls, std::size_t precision,
                            bool skip_connection);

/// Shows A U = Y exactly, in base 2 and for integer logits.
void check_exact_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                         const std::vector<std::vector<Rational>>& weights, bool skip_connection);

/// Shows that |I - R M| w < w for the minor M of Z with separators of any lambdas >= `lambda`.
void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const std::vector<std::vector<Rational>>& inverse, const std::vector<Rational>& scale);

/// The weights of Claims 1 and 2: W = sum_k R_k log_b(phi_k) L_k^T.
struct PrescribedWeights {
  std::vector<std::vector<Rational>> coefficients;  ///< phi_k
  std::vector<std::vector<Vector>> right;           ///< the columns of R_k
  std::vector<Vector> left;
};
/// Shows that 2 (n - 1) b^(s - lambda gamma) <= epsilon at example t, s the spread of the entries of E_t W
/// e_t; b is 2 or e.
void check_one_hot(const Problem& problem, const PrescribedWeights& weights, std::size_t t,
                   const Rational& gap, const Rational& lambda, const Rational& epsilon);

/// How many examples have a largest coefficient of head h of the given layer that is shown to be more than
/// the threshold (`more`), or at most the threshold.
std::size_t count_largest_coefficients(const Problem& problem, const Layer& given, std::size_t h,
                                       const Rational& threshold, bool more, std::size_t precision);

/// Integers that enclose Z: |2^bits Z - entries| <= radius in every entry.
struct EnclosedZ {
  std::vector<std::vector<Integer>> entries;  ///< T x Hd
  Integer radius;
};
/// For the given layer, with the case's scale.
EnclosedZ enclosed_z(const Problem& problem, const Layer& given, std::size_t bits);

/// How many examples the whole layer is shown to get `right`, or wrong, in the sense of the claim.
std::size_t count_examples(const Problem& problem, const Claim& claim, const Layer& given, bool right,
                           std::size_t precision);

/// Shows that 2 sum b^x <= epsilon over the exponents x; b is 2 or e.
void check_exponential_sum(const std::vector<Rational>& exponents, bool two, const Rational& epsilon);

}  // namespace attest::checker
