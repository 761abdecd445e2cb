// What several rules have in common.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/certificate.hpp"
#include "kernel/rules/step.hpp"

namespace attest::kernel {

inline constexpr const char* kDifferentRows = "distinct(Z)";

/// `rows` and `cols` of a minor of a matrix of this size, or of some rows.
struct Minor {
  std::vector<std::size_t> rows, cols;

  Minor(const Step& step, std::size_t height, std::size_t width);
};

/// >= |rows| of the image, a matrix that is square, when it is not singular mod p.
Fact non_singular(const Step& step, Matrix image, Word p);

RationalMatrix rational_matrix(const Json& value, std::size_t rows, std::size_t cols);

/// The matrices over Q whose rank, or Kruskal rank, the step is about.
Family matrices(const Step& step);

/// The layer whose Z the quantity is about.
const Layer& layer_of(const Step& step);
/// A layer of this number that is defined by its heads.
const Layer& built_layer(const Step& step, const Json& number);
/// The step's `layer`, if it is one.
const Layer& built_layer(const Step& step);
/// Such a layer, each of whose heads but the first separates all examples but r - 1: the n entries of
/// (E_t u)(v . e_t) are different at all others.
const Layer& separated_layer(const Step& step);

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

/// The tokens of E_t (unless `query_only`), then e_t, then 1.
Vector input_and_one(const Problem& problem, std::size_t t, bool query_only);

}  // namespace attest::kernel
