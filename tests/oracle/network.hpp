// Whether a ReLU network fits labels, by going through all activation patterns.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace attest::test {

/// Whether some f(x) = sum_j a_j max(0, w_j . x + b_j), j < m (plus b_0 with an output bias), has f(x_t) =
/// y_t for all t. Nothing when there are too many patterns.
std::optional<bool> network_fits(const std::vector<std::vector<mpq_class>>& x,
                                 const std::vector<mpq_class>& y, std::size_t m, bool output_bias);

}  // namespace attest::test
