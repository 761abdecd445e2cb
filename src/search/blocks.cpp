#include "search/blocks.hpp"

#include <algorithm>
#include <numeric>

#include "base/progress.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

constexpr std::size_t kTogether = 512;  // examples that are eliminated together
// At the end only some more than are missing, which are mostly enough.
constexpr std::size_t kAtLeast = 128, kFurther = 20;
constexpr std::size_t kWidest = 2048;  // of matrices of which as many rows as columns are looked at first

}  // namespace

BlockImage::BlockImage(const AttentionLayer& layer, const Blocks& blocks, const Character& character)
    : layer_(&layer),
      blocks_(blocks),
      image_(layer, character, blocks.heads == 1 ? std::optional(blocks.first) : std::nullopt),
      mod_p_(character.p),
      defined_(image_.defined()) {
  const auto convert = [&](const std::optional<ExactArray>& array, std::vector<double>& to) {
    if (!array || !defined_) return;
    const std::size_t size = array->size() / layer.heads();
    to.resize(blocks.heads * size);
    defined_ = mod_p_.convert(*array, blocks.first * size, to.size(), to.data());
  };
  if (!blocks.outputs) return;
  convert(layer.weights()->value, values_);
  convert(layer.weights()->value_bias, biases_);
}

bool BlockImage::rows(std::span<const std::size_t> examples, double* out) const {
  const std::size_t m = examples.size(), ld = width(), d = layer_->dims().embed_dim,
                    beside = blocks_.beside(layer_->exact());
  const std::uint64_t p = mod_p_.prime();
  std::vector<double> z(blocks_.outputs ? m * image_.width() : 0);
  const std::size_t n = layer_->dims().context;
  const bool masses = !biases_.empty() && !layer_->dims().convex();  // what biases are multiplied by
  std::vector<double> coefficients(masses ? m * blocks_.heads * n : 0);
  if (!(blocks_.outputs
            ? image_.rows(examples, z.data(), image_.width(), masses ? coefficients.data() : nullptr)
            : image_.rows(examples, out, ld)))
    return false;
  for (std::size_t h = 0; blocks_.outputs && h < blocks_.heads; ++h) {
    const std::size_t w = blocks_.width;
    blas::multiply(p, m, w, d, &z[h * d], image_.width(), &values_[h * d * w], w, false, out + h * w, ld);
    const BalancedReduction reduce(p);
    for (std::size_t k = 0; k < m && !biases_.empty(); ++k) {
      const auto row = coefficients.begin() + static_cast<std::ptrdiff_t>((k * blocks_.heads + h) * n);
      const double mass =
          masses ? reduce(std::accumulate(row, row + static_cast<std::ptrdiff_t>(n), 0.0)) : 1;
      for (std::size_t j = 0; j < w; ++j) {
        double& entry = out[k * ld + h * w + j];
        entry = reduce(entry + mass * biases_[h * w + j]);
      }
    }
  }
  for (std::size_t k = 0; k < m && beside > 0; ++k) {
    double* const row = out + k * ld + blocks_.columns();
    if (blocks_.ones) *row = 1;
    const std::size_t d_out = beside - (blocks_.ones ? 1 : 0);
    if (blocks_.labels &&
        !mod_p_.convert(*layer_->data().labels, examples[k] * d_out, d_out, row + (blocks_.ones ? 1 : 0)))
      return false;
  }
  return true;
}

std::optional<MinorIndices> minor_under(const AttentionLayer& layer, const Blocks& blocks,
                                        const Character& character, std::size_t enough, bool full) {
  const BlockImage image(layer, blocks, character);
  if (!image.defined()) return std::nullopt;
  const std::size_t T = layer.dims().examples, width = image.width();
  enough = std::min(enough, width);
  Echelon echelon(character.p, width);
  std::vector<double> block;
  std::vector<std::size_t> examples;
  std::size_t t = 0;
  if (enough == width && width <= std::min(T, kWidest)) {  // mostly the first rows are independent
    t = width;
    block.resize(t * width);
    for (std::size_t first = 0; first < t; first += examples.size()) {
      examples = range(first, std::min(t, first + kTogether));
      if (!image.rows(examples, &block[first * width])) return std::nullopt;
    }
    std::vector<double> leading = block;
    examples = range(0, t);
    if (blas::rows_independent(character.p, t, width, leading.data()))
      return MinorIndices{examples, examples};
    echelon.add_rows(block.data(), examples, t == T);
  }
  for (; t < T && echelon.rank() < enough; t += examples.size()) {
    if (full && echelon.rank() + kFurther < t) break;
    const std::size_t missing = std::max(kAtLeast, enough - echelon.rank() + kFurther);
    examples = range(t, std::min({T, t + kTogether, t + missing}));
    block.resize(examples.size() * width);
    if (!image.rows(examples, block.data())) return std::nullopt;
    echelon.add_rows(block.data(), examples, t + examples.size() == T);
    report_progress("rows of the matrix", t + examples.size(), T);
  }
  return echelon.minor();
}

}  // namespace attest
