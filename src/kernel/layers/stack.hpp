// A stack of layers over numbers: reals that are enclosed (FixedPoint), and residues (free_stack.cpp).
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "kernel/problem.hpp"

namespace attest::kernel {

inline constexpr std::size_t kWorkOfARow = 1 << 14;  // roughly, for in_parallel

/// The matrix of an array (.., height, width) from `first` on, by its rows or by its columns.
template <class Numbers>
std::vector<typename Numbers::Vector> matrix_of(const Numbers& numbers, const ExactArray& array,
                                                std::size_t first, std::size_t height, std::size_t width,
                                                bool columns) {
  std::vector<typename Numbers::Vector> result;
  for (std::size_t k = 0; k < (columns ? width : height); ++k)
    result.push_back(columns ? numbers.exact(array, first + k, height, width)
                             : numbers.exact(array, first + k * width, width));
  return result;
}

/// An attention head: logits are the products of tokens with key (query x + bias).
template <class Numbers>
struct StackHead {
  using Vector = typename Numbers::Vector;
  std::vector<Vector> key, query, value;  ///< key by rows, the others by columns; none: the identity
  Vector bias = {};

  StackHead() = default;
  /// Head h of arrays (H, d, k); without queries keys are W.
  StackHead(const Numbers& numbers, std::size_t h, const ExactArray& keys, const ExactArray* queries,
            const ExactArray* values = nullptr) {
    const auto part = [&](const ExactArray& array, bool columns) {
      const std::size_t d = array.shape()[1], width = array.shape()[2];
      return matrix_of(numbers, array, h * d * width, d, width, columns);
    };
    key = part(keys, false);
    if (queries != nullptr) query = part(*queries, true);
    if (values != nullptr) value = part(*values, true);
  }

  /// What the logits for this vector are products of tokens with.
  Vector direction(const Numbers& numbers, const Vector& x) const {
    Vector seen = query.empty() ? x : numbers.products(query, x);
    if (bias.size() > 0) seen = numbers.sum(seen, bias);
    return numbers.products(key, seen);
  }
  auto coefficients(const Numbers& numbers, const std::vector<Vector>& rows, std::size_t own,
                    std::span<const std::uint32_t> tokens) const {
    return numbers.softmax(numbers.products(rows, direction(numbers, rows[own]), &tokens));
  }
};

/// The vectors that leave each layer, of those rows of `hidden` that some examples need. What a layer makes
/// of vectors is written here, for all numbers: these have vectors (of size 0 by default), what softmax makes
/// of them, and the operations that are called here; those of networks and normalisations only if they are
/// real.
template <class Numbers>
class Stack {
public:
  using Vector = typename Numbers::Vector;
  /// The vectors of one stage, by rows of `hidden`; empty: not asked for.
  using Rows = std::vector<Vector>;

  /// All outlive it. The layers have weights, and are attention unless the numbers are real.
  Stack(const Problem& problem, std::span<const StackLayer> layers, const Numbers& numbers)
      : problem_(problem), layers_(layers), numbers_(numbers), heads_(layers.size()) {
    for (std::size_t k = 0; k < layers.size(); ++k) {
      if (layers[k].kind == StackLayer::Kind::attention) maps_.push_back(attention(k));
      if constexpr (requires { &Numbers::root; })  // real numbers
        if (layers[k].kind != StackLayer::Kind::attention)
          maps_.push_back(layers[k].kind == StackLayer::Kind::mlp ? mlp(layers[k]) : rmsnorm(layers[k]));
    }
    stages_.assign(layers.size() + 1, Rows(problem.source.data.hidden->size() / problem.d));
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// Before the vectors that these examples need are asked for.
  void prepare(const std::vector<std::size_t>& examples) {
    const Data& data = problem_.source.data;
    std::vector<std::set<std::size_t>> asked(stages_.size());  // of each stage, and not there yet
    const auto ask = [&](std::size_t stage, std::size_t own, std::span<const std::uint32_t> tokens) {
      const auto one = [&](std::size_t row) {
        if (stages_[stage][row].size() == 0) asked[stage].insert(row);
      };
      one(own);
      std::ranges::for_each(tokens, one);
    };
    for (const std::size_t t : examples) ask(layers_.size(), data.positions[t], data.members->list(t));
    for (std::size_t k = layers_.size(); k-- > 0;)
      for (const std::size_t row : asked[k + 1])
        ask(k, row, layers_[k].members ? layers_[k].members->list(row) : std::span<const std::uint32_t>());
    for (const std::size_t row : asked[0])
      stages_[0][row] = numbers_.exact(*data.hidden, row * problem_.d, problem_.d);
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const std::vector<std::size_t> rows(asked[k + 1].begin(), asked[k + 1].end());
      in_parallel(rows.size(), rows.size() * kWorkOfARow,
                  [&](std::size_t i) { stages_[k + 1][rows[i]] = maps_[k](stages_[k], rows[i]); });
    }
  }

  /// What enters layer k of the stack, or for k = its size what leaves it.
  const Rows& rows(std::size_t k) const { return stages_[k]; }
  const std::vector<StackHead<Numbers>>& heads(std::size_t k) const { return heads_[k]; }

private:
  /// What a layer makes of a row.
  using Map = std::function<Vector(const Rows& rows, std::size_t row)>;

  Map attention(std::size_t k) {
    const StackLayer& layer = layers_[k];
    for (std::size_t h = 0; h < layer.heads; ++h)
      heads_[k].emplace_back(numbers_, h, layer.combined ? *layer.combined : *layer.key,
                             layer.query ? &*layer.query : nullptr, layer.value ? &*layer.value : nullptr);
    return [this, &layer, &heads = heads_[k]](const Rows& rows, std::size_t row) {
      Vector result;
      if (layer.residual) result = rows[row];
      const auto tokens = layer.members->list(row);
      for (const StackHead<Numbers>& head : heads) {
        Vector mean = numbers_.mean(head.coefficients(numbers_, rows, row, tokens), rows, tokens, problem_.d);
        if (!head.value.empty()) mean = numbers_.products(head.value, mean);
        result = result.size() == 0 ? std::move(mean) : numbers_.sum(result, mean);
      }
      return result;
    };
  }

  Map mlp(const StackLayer& layer) const {
    const std::size_t d = problem_.d, m = layer.weight_1->shape()[1];
    std::optional<Vector> bias_1, bias_2;
    if (layer.bias_1) bias_1 = numbers_.exact(*layer.bias_1, 0, m);
    if (layer.bias_2) bias_2 = numbers_.exact(*layer.bias_2, 0, d);
    return [this, &layer, bias_1, bias_2, first = matrix_of(numbers_, *layer.weight_1, 0, d, m, true),
            second = matrix_of(numbers_, *layer.weight_2, 0, m, d, true)](const Rows& rows, std::size_t row) {
      Vector inner = numbers_.products(first, rows[row]), hidden;
      if (bias_1) inner = numbers_.sum(inner, *bias_1);
      for (std::size_t k = 0; k < inner.size(); ++k)
        hidden.push_back(numbers_.activation(layer.activation, inner[k]));
      Vector output = numbers_.products(second, hidden);
      if (bias_2) output = numbers_.sum(output, *bias_2);
      return layer.residual ? numbers_.sum(output, rows[row]) : output;
    };
  }

  Map rmsnorm(const StackLayer& layer) const {
    const std::size_t d = problem_.d;
    Vector gain;
    for (std::size_t j = 0; j < d; ++j)
      gain.push_back(numbers_.exact(layer.gain ? layer.gain->at(j) : Rational(1)));
    return [this, gain, part = numbers_.exact(Rational(1, d)), epsilon = numbers_.exact(layer.epsilon)](
               const Rows& rows, std::size_t row) {
      const Vector& x = rows[row];
      const auto size = numbers_.root(numbers_.sum(numbers_.product(numbers_.dot(x, x), part), epsilon));
      Vector result;
      for (std::size_t j = 0; j < x.size(); ++j)
        result.push_back(numbers_.quotient(numbers_.product(x[j], gain[j]), size));
      return result;
    };
  }

  const Problem& problem_;
  const std::span<const StackLayer> layers_;
  const Numbers& numbers_;
  std::vector<std::vector<StackHead<Numbers>>> heads_;  ///< by layers, of attention
  std::vector<Map> maps_;
  std::vector<Rows> stages_;
};

}  // namespace attest::kernel
