#include "kernel/layers/stack_enclosures.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/meter.hpp"
#include "base/parallel.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

// Bits before the binary point, and more after it than asked for, until errors are a few units.
constexpr std::size_t kWhole = 8, kLeastGuard = 20, kMostGuard = 1 << 16;
constexpr std::size_t kWorkOfARow = 1 << 14;  // roughly, for in_parallel

/// The matrix of an array (.., height, width) from `first` on, by its rows or by its columns.
std::vector<NearVector> matrix_of(const FixedPoint& numbers, const ExactArray& array, std::size_t first,
                                  std::size_t height, std::size_t width, bool columns) {
  std::vector<NearVector> result;
  for (std::size_t k = 0; k < (columns ? width : height); ++k)
    result.push_back(columns ? numbers.exact(array, first + k, height, width)
                             : numbers.exact(array, first + k * width, width));
  return result;
}

/// Of arrays (H, d, k); without queries keys are W.
std::vector<NearHead> near_heads(const FixedPoint& numbers, const ExactArray& key, const ExactArray* query) {
  const std::size_t d = key.shape()[1], width = key.shape()[2];
  std::vector<NearHead> result(key.shape()[0]);
  for (std::size_t h = 0; h < result.size(); ++h) {
    result[h].key = matrix_of(numbers, key, h * d * width, d, width, false);
    if (query != nullptr) result[h].query = matrix_of(numbers, *query, h * d * width, d, width, true);
  }
  return result;
}

NearVector near(const FixedPoint& numbers, const std::vector<Rational>& entries) {
  NearVector result;
  for (const Rational& x : entries) result.push_back(numbers.exact(x));
  return result;
}

Near added(const Near& a, const Near& b) {
  return {a.mid + b.mid, a.rad + b.rad};
}

/// Vectors from which multiples of earlier ones were subtracted, so that each is 0 where these are not.
class Eliminated {
public:
  /// Whether the next vector is shown to be independent of all before.
  bool add(const FixedPoint& numbers, std::vector<Near> vector) {
    meter().work(50 + 20 * vector.size() * (1 + rows_.size()));
    for (const auto& [pivot, row] : rows_) {
      const bool negative = row[pivot].mid < 0;
      Near divisor = row[pivot], factor = vector[pivot];
      if (!negative) factor.mid = -factor.mid;
      divisor.mid = abs(divisor.mid);
      factor = numbers.quotient(factor, divisor);
      for (std::size_t j = 0; j < vector.size(); ++j)
        vector[j] = j == pivot ? Near{0, 0} : added(vector[j], numbers.product(factor, row[j]));
    }
    const auto distance = [](const Near& x) { return Integer(abs(x.mid) - x.rad); };
    std::size_t best = 0;
    for (std::size_t j = 1; j < vector.size(); ++j)
      if (distance(vector[j]) > distance(vector[best])) best = j;
    if (distance(vector[best]) <= 0) return false;
    rows_.emplace_back(best, std::move(vector));
    return true;
  }

private:
  std::vector<std::pair<std::size_t, std::vector<Near>>> rows_;  ///< with a place where the row is not 0
};

/// W x, plus W_K b_Q.
NearVector direction(const FixedPoint& numbers, const NearHead& head, const NearVector& x) {
  NearVector query = head.query.empty() ? x : numbers.products(head.query, x);
  if (head.bias.size() > 0) query = sum(query, head.bias);
  return numbers.products(head.key, query);
}

}  // namespace

EnclosedStack::EnclosedStack(const Problem& problem, std::size_t bits)
    : problem_(problem), numbers_(problem.source.layer->base, bits) {
  const Case& source = problem.source;
  ENSURE(std::ranges::none_of(source.stack, &StackLayer::free), "weights of the layers before",
         "a layer without");
  for (const StackLayer& layer : source.stack)
    layers_.push_back(layer.kind == StackLayer::Kind::attention ? attention(layer)
                      : layer.kind == StackLayer::Kind::mlp     ? mlp(layer)
                                                                : rmsnorm(layer));
  stages_.assign(layers_.size() + 1, Rows(source.data.hidden->size() / problem.d));
  const LogitScale& scale = source.layer->logit_scale;
  scale_ = numbers_.exact(scale.irrational() ? Rational(1, scale.radicand) : scale.rational);
  if (scale.irrational()) scale_ = numbers_.root(scale_);
}

void EnclosedStack::prepare(const std::vector<std::size_t>& examples) {
  const Case& source = problem_.source;
  std::vector<std::set<std::size_t>> asked(stages_.size());  // of each stage, and not there yet
  const auto ask = [&](std::size_t stage, std::size_t own, std::span<const std::uint32_t> tokens) {
    const auto one = [&](std::size_t row) {
      if (stages_[stage][row].size() == 0) asked[stage].insert(row);
    };
    one(own);
    std::ranges::for_each(tokens, one);
  };
  for (const std::size_t t : examples)
    ask(layers_.size(), source.data.positions[t], source.data.members->list(t));
  for (std::size_t k = layers_.size(); k-- > 0;)
    for (const std::size_t row : asked[k + 1]) {
      const StackLayer& layer = source.stack[k];
      ask(k, row, layer.members ? layer.members->list(row) : std::span<const std::uint32_t>());
    }
  for (const std::size_t row : asked[0])
    stages_[0][row] = numbers_.exact(*source.data.hidden, row * problem_.d, problem_.d);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const std::vector<std::size_t> rows(asked[k + 1].begin(), asked[k + 1].end());
    in_parallel(rows.size(), rows.size() * kWorkOfARow,
                [&](std::size_t i) { stages_[k + 1][rows[i]] = layers_[k](stages_[k], rows[i]); });
  }
}

EnclosedStack::Map EnclosedStack::attention(const StackLayer& layer) const {
  const std::size_t d = problem_.d;
  std::vector<std::vector<NearVector>> values(layer.heads);  // by columns
  for (std::size_t h = 0; layer.value && h < layer.heads; ++h)
    values[h] = matrix_of(numbers_, *layer.value, h * d * d, d, d, true);
  return [this, &layer, values,
          heads = near_heads(numbers_, layer.combined ? *layer.combined : *layer.key,
                             layer.query ? &*layer.query : nullptr)](const Rows& rows, std::size_t row) {
    NearVector result;
    if (layer.residual) result = rows[row];
    const auto tokens = layer.members->list(row);
    for (std::size_t h = 0; h < layer.heads; ++h) {
      const NearVector along = direction(numbers_, heads[h], rows[row]);
      NearVector logits;
      for (const std::size_t token : tokens) logits.push_back(numbers_.dot(rows[token], along));
      NearVector mean = numbers_.mean(numbers_.softmax(logits), rows, tokens, problem_.d);
      if (layer.value) mean = numbers_.products(values[h], mean);
      result = result.size() == 0 ? std::move(mean) : sum(result, mean);
    }
    return result;
  };
}

EnclosedStack::Map EnclosedStack::mlp(const StackLayer& layer) const {
  const std::size_t d = problem_.d, m = layer.weight_1->shape()[1];
  std::optional<NearVector> bias_1, bias_2;
  if (layer.bias_1) bias_1 = numbers_.exact(*layer.bias_1, 0, m);
  if (layer.bias_2) bias_2 = numbers_.exact(*layer.bias_2, 0, d);
  return [this, &layer, bias_1, bias_2, first = matrix_of(numbers_, *layer.weight_1, 0, d, m, true),
          second = matrix_of(numbers_, *layer.weight_2, 0, m, d, true)](const Rows& rows, std::size_t row) {
    NearVector inner = numbers_.products(first, rows[row]), hidden;
    if (bias_1) inner = sum(inner, *bias_1);
    for (std::size_t k = 0; k < inner.size(); ++k)
      hidden.push_back(numbers_.activation(layer.activation, inner[k]));
    NearVector output = numbers_.products(second, hidden);
    if (bias_2) output = sum(output, *bias_2);
    return layer.residual ? sum(output, rows[row]) : output;
  };
}

EnclosedStack::Map EnclosedStack::rmsnorm(const StackLayer& layer) const {
  const std::size_t d = problem_.d;
  NearVector gain;
  for (std::size_t j = 0; j < d; ++j) gain.push_back(numbers_.exact(layer.gain ? layer.gain->at(j) : 1));
  return [this, gain, part = numbers_.exact(Rational(1, d)), epsilon = numbers_.exact(layer.epsilon)](
             const Rows& rows, std::size_t row) {
    const NearVector& x = rows[row];
    Near square = numbers_.product(numbers_.dot(x, x), part);
    square.mid += epsilon.mid;
    square.rad += epsilon.rad;
    const Near size = numbers_.root(square);
    NearVector result;
    for (std::size_t j = 0; j < x.size(); ++j)
      result.push_back(numbers_.quotient(numbers_.product(x[j], gain[j]), size));
    return result;
  };
}

std::vector<NearHead> EnclosedStack::heads_of(const Layer& layer) const {
  std::vector<NearHead> result(layer.heads.size());
  if (layer.key) result = near_heads(numbers_, *layer.key, layer.query.get());
  for (std::size_t h = 0; h < result.size(); ++h) {
    const Head& head = layer.heads[h];
    ENSURE(!head.lambda, "heads without separators", "one with one");
    result[h].scaled = !layer.ring.absorbed;
    if (!head.query_bias.empty()) result[h].bias = near(numbers_, head.query_bias);
    for (const Vector& query : head.query) result[h].query.push_back(near(numbers_, entries(query)));
    for (std::size_t j = 0; !layer.key && j < problem_.d; ++j) {
      std::vector<Rational> row;
      for (const Vector& key : head.key) row.push_back(key[j]);
      result[h].key.push_back(near(numbers_, row));
    }
  }
  return result;
}

std::vector<Near> EnclosedStack::coefficients(const NearHead& head, std::size_t t) const {
  const Data& data = problem_.source.data;
  const Rows& rows = stages_.back();
  const NearVector along = direction(numbers_, head, rows[data.positions[t]]);
  NearVector logits;
  for (const std::size_t token : data.members->list(t))
    logits.push_back(head.scaled ? numbers_.product(numbers_.dot(rows[token], along), scale_)
                                 : numbers_.dot(rows[token], along));
  return numbers_.softmax(logits);
}

std::vector<Near> EnclosedStack::vector(std::size_t row, std::size_t t, bool mixed) const {
  const Rows& rows = stages_.back();
  const auto tokens = problem_.source.data.members->list(t);
  const Near share = numbers_.exact(Rational(1, tokens.size()));
  std::vector<Near> result;
  for (std::size_t j = 0; j < problem_.d; ++j) {
    Near sum{0, 0};
    for (std::size_t k = 0; mixed && k < tokens.size(); ++k) sum = added(sum, rows[tokens[k]][j]);
    result.push_back(mixed ? added(rows[row][j], numbers_.product(sum, share)) : rows[row][j]);
  }
  return result;
}

bool EnclosedStack::queries_independent(std::size_t size, bool mixed) const {
  const std::size_t T = problem_.T;
  std::vector<Eliminated> before(size + 1);  // of the first members of a subset
  std::vector<std::size_t> subset;
  for (std::size_t next = 0; size > 0;) {
    if (next + (size - subset.size()) <= T) {
      Eliminated& rows = before[subset.size() + 1] = before[subset.size()];
      if (!rows.add(numbers_, vector(problem_.source.data.positions[next], next, mixed))) return false;
      subset.push_back(next++);
      if (subset.size() < size) continue;
    } else if (subset.empty()) {
      break;
    } else {
      next = subset.back() + 1;
      subset.pop_back();
      continue;
    }
    next = subset.back() + 1;
    subset.pop_back();
  }
  return true;
}

bool EnclosedStack::tokens_independent(std::size_t t, bool mixed) const {
  Eliminated rows;
  return std::ranges::all_of(problem_.source.data.members->list(t),
                             [&](std::size_t token) { return rows.add(numbers_, vector(token, t, mixed)); });
}

NearVector EnclosedStack::mean(const std::vector<Near>& coefficients, std::size_t t) const {
  return numbers_.mean(coefficients, stages_.back(), problem_.source.data.members->list(t), problem_.d);
}

void with_guard(const std::vector<std::size_t>& examples, std::size_t bits,
                const std::function<bool(const std::vector<std::size_t>& some, std::size_t bits,
                                         std::size_t guard)>& attempt) {
  // Numbers below 2^8 are to fill whole words, once and then twice as many; claims share what is computed. A
  // single example tells how many bits the layers lose; others may lose more.
  for (std::size_t length = (bits + kLeastGuard + kWhole + 63) / 64;; length *= 2) {
    const std::size_t guard = 64 * length - kWhole - bits;
    const bool last = guard >= kMostGuard;
    try {
      const bool narrow = examples.empty() || attempt({examples[0]}, bits + 1, guard - 1);
      if ((narrow || last) && (attempt(examples, bits, guard) || last)) return;
    } catch (const Failure&) {  // more bits may do
      if (last) throw;
    }
  }
}

EnclosedZ stack_enclosed_z(const Problem& problem, const Layer& layer, const std::vector<std::size_t>& rows,
                           const std::vector<std::size_t>& cols, std::size_t bits, bool one_radius) {
  EnclosedZ z;
  with_guard(rows, bits, [&](const std::vector<std::size_t>& some, std::size_t wanted, std::size_t guard) {
    const EnclosedStack& stack = problem.enclosed_stack(wanted + guard, some);
    const std::vector<NearHead> heads = stack.heads_of(layer);
    z = {IntegerMatrix(some.size()), IntegerMatrix(some.size())};
    in_parallel(some.size(), some.size() * kWorkOfARow, [&](std::size_t k) {
      std::map<std::size_t, NearVector> means;  // of the heads that the columns are of
      Integer most = 0;
      for (const std::size_t col : cols) {
        const std::size_t h = col / problem.d;
        NearVector& mean = means[h];
        if (mean.size() == 0) mean = stack.mean(stack.coefficients(heads[h], some[k]), some[k]);
        Near entry = mean[col % problem.d];
        // Its rounding is less than a unit.
        mpz_fdiv_q_2exp(entry.mid.get_mpz_t(), entry.mid.get_mpz_t(), guard);
        mpz_cdiv_q_2exp(entry.rad.get_mpz_t(), entry.rad.get_mpz_t(), guard);
        ++entry.rad;
        most = std::max(most, entry.rad);
        z.mid[k].push_back(entry.mid);
        if (!one_radius) z.rad[k].push_back(entry.rad);
      }
      if (one_radius) z.rad[k].push_back(most);
    });
    return std::ranges::all_of(z.rad, [](const auto& row) {
      return std::ranges::all_of(row, [](const Integer& x) { return x <= 2; });
    });
  });
  return z;
}

}  // namespace attest::kernel
