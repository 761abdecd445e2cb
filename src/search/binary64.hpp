// What floating point makes of a layer. Shown beside exact ranks; nothing is ever decided by it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "search/layer.hpp"

namespace attest {

/// The rank of Z computed in binary64 as numpy.linalg.matrix_rank does: singular values (LAPACK) above max(T,
/// Hd) eps times the largest. Precondition: the logit scale is absorbed in the weights.
std::size_t binary64_rank_of_z(const AttentionLayer& layer);

/// The same from the singular values of Z for the weights of the case. Precondition: there are some.
std::size_t binary64_rank(const std::vector<double>& singular_values, const Case& c);

/// The largest softmax coefficient of head h at example t, at h * T + t, for the weights of the case, with
/// its logit scale. NaN where the logits overflow. Precondition: the case has weights.
std::vector<double> binary64_largest_coefficients(const Case& c);

/// The singular values of Z for the weights of the case, with its logit scale, the largest first. None where
/// binary64 overflows. Precondition: the case has weights.
std::vector<double> binary64_singular_values(const Case& c);

/// The largest of them; of more than 1024 by Lanczos' method, which ends when ten steps change nothing, or
/// after 400. 0 for Z = 0.
std::optional<double> binary64_largest_singular_value(const Case& c);

/// log2 of a positive number, whose numerator and denominator may be beyond the range of binary64.
double binary_logarithm(const mpq_class& x);

}  // namespace attest
