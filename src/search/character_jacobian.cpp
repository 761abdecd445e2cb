#include "search/character_jacobian.hpp"

#include <algorithm>
#include <span>

#include "base/progress.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/character_z.hpp"

namespace attest {
namespace {

constexpr std::size_t kColumnBlock = 512;                    // columns that are eliminated together
constexpr std::size_t kBlockEntries = std::size_t{1} << 23;  // that are held at a time

using Residues = std::vector<double>;

// d_v and the width m of the outputs, of a layer whose missing matrices are identities.
std::size_t value_dim(const Weights& weights, std::size_t d) {
  return weights.value ? weights.value->shape()[2] : d;
}
std::size_t output_width(const Weights& weights, const Dimensions& dims) {
  return weights.output ? weights.output->shape()[2] : dims.heads * value_dim(weights, dims.embed_dim);
}

// The columns of J as rows, of some examples: entry (t, o) is factor (t, o) of one table times factor t of
// another.
class Columns {
public:
  Columns(const AttentionLayer& layer, const Character& character, std::span<const std::size_t> examples)
      : layer_(layer),
        weights_(*layer.weights()),
        character_(character),
        mod_p_(character.p),
        reduce_(character.p),
        examples_(examples),
        d_(layer.dims().embed_dim),
        d_out_(layer.dims().output_dim),
        m_(weights_.combined ? d_ : layer.dims().head_dim) {}

  std::size_t width() const { return examples_.size() * d_out_; }
  std::size_t of_weights() const { return d_ * m_ * (weights_.combined ? 1 : 2); }
  std::size_t of_head() const { return of_weights() + d_ * d_out_; }

  /// Prepares a head; false when a denominator vanishes.
  bool read_head(std::size_t h) {
    const std::size_t b = examples_.size(), n = layer_.dims().context;
    const std::uint64_t p = character_.p;
    Residues u, key(d_ * m_), query(weights_.combined ? 0 : d_ * m_), bias(weights_.query_bias ? m_ : 0);
    const auto read = [&](const ExactArray& array, std::size_t size, Residues& to) {
      return mod_p_.convert(array, h * size, size, to.data());
    };
    if (!read_readout(h, u) || !read(weights_.combined ? *weights_.combined : *weights_.key, d_ * m_, key) ||
        (!query.empty() && !read(*weights_.query, d_ * m_, query)) ||
        (!bias.empty() && !read(*weights_.query_bias, m_, bias)))
      return false;
    const LayerImage image(layer_, character_, h);
    Residues z(b * d_), alpha(b * n), e(b * d_), c(b * d_out_ * d_), kc(b * d_out_ * m_), projected(b * m_);
    if (!image.defined() || !image.rows(examples_, z.data(), d_, alpha.data())) return false;
    Residues tokens(n * d_), seen(n * d_out_), mean(b * d_out_), weighted(d_out_ * n);
    blas::multiply(p, b, d_out_, d_, z.data(), d_, u.data(), d_out_, false, mean.data(), d_out_);
    for (std::size_t k = 0; k < b; ++k) {
      const std::size_t t = examples_[k], size = layer_.tokens(t);
      if (!mod_p_.convert(*layer_.data().queries, t * d_, d_, &e[k * d_])) return false;
      if (k == 0 || !layer_.data().shared_context) {
        if (!image.read_tokens(mod_p_, t, 0, size, tokens.data())) return false;
        blas::multiply(p, size, d_out_, d_, tokens.data(), d_, u.data(), d_out_, false, seen.data(), d_out_);
      }
      for (std::size_t o = 0; o < d_out_; ++o)
        for (std::size_t i = 0; i < size; ++i)
          weighted[o * size + i] = reduce_(alpha[k * n + i] * (seen[i * d_out_ + o] - mean[k * d_out_ + o]));
      blas::multiply(p, d_out_, d_, size, weighted.data(), size, tokens.data(), d_, false,
                     &c[k * d_out_ * d_], d_);
    }
    blas::multiply(p, b * d_out_, m_, d_, c.data(), d_, key.data(), m_, false, kc.data(), m_);
    if (query.empty())
      projected = e;
    else
      blas::multiply(p, b, m_, d_, e.data(), d_, query.data(), m_, false, projected.data(), m_);
    for (std::size_t k = 0; k < b && !bias.empty(); ++k)
      for (std::size_t l = 0; l < m_; ++l) projected[k * m_ + l] = reduce_(projected[k * m_ + l] + bias[l]);
    c_ = transposed(c, b * d_out_);
    kc_ = transposed(kc, b * d_out_);
    z_ = transposed(z, b);
    e_ = transposed(e, b);
    projected_ = transposed(projected, b);
    return true;
  }

  /// Column k of the head that was prepared.
  void write(std::size_t k, double* out) const {
    if (k < d_ * m_) {
      product(&c_[k / m_ * width()], &projected_[k % m_ * examples_.size()], out);
    } else if (k < of_weights()) {
      k -= d_ * m_;
      product(&kc_[k % m_ * width()], &e_[k / m_ * examples_.size()], out);
    } else {
      k -= of_weights();
      std::fill_n(out, width(), 0.0);
      for (std::size_t t = 0; t < examples_.size(); ++t)
        out[t * d_out_ + k % d_out_] = z_[k / d_out_ * examples_.size() + t];
    }
  }

private:
  void product(const double* left, const double* right, double* out) const {
    for (std::size_t t = 0; t < examples_.size(); ++t)
      for (std::size_t o = 0; o < d_out_; ++o) out[t * d_out_ + o] = reduce_(left[t * d_out_ + o] * right[t]);
  }
  static Residues transposed(const Residues& a, std::size_t rows) {
    const std::size_t cols = a.size() / rows;
    Residues result(a.size());
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) result[j * rows + i] = a[i * cols + j];
    return result;
  }

  // U_h = W_V W_O R, d x d_out.
  bool read_readout(std::size_t h, Residues& u) const {
    const std::size_t d_v = value_dim(weights_, d_), m = output_width(weights_, layer_.dims());
    const auto part = [&](const ExactArray& array, std::size_t first, std::size_t size, Residues& to) {
      to.resize(size);
      return mod_p_.convert(array, first, size, to.data());
    };
    const auto times = [&](const Residues& a, const Residues& b, std::size_t inner) {
      const std::size_t rows = a.size() / inner, cols = b.size() / inner;
      Residues result(rows * cols);
      blas::multiply(character_.p, rows, cols, inner, a.data(), inner, b.data(), cols, false, result.data(),
                     cols);
      return result;
    };
    Residues output, readout, value;
    if (weights_.output && !part(*weights_.output, h * d_v * m, d_v * m, output)) return false;
    if (weights_.readout && weights_.output && !part(*weights_.readout, 0, m * d_out_, readout)) return false;
    if (weights_.readout && !weights_.output &&
        !part(*weights_.readout, h * d_v * d_out_, d_v * d_out_, readout))
      return false;
    if (weights_.output)
      u = weights_.readout ? times(output, readout, m) : output;
    else
      u = readout;
    if (u.empty()) {
      u.resize(d_v * d_out_);
      for (std::size_t i = 0; i < d_v; ++i) u[i * d_out_ + h * d_v + i] = 1;
    }
    if (!weights_.value) return true;
    if (!part(*weights_.value, h * d_ * d_v, d_ * d_v, value)) return false;
    u = times(value, u, d_v);
    return true;
  }

  const AttentionLayer& layer_;
  const Weights& weights_;
  Character character_;
  BalancedResidues mod_p_;
  BalancedReduction reduce_;
  std::span<const std::size_t> examples_;
  std::size_t d_, d_out_, m_;
  // A row for each coordinate: Cov(x) U and K^T Cov(x) U by example and output, z, e and Q^T e + b by
  // example.
  Residues c_, kc_, z_, e_, projected_;
};

// A minor of these examples.
std::optional<MinorIndices> minor_among(const AttentionLayer& layer, const Character& character,
                                        std::size_t enough, std::span<const std::size_t> examples) {
  Columns columns(layer, character, examples);
  const std::size_t width = columns.width(), of_head = columns.of_head(), d_out = layer.dims().output_dim,
                    together = std::clamp<std::size_t>(kBlockEntries / width, 1, kColumnBlock);
  enough = std::min(enough, width);
  Echelon echelon(character.p, width);
  Residues block;
  std::vector<std::size_t> names;
  for (std::size_t h = 0; h < layer.dims().heads && echelon.rank() < enough; ++h) {
    if (!columns.read_head(h)) return std::nullopt;
    for (std::size_t k = 0; k < of_head && echelon.rank() < enough; k += names.size()) {
      names = range(h * of_head + k, h * of_head + std::min(of_head, k + together));
      block.resize(names.size() * width);
      for (std::size_t i = 0; i < names.size(); ++i) columns.write(k + i, &block[i * width]);
      echelon.add_rows(block.data(), names);
      report_progress("columns of J", names.back() + 1, layer.dims().heads * of_head);
    }
  }
  MinorIndices minor = echelon.minor();
  std::swap(minor.rows, minor.cols);
  for (std::size_t& row : minor.rows) row = examples[row / d_out] * d_out + row % d_out;
  return minor;
}

}  // namespace

bool has_jacobian(const AttentionLayer& layer) {
  if (!layer.weights() || layer.projected()) return false;
  const Weights& weights = *layer.weights();
  return weights.readout || output_width(weights, layer.dims()) == layer.dims().output_dim;
}

std::size_t jacobian_width(const AttentionLayer& layer) {
  const Dimensions& dims = layer.dims();
  const bool combined = layer.weights()->combined.has_value();
  const std::size_t keys = combined ? dims.embed_dim : 2 * dims.head_dim;
  return dims.heads * dims.embed_dim * (keys + dims.output_dim);
}

std::optional<MinorIndices> jacobian_rank_under(const AttentionLayer& layer, const Character& character,
                                                std::size_t enough) {
  const std::size_t T = layer.dims().examples, d_out = layer.dims().output_dim;
  enough = std::min({enough, T * d_out, jacobian_width(layer)});
  const std::vector<std::size_t> examples = range(0, T);
  // Some examples, when they are likely to have the rank that is looked for.
  constexpr std::size_t kSpare = 20;  // rows more than are needed, mostly enough
  if (const std::size_t some = (enough + kSpare) / d_out + 1; some < T) {
    const auto minor = minor_among(layer, character, enough, std::span(examples).first(some));
    if (!minor || minor->rank() >= enough) return minor;
  }
  return minor_among(layer, character, enough, examples);
}

}  // namespace attest
