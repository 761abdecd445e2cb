#include "search/structure.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "search/character_z.hpp"

namespace attest {
namespace {

constexpr std::size_t kCharacters = 8;
constexpr std::size_t kBlock = 512;  // examples at a time

// Whether the coefficients are equal: two vectors of logits, with that of the sink, differ by a constant;
// sigmoid ones are equal.
bool same(const AttentionLayer& layer, const std::vector<mpq_class>& a, const std::vector<mpq_class>& b) {
  if (layer.dims().sigmoid) return a == b;
  for (std::size_t i = 1; i < a.size(); ++i)
    if (a[i] - a[0] != b[i] - b[0]) return false;
  return true;
}

bool equal_heads(const AttentionLayer& layer, std::size_t g, std::size_t h) {
  for (std::size_t t = 0; t < layer.dims().examples; ++t)
    if (!same(layer, layer.logits(t, g), layer.logits(t, h))) return false;
  return true;
}

bool constant_head(const AttentionLayer& layer, std::size_t h) {
  const std::vector<mpq_class> first = layer.logits(0, h);
  for (std::size_t t = 1; t < layer.dims().examples; ++t)
    if (!same(layer, first, layer.logits(t, h))) return false;
  return true;
}

// What the coefficients of a head are under a character.
struct Screened {
  std::uint64_t hash = 0;  // of all of them
  bool constant = true;    // the same for all examples
};

// Different coefficients belong to different heads, so that exact logits are compared for few pairs only.
// When no character is defined on the layer, all pairs are compared.
std::vector<Screened> screening(const AttentionLayer& layer) {
  const std::size_t T = layer.dims().examples, n = layer.dims().context, H = layer.heads();
  for (std::size_t k = 0; k < kCharacters; ++k) {
    const LayerImage image(layer, small_character(layer.ring(), k));
    if (!image.defined()) continue;
    std::vector<Screened> heads(H);
    std::vector<double> z(std::min(T, kBlock) * image.width()), coefficients(std::min(T, kBlock) * H * n),
        first;
    std::vector<std::size_t> examples;
    bool defined = true;
    for (std::size_t t = 0; t < T && defined; t += examples.size()) {
      examples = range(t, std::min(T, t + kBlock));
      defined = image.rows(examples, z.data(), image.width(), coefficients.data());
      if (first.empty())
        first.assign(coefficients.begin(), coefficients.begin() + static_cast<std::ptrdiff_t>(H * n));
      for (std::size_t row = 0; row < examples.size() * H && defined; ++row) {
        Screened& head = heads[row % H];
        const double* const own = &coefficients[row * n];
        for (std::size_t i = 0; i < n; ++i)
          head.hash = (head.hash ^ std::bit_cast<std::uint64_t>(own[i] + 0.0)) * 0x9E3779B97F4A7C15u;
        head.constant = head.constant && std::equal(own, own + n, &first[row % H * n]);
      }
    }
    if (defined) return heads;
  }
  return std::vector<Screened>(H);
}

}  // namespace

HeadStructure head_structure(const AttentionLayer& layer) {
  const std::vector<Screened> screened = screening(layer);
  const bool equal_contexts = distinct_contexts(layer.problem()) == 1;
  std::vector<std::size_t> different;
  HeadStructure result;
  for (std::size_t h = 0; h < layer.heads(); ++h) {
    if (std::any_of(different.begin(), different.end(), [&](std::size_t g) {
          return screened[g].hash == screened[h].hash && equal_heads(layer, g, h);
        }))
      continue;
    different.push_back(h);
    if (!equal_contexts || !screened[h].constant || !constant_head(layer, h)) ++result.moving;
  }
  result.different = different.size();
  return result;
}

}  // namespace attest
