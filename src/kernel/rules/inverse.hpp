// The rule `inverse` for Z: an approximate inverse shows that a minor is invertible, and where solutions lie.
#pragma once

#include <vector>

#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// A real number, at most `rad` from `mid`.
struct Ball {
  Rational mid, rad;
};

/// Concludes that A U = Y for some U within the balls: A the columns `cols` of Z, T of them, Y the labels
/// (with `skip_connection` less the queries). With R = `inverse` and g = ||I - R A|| < 1 in the largest row
/// sum, R A and so A is invertible, and U - mid = (I - R A)(U - mid) + R (Y - A mid): in each column (1 - g)
/// times the largest entry of |U - mid| is at most that of |R (Y - A mid)|, for which (1 - g) rad is seen to
/// be enough (docs/mathematics.md, The construction: *Read-out*).
void check_readout(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& cols,
                   const RationalMatrix& inverse, const std::vector<std::vector<Ball>>& balls,
                   std::size_t bits, bool skip_connection);

/// rank(Z) >= |rows|: an approximate inverse of the minor A, ||I - R A|| < 1.
void check_inverse(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                   const std::vector<std::size_t>& cols, const RationalMatrix& inverse, std::size_t bits);

/// Concludes that the minor M of Z in these rows and columns is invertible for all separators with lambdas
/// from `lambda` on, each of its own: its entries are enclosed for all of these, and |I - R M| w < w in every
/// entry, R = `inverse` and w = `scale` > 0, so that I - R M shrinks every vector in the norm max_i |z_i| /
/// w_i, and M z = 0 only for z = 0 (docs/mathematics.md, Finite lambda: Theorem L).
void check_tail_rank(const Problem& problem, const Layer& layer, const Rational& lambda,
                     const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                     const RationalMatrix& inverse, const std::vector<Rational>& scale);

}  // namespace attest::kernel
