// Identities of Z when no layer before takes exponentials: the vectors that enter are sums of square roots.
#pragma once

#include <optional>

#include "kernel/certificate.hpp"
#include "kernel/problem.hpp"

namespace attest::kernel {

/// Checks that the vectors of a step `algebraic` annihilate Z from the right or the left, and that each has
/// an index where it is not 0 and later ones are; with `pairs` that each is a multiple of e_s - e_t.
/// `precision`: of the enclosures that show numbers not to be 0, in bits. Returns how many there are.
std::size_t count_annihilators(const Problem& problem, const Json& vectors, bool right, bool pairs,
                               const std::optional<std::size_t>& precision);

}  // namespace attest::kernel
