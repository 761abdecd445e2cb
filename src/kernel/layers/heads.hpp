// Heads of a layer that do the same.
#pragma once

#include <vector>

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// For each head the first with the same coefficients at all examples, and whether it is constant: all
/// examples have the same contexts and, under this head, the same coefficients.
struct HeadClasses {
  std::vector<std::size_t> first;
  std::vector<bool> constant;
};
HeadClasses head_classes(const Problem& problem, const Layer& layer);

}  // namespace attest::kernel
