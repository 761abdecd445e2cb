// What integers of few bits tell of logits: where these are compared with what they are not close to.
#pragma once

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// Logits times the ring's factor: each is within error / den of values[i] times / den, |values[i]| <= 2^53.
struct NearLogits {
  std::vector<std::int64_t> values;
  const Integer &times, &den, &error;
};
/// Of example number r of a list and head number k.
using VisitNearLogits = std::function<void(std::size_t r, std::size_t k, NearLogits logits)>;
/// Visits these examples and heads, on several threads at once (docs/mathematics.md, Logits from integers).
/// Visits none where that does not go, as with rationals.
void visit_near_logits(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& heads,
                       const std::vector<std::size_t>& examples, const VisitNearLogits& visit);

}  // namespace attest::kernel
