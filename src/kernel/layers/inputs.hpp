// What logits are computed from: where keys and queries lie, and how large their numbers are.
#pragma once

#include <optional>

#include "kernel/layers/layer.hpp"

namespace attest::kernel {

/// What the logits are products of: keys and queries of the case, projected or not (then the keys are
/// tokens).
struct Inputs {
  const Case& source;
  const bool projected;
  const ExactArray &keys, &queries;
  const std::size_t width = keys.shape().back();

  Inputs(const Problem& problem, const Layer& layer)
      : source(problem.source),
        projected(layer.projected),
        keys(projected ? *source.weights->projected_keys : problem.contexts()),
        queries(projected ? *source.weights->projected_queries : problem.queries()) {}
  /// Where the key of token i lies, for head h at example t. Heads share projected keys in groups.
  std::size_t key(std::size_t h, std::size_t t, std::size_t i) const {
    if (!projected) return source.token_row(t, i) * width;
    const std::size_t groups = keys.shape()[1];
    return (source.key_row(t, i) * groups + h * groups / source.layer->heads) * width;
  }
  std::size_t query(std::size_t h, std::size_t t) const {
    return (projected ? t * source.layer->heads + h : t) * width;
  }
};

/// How large numbers are: multiples of 2^least, below 2^most in absolute value.
struct Extent {
  int least = 0, most = 0;
};

/// None of rationals.
inline std::optional<Extent> extent(const ExactArray& array) {
  if (std::holds_alternative<std::vector<Rational>>(array.storage())) return std::nullopt;
  Exponents found;
  const std::size_t width = array.shape().back();
  const std::vector<std::size_t> all = all_below(width);
  for (std::size_t first = 0; first < array.size(); first += width) found.include(array, first, all);
  if (found.most < found.least) return Extent{};
  return Extent{found.least, found.most};
}

}  // namespace attest::kernel
