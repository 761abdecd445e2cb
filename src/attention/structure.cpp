#include "attention/structure.hpp"

#include <algorithm>

#include "attention/character_z.hpp"

namespace attest {
namespace {

constexpr std::size_t kCharacters = 8;

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

// The coefficients of every head under a character: different ones belong to different heads, so that exact
// logits are compared for few pairs only. Empty when no character is defined on the layer; then all pairs are
// compared.
std::vector<std::vector<double>> screening(const AttentionLayer& layer) {
  std::vector<double> z(layer.dims().examples * layer.dims().embed_dim);
  for (std::size_t k = 0; k < kCharacters; ++k) {
    const CharacterData data(layer.problem(), small_character(layer.ring(), k));
    std::vector<std::vector<double>> coefficients(layer.heads());
    bool defined = data.valid();
    for (std::size_t h = 0; h < layer.heads() && defined; ++h)
      defined = data.block(layer, h, z.data(), layer.dims().embed_dim, &coefficients[h]);
    if (defined) return coefficients;
  }
  return std::vector<std::vector<double>>(layer.heads());
}

}  // namespace

HeadStructure head_structure(const AttentionLayer& layer) {
  const std::vector<std::vector<double>> coefficients = screening(layer);
  const bool equal_contexts = distinct_contexts(layer.problem()) == 1;
  std::vector<std::size_t> different;
  HeadStructure result;
  for (std::size_t h = 0; h < layer.heads(); ++h) {
    if (std::any_of(different.begin(), different.end(), [&](std::size_t g) {
          return coefficients[g] == coefficients[h] && equal_heads(layer, g, h);
        }))
      continue;
    different.push_back(h);
    const auto n = static_cast<std::ptrdiff_t>(layer.dims().context);
    const std::vector<double>& rows = coefficients[h];
    bool constant = equal_contexts;
    for (auto row = rows.begin(); constant && row != rows.end(); row += n)
      constant = std::equal(row, row + n, rows.begin());
    if (!constant || !constant_head(layer, h)) ++result.moving;
  }
  result.different = different.size();
  return result;
}

}  // namespace attest
