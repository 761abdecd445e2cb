// What integers of few bits tell of logits: where these are compared with what they are not close to.
#pragma once

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// Of example number r of a list and head number k: its logits times the ring's factor, each within `error` /
/// logits.den.
using VisitNearLogits =
    std::function<void(std::size_t r, std::size_t k, const Vector& logits, const Integer& error)>;
/// Visits these examples and heads, on several threads at once (docs/mathematics.md, Logits from integers).
/// Visits none where that does not go, as with rationals.
void visit_near_logits(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& heads,
                       const std::vector<std::size_t>& examples, const VisitNearLogits& visit);

}  // namespace attest::kernel
