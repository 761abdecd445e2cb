// Conditions on the weights that a step gives for Lemma 3 and Claims 1 and 2.
#pragma once

#include <functional>
#include <vector>

#include "kernel/certificate.hpp"
#include "kernel/problem.hpp"
#include "kernel/rules/inverse.hpp"

namespace attest::kernel {

/// Ensures that v . e_t = 0 on the subset, and that the entries of (E_t u)(v . e_t) are different for every
/// other t, which it hands to `visit`.
void ensure_separates(const Problem& problem, const std::vector<std::size_t>& subset, const Vector& u,
                      const Vector& v, const std::function<void(std::size_t, std::vector<Rational>)>& visit);

/// The weights of Claims 1 and 2: W = sum_k R_k log_b(phi_k) L_k^T.
struct PrescribedWeights {
  RationalMatrix coefficients;             ///< phi_k
  std::vector<std::vector<Vector>> right;  ///< the columns of R_k
  std::vector<Vector> left;
};

/// Reads the keys of the step, and checks their conditions on inverses. `most`: members of the subset.
PrescribedWeights prescribed_weights(const Json& step, const Problem& problem, const Claim& claim,
                                     std::size_t most);

}  // namespace attest::kernel
