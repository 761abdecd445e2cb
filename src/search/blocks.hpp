// Matrices made of the heads of a layer: Z, what the heads put out, or that of one head, and columns beside
// them; and their images under a character.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/character_z.hpp"

namespace attest {

/// A block for each of some heads, the means z_h or the outputs sum_i alpha_i (E_{t,i} W_V + b_V), and beside
/// them a column of ones, and the labels.
struct Blocks {
  /// All of Z.
  explicit Blocks(const AttentionLayer& layer);
  /// As the quantity says, for given weights: "rank(Z|1Y)", "rank(head-outputs)", ...
  Blocks(const AttentionLayer& layer, const std::string& quantity, std::optional<std::size_t> head = {});

  std::size_t first = 0, heads, width;  ///< width: of a block
  bool outputs = false, ones = false, labels = false;
  std::size_t columns() const { return heads * width; }
  std::size_t beside(const AttentionLayer& layer) const;  ///< how many columns
  mpq_class beside(const AttentionLayer& layer, std::size_t t, std::size_t col) const;
  /// What is averaged for head h of the blocks, of token i of example t.
  std::vector<mpq_class> token(const AttentionLayer& layer, std::size_t t, std::size_t h,
                               std::size_t i) const;
};

/// Refers to the layer, which must outlive it.
class BlockImage {
public:
  BlockImage(const AttentionLayer& layer, const Blocks& blocks, const Character& character);
  bool defined() const { return defined_; }
  std::size_t width() const { return blocks_.columns() + blocks_.beside(*layer_); }
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

/// A minor that does not vanish under the character, as large as it finds one of up to `enough` rows; empty
/// when a denominator vanishes.
std::optional<MinorIndices> minor_under(const AttentionLayer& layer, const Blocks& blocks,
                                        const Character& character, std::size_t enough);

}  // namespace attest
