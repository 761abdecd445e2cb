// Matrices made of the heads of a layer: Z, what the heads put out, or that of one head, and columns beside
// them; and their images under a character.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/layers/blocks.hpp"
#include "search/character_z.hpp"

namespace attest {

using kernel::Blocks;

/// All of Z, for the weights of the layer.
inline Blocks all_of_z(const AttentionLayer& layer) {
  return Blocks("rank(Z)", layer.exact(), Claim());
}

/// Refers to the layer, which must outlive it.
class BlockImage {
public:
  BlockImage(const AttentionLayer& layer, const Blocks& blocks, const Character& character);
  bool defined() const { return defined_; }
  std::size_t width() const { return blocks_.columns() + blocks_.beside(layer_->exact()); }
  /// Rows one after the other, as LayerImage has them.
  bool rows(std::span<const std::size_t> examples, double* out) const;

private:
  const AttentionLayer* layer_;
  Blocks blocks_;
  LayerImage image_;
  BalancedResidues mod_p_;
  bool defined_;
  std::vector<double> values_, biases_;  ///< of the blocks' heads
};

/// A minor that does not vanish under the character, as large as it finds one of up to `enough` rows, or,
/// when only a `full` one of so many is of use, until many rows depend on others; empty when a denominator
/// vanishes.
std::optional<MinorIndices> minor_under(const AttentionLayer& layer, const Blocks& blocks,
                                        const Character& character, std::size_t enough, bool full = false);

}  // namespace attest
