// Products of matrices of integers that doubles hold.
#pragma once

#include "kernel/arithmetic/modular.hpp"

namespace attest::kernel {

/// a b, or a b^T when `transposed`. Precondition: the inner sizes agree, and sums of absolute products are at
/// most 2^53, so that all sums are exact in whatever order.
Matrix integer_product(const Matrix& a, const Matrix& b, bool transposed = false);

}  // namespace attest::kernel
