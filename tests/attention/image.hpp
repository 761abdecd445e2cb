// All of Z under a character.
#pragma once

#include <numeric>

#include "search/character_z.hpp"

namespace attest::test {

/// T x Hd, row-major balanced residues; empty when a denominator vanishes.
inline std::optional<std::vector<double>> character_z(const AttentionLayer& layer,
                                                      const Character& character) {
  const LayerImage image(layer, character);
  if (!image.defined()) return std::nullopt;
  std::vector<std::size_t> examples(layer.dims().examples);
  std::iota(examples.begin(), examples.end(), std::size_t{0});
  std::vector<double> z(examples.size() * image.width());
  if (!image.rows(examples, z.data(), image.width())) return std::nullopt;
  return z;
}

}  // namespace attest::test
