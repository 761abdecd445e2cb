#include "kernel/layers/near_logits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "kernel/layers/inputs.hpp"

namespace attest::kernel {
namespace {

/// Rows of integers; each number times 2^shift is off from its integer by at most `error`, an integer.
struct NearRows {
  Matrix rows;
  long shift = 0;
  double error;
  bool fits = true;                         ///< whether the bias did
  double largest_row = 0, largest_col = 0;  ///< sums of absolute values

  /// Rows of `width` entries, which begin at `places`, of an array of this extent, as integers of `bits`.
  NearRows(const ExactArray& array, const Extent& extent, const std::vector<std::size_t>& places,
           std::size_t width, int bits)
      : rows(places.size(), width), shift(bits - extent.most), error(extent.least + shift < 0 ? 1 : 0) {
    const double unit = std::ldexp(1, static_cast<int>(shift));
    std::visit(
        [&](const auto& entries) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(entries)>, std::vector<Rational>>)
            for (std::size_t i = 0; i < places.size(); ++i)
              for (std::size_t j = 0; j < width; ++j)
                rows[i][j] = std::nearbyint(static_cast<double>(entries[places[i] + j]) * unit);
        },
        array.storage());
    measure();
  }
  /// Sums of products with the columns of a matrix, plus the `bias`, as integers of `bits`.
  NearRows(const NearRows& vectors, const NearRows& matrix, const std::vector<Rational>& bias, int bits)
      : rows(integer_product(vectors.rows, matrix.rows)),
        shift(vectors.shift + matrix.shift),
        error(vectors.largest_row * matrix.error + vectors.error * matrix.largest_col +
              static_cast<double>(matrix.rows.rows) * vectors.error * matrix.error + (bias.empty() ? 0 : 1)) {
    for (std::size_t k = 0; k < bias.size(); ++k) {
      const Integer rounded = floor(shift < 0 ? Rational(bias[k] / (Integer(1) << static_cast<Word>(-shift)))
                                              : Rational(bias[k] * (Integer(1) << static_cast<Word>(shift))));
      fits = fits && abs(rounded) <= Integer(Word{1} << 52);
      for (std::size_t i = 0; fits && i < rows.rows; ++i) rows[i][k] += rounded.get_d();
    }
    double most = 1;
    for (const double x : rows.data) most = std::max(most, std::abs(x));
    const int cut = std::max(0, std::ilogb(most) + 1 - bits);
    const double unit = std::ldexp(1, -cut);
    for (double& x : rows.data) x = std::nearbyint(x * unit);
    error = std::ceil(std::ldexp(error, -cut)) + (cut > 0 ? 1 : 0);
    shift -= cut;
    measure();
  }

private:
  void measure() {
    std::vector<double> cols(rows.cols);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      double row = 0;
      for (std::size_t j = 0; j < rows.cols; ++j) {
        row += std::abs(rows[i][j]);
        cols[j] += std::abs(rows[i][j]);
      }
      largest_row = std::max(largest_row, row);
    }
    for (const double col : cols) largest_col = std::max(largest_col, col);
  }
};

}  // namespace

void visit_near_logits(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& heads,
                       const std::vector<std::size_t>& examples, const VisitNearLogits& visit) {
  if (heads.empty() || examples.empty() || !layer.sinks.empty() || (!layer.projected && !layer.query)) return;
  const Inputs inputs(problem, layer);
  const std::size_t width = inputs.width, inner = layer.projected ? width : layer.key->shape()[2];
  const std::optional<Extent> of_keys = extent(inputs.keys), of_queries = extent(inputs.queries),
                              of_w_k = layer.projected ? Extent{} : extent(*layer.key),
                              of_w_q = layer.projected ? Extent{} : extent(*layer.query);
  for (const std::optional<Extent>& each : {of_keys, of_queries, of_w_k, of_w_q})
    if (!each || std::abs(each->most) > 900) return;  // 2^shift is a double
  // Sums of `width` products of the first are at most 2^52, those of `inner` of the second 2^53.
  const int bits = (52 - static_cast<int>(std::bit_width(width))) / 2,
            wide = (53 - static_cast<int>(std::bit_width(inner))) / 2;
  std::vector<NearRows> w_k, w_q;  // of the heads
  for (const std::size_t h : heads) {
    if (layer.projected) break;
    std::vector<std::size_t> lines(width);
    for (std::size_t j = 0; j < width; ++j) lines[j] = (h * width + j) * inner;
    w_k.emplace_back(*layer.key, *of_w_k, lines, inner, bits);
    w_q.emplace_back(*layer.query, *of_w_q, lines, inner, bits);
  }
  // Examples whose keys are projected together: those of a sequence have tokens in common.
  std::vector<std::size_t> blocks{0}, last(inputs.keys.size() / width);
  for (std::size_t r = 0, tokens = 0; r < examples.size(); ++r) {
    const std::size_t together = r - blocks.back();
    if ((together >= 64 && tokens >= 512) || (together >= 8 && tokens >= 8192) || together >= 4096) {
      blocks.push_back(r);
      tokens = 0;
    }
    for (std::size_t i = 0; i < problem.source.tokens(examples[r]); ++i) {
      std::size_t& block = last[inputs.key(heads[0], examples[r], i) / width];
      tokens += std::exchange(block, blocks.size()) != blocks.size();
    }
  }
  blocks.push_back(examples.size());
  const std::size_t cost = examples.size() * heads.size() * inner * (width / 4 + problem.n / 8);
  in_parallel(blocks.size() - 1, cost, [&](std::size_t b) {
    const std::size_t begin = blocks[b], end = blocks[b + 1];
    std::vector<std::size_t> places, number(last.size(), last.size());
    std::vector<std::vector<std::size_t>> tokens(end - begin);  // which of the places
    for (std::size_t r = begin; r < end; ++r)
      for (std::size_t i = 0; i < problem.source.tokens(examples[r]); ++i) {
        const std::size_t place = inputs.key(heads[0], examples[r], i);
        if (number[place / width] == last.size()) {
          number[place / width] = places.size();
          places.push_back(place);
        }
        tokens[r - begin].push_back(number[place / width]);
      }
    const auto placed = [&](std::size_t h) {  // of keys and queries
      std::pair<std::vector<std::size_t>, std::vector<std::size_t>> result{places, {}};
      const std::size_t group = inputs.key(h, examples[begin], 0) - inputs.key(heads[0], examples[begin], 0);
      for (std::size_t& place : result.first) place += group;
      for (std::size_t r = begin; r < end; ++r) result.second.push_back(inputs.query(h, examples[r]));
      return result;
    };
    std::optional<NearRows> vectors, own;
    for (std::size_t k = 0; k < heads.size(); ++k) {
      const std::size_t h = heads[k];
      if (layer.projected || k == 0) {
        const auto [of_k, of_q] = placed(h);
        vectors.emplace(inputs.keys, *of_keys, of_k, width, layer.projected ? wide : bits);
        own.emplace(inputs.queries, *of_queries, of_q, width, layer.projected ? wide : bits);
      }
      const NearRows keys = layer.projected ? *vectors : NearRows(*vectors, w_k[k], {}, wide),
                     queries =
                         layer.projected ? *own : NearRows(*own, w_q[k], layer.heads[h].query_bias, wide);
      if (!queries.fits) continue;
      const Rational& factor = layer.ring.factor;
      const long shift = keys.shift + queries.shift;
      const Integer times = factor.get_num() << static_cast<Word>(std::max(0L, -shift)),
                    den = factor.get_den() << static_cast<Word>(std::max(0L, shift)),
                    of_key = static_cast<long>(keys.error), of_query = static_cast<long>(queries.error),
                    sum_k = static_cast<long>(keys.largest_row);
      for (std::size_t r = begin, next = r; r < end; r = next) {  // examples with the same tokens at once
        while (next < end && tokens[next - begin] == tokens[r - begin]) ++next;
        Matrix left(next - r, inner), right(tokens[r - begin].size(), inner);
        std::copy_n(queries.rows[r - begin], left.data.size(), left[0]);
        for (std::size_t i = 0; i < right.rows; ++i)
          std::copy_n(keys.rows[tokens[r - begin][i]], inner, right[i]);
        const Matrix sums = integer_product(left, right, true);
        for (std::size_t i = 0; i < left.rows; ++i) {
          const Integer sum_q = static_cast<long>(std::accumulate(
              left[i], left[i] + inner, 0.0, [](double sum, double x) { return sum + std::abs(x); }));
          const Integer error =
              abs(times) * (of_key * sum_q + of_query * sum_k + Integer(inner) * of_key * of_query);
          visit(r + i, k, {{sums[i], sums[i] + right.rows}, times, den, error});
        }
      }
    }
  });
}

}  // namespace attest::kernel
