// Heads that say nothing new: equal to another one, or (equal contexts) the same for every example.
#pragma once

#include "search/layer.hpp"

namespace attest {

/// How many different heads a layer has; two are equal when, for every example, their logits differ by a
/// constant.
struct HeadStructure {
  std::size_t different = 0;
  std::size_t moving = 0;  ///< without constant heads: those whose logit differences are the same for all t
};

/// Exact. Unless all contexts are equal every head counts as moving.
HeadStructure head_structure(const AttentionLayer& layer);

}  // namespace attest
