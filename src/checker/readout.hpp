// Read-outs: real, interval and exact weights U with Z U = Y for a constructed layer.
#pragma once

#include <vector>

#include "checker/check.hpp"
#include "checker/layer.hpp"

namespace attest::checker {

/// A real number within `rad` of `mid`.
struct Ball {
  Rational mid, rad;
};

/// Shows with interval arithmetic that the solution of (Z restricted to `cols`) U = Y lies in the balls (T
/// rows of d_out).
void check_enclosure(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                     const std::vector<std::vector<Ball>>& balls, std::size_t precision,
                     const CheckPolicy& policy);

/// Z U = Y exactly, in base 2 and for integer logits.
void check_exact_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                         const std::vector<std::vector<Rational>>& weights, const CheckPolicy& policy);

/// The weights of Claims 1 and 2: W = sum_k R_k log_b(phi_k) L_k^T, and for Claim 2 lambda u v^T.
struct ClaimWeights {
  std::vector<std::size_t> subset;
  std::vector<std::vector<Rational>> coefficients;  ///< phi_k
  std::vector<std::vector<Vector>> right;           ///< the columns of R_k
  std::vector<Vector> left;
};

/// Shows that 2 (n - 1) b^(s - lambda gamma) <= epsilon at example t, where u_entries are those of (E_t u)(v
/// . e_t) and s is the spread of the entries of E_t W e_t.
void check_one_hot(const Problem& problem, const ClaimWeights& weights, std::size_t t,
                   std::vector<Rational> separated, const Rational& lambda, const Rational& epsilon,
                   const CheckPolicy& policy);

}  // namespace attest::checker
