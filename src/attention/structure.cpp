#include "attention/structure.hpp"

#include <algorithm>

namespace attest {
namespace {

// Whether two vectors of logits differ by a constant, so that the coefficients are equal.
bool same_up_to_shift(const std::vector<mpq_class>& a, const std::vector<mpq_class>& b) {
  for (std::size_t i = 1; i < a.size(); ++i)
    if (a[i] - a[0] != b[i] - b[0]) return false;
  return true;
}

bool equal_heads(const AttentionLayer& layer, std::size_t g, std::size_t h) {
  for (std::size_t t = 0; t < layer.dims().examples; ++t)
    if (!same_up_to_shift(layer.logits(t, g), layer.logits(t, h))) return false;
  return true;
}

bool constant_head(const AttentionLayer& layer, std::size_t h) {
  const std::vector<mpq_class> first = layer.logits(0, h);
  for (std::size_t t = 1; t < layer.dims().examples; ++t)
    if (!same_up_to_shift(first, layer.logits(t, h))) return false;
  return true;
}

}  // namespace

std::size_t HeadStructure::bound(std::size_t a, bool linear, std::size_t d) const {
  const std::size_t k = distinct.size();
  return std::min(k * a + 1, k * (linear ? a : std::min(a + 1, d)) + (constant.empty() ? 0 : 1));
}

HeadStructure head_structure(const AttentionLayer& layer, const CharacterData& screening) {
  const Dimensions& dims = layer.dims();
  const std::size_t n = dims.context, T = dims.examples;
  HeadStructure result;
  std::vector<std::vector<double>> coefficients(dims.heads);
  std::vector<double> z(T * dims.embed_dim);
  for (std::size_t h = 0; h < dims.heads; ++h)
    if (!screening.block(layer, h, z.data(), dims.embed_dim, &coefficients[h])) {
      for (std::size_t k = 0; k < dims.heads; ++k) result.distinct.push_back(k);
      return result;
    }
  auto find_equal = [&](const std::vector<std::size_t>& candidates, std::size_t h) {
    for (std::size_t g : candidates)
      if (coefficients[g] == coefficients[h] && equal_heads(layer, g, h)) {
        result.equal.emplace_back(g, h);
        return true;
      }
    return false;
  };
  for (std::size_t h = 0; h < dims.heads; ++h) {
    if (find_equal(result.distinct, h) || find_equal(result.constant, h)) continue;
    bool constant = layer.data().shared_context;
    for (std::size_t t = 1; constant && t < T; ++t)
      constant = std::equal(coefficients[h].begin(), coefficients[h].begin() + n, coefficients[h].begin() + t * n);
    (constant && constant_head(layer, h) ? result.constant : result.distinct).push_back(h);
  }
  return result;
}

}  // namespace attest
