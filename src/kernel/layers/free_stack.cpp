#include "kernel/layers/free_stack.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "problem/generate.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

using Words = std::vector<Word>;

constexpr std::size_t kTerms = 1 << 16;  // products below 2^46 that are summed before a reduction

Words residues_of(const ExactArray& array, std::size_t first, std::size_t length, Word p) {
  std::vector<double> entries(length);
  ArrayResidues(array, p).copy(first, length, entries.data());
  return {entries.begin(), entries.end()};
}

/// sum_k a[k] b[k step] over `length` terms.
Word dot(const Word* a, const Word* b, std::size_t length, std::size_t step, Word p) {
  Word sum = 0;
  for (std::size_t k = 0; k < length; ++k) {
    sum += a[k] * b[k * step];
    if (k % kTerms == kTerms - 1) sum %= p;
  }
  return sum % p;
}

/// x M for x of m.size() / cols entries.
Words times(const Words& x, const Words& m, std::size_t cols, Word p) {
  Words result(cols);
  for (std::size_t j = 0; j < cols; ++j) result[j] = dot(x.data(), m.data() + j, x.size(), cols, p);
  meter().work(m.size() * 2);
  return result;
}

/// M x for x of `cols` entries.
Words times_transposed(const Words& x, const Words& m, std::size_t cols, Word p) {
  Words result(m.size() / cols);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = dot(x.data(), m.data() + i * cols, cols, 1, p);
  meter().work(m.size() * 2);
  return result;
}

void add_multiple(Word* to, const Word* x, std::size_t length, Word factor, Word p) {
  for (std::size_t k = 0; k < length; ++k) to[k] = (to[k] + x[k] * factor) % p;
}

}  // namespace

FreeStack::FreeStack(const Problem& problem, const std::vector<Word>& primes, Word bound, Word seed)
    : problem_(problem), primes_(primes) {
  const Case& source = problem.source;
  const std::size_t d = problem.d;
  ENSURE(problem.has_stack(), "layers before the layer", "none");
  for (const StackLayer& before : source.stack)
    ENSURE(before.kind == StackLayer::Kind::attention, "layers of attention", "another one");
  ENSURE(primes.size() == source.stack.size() + 2,
         count(source.stack.size() + 2) + " primes, one more than layers", count(primes.size()));
  for (std::size_t k = 0; k < primes.size(); ++k) {
    ENSURE(primes[k] % 2 == 1 && primes[k] < kBlockedLimit && is_prime(primes[k]), "odd primes below 2^23",
           count(primes[k]));
    ENSURE(k == 0 || primes[k] == 2 * primes[k - 1] + 1, "primes q, 2 q + 1, ...", count(primes[k]));
  }
  ENSURE(bound >= 1 && bound <= (Word{1} << 62), "a bound from 1 to 2^62", count(bound));
  ENSURE(seed < (Word{1} << 63), "a seed below 2^63", count(seed));

  const Generator generator{.seed = seed, .bound = bound};
  const auto add = [&](std::size_t heads, std::size_t d_h, std::size_t outputs, bool residual,
                       std::uint64_t key, std::uint64_t query, std::uint64_t value) {
    const std::size_t size = checked_size(checked_size(heads, d), checked_size(2, d_h) + outputs);
    meter().work(checked_size(size, 50));
    Layer layer{heads,
                d_h,
                outputs,
                residual,
                width_,
                generator.draw({heads, d, d_h}, key),
                generator.draw({heads, d, d_h}, query),
                generator.draw({heads, d, outputs}, value)};
    width_ += size;
    layers_.push_back(std::move(layer));
  };
  for (std::size_t k = 0; k < source.stack.size(); ++k) {
    const StackLayer& before = source.stack[k];
    const std::uint64_t first = stream::stack(k);
    add(before.heads, before.head_dim, d, before.residual, first, first + 1, first + 2);
  }
  add(problem.H, problem.d_h, problem.d_out, false, stream::key, stream::query, stream::readout);

  const std::set<std::size_t> used = used_rows(problem.source);
  for (const Word q : primes_) {
    values_.emplace_back(source.data.hidden->size() / d);
    const ArrayResidues hidden(*source.data.hidden, q);
    std::vector<double> entries(d);
    for (const std::size_t row : used) {
      hidden.copy(row * d, d, entries.data());
      values_.back()[row].assign(entries.begin(), entries.end());
    }
  }
  for (std::size_t k = 0; k < source.stack.size(); ++k) pass(layers_[k], *source.stack[k].members);
  Layer& last = layers_.back();
  last.inputs = values_.back();
  last.seen.resize(last.heads);
  for (std::size_t h = 0; h < last.heads; ++h) {
    last.images.push_back(image(last, h, p()));
    const Head logits = image(last, h, primes_[primes_.size() - 2]);
    for (std::size_t t = 0; t < problem.T; ++t)
      last.seen[h].push_back(
          attend(last, logits, source.data.positions[t], source.data.members->list(t), primes_.size() - 1));
  }
}

FreeStack::Head FreeStack::image(const Layer& layer, std::size_t h, Word p) const {
  const std::size_t of_keys = problem_.d * layer.d_h, of_values = problem_.d * layer.outputs;
  return {residues_of(layer.key, h * of_keys, of_keys, p), residues_of(layer.query, h * of_keys, of_keys, p),
          residues_of(layer.value, h * of_values, of_values, p)};
}

FreeStack::Layer::Seen FreeStack::attend(const Layer& layer, const Head& logits, std::size_t own,
                                         std::span<const std::uint32_t> tokens, std::size_t f) const {
  const Word p = primes_[f], q = primes_[f - 1];
  const std::size_t d = problem_.d;
  const std::vector<Words>& exponents = values_[f - 1];
  const Words along =
      times_transposed(times(exponents[own], logits.query, layer.d_h, q), logits.key, layer.d_h, q);
  Layer::Seen result;
  Word sum = 0;
  for (const std::uint32_t token : tokens) {
    result.coefficients.push_back(power(4, dot(exponents[token].data(), along.data(), d, 1, q), p));
    sum = (sum + result.coefficients.back()) % p;
  }
  ENSURE(sum != 0, "softmax denominators that are not 0 modulo a prime", "one that is");
  const Word scale = inverse(sum, p);
  result.mean.resize(d);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    result.coefficients[i] = result.coefficients[i] * scale % p;
    add_multiple(result.mean.data(), values_[f][tokens[i]].data(), d, result.coefficients[i], p);
  }
  meter().work(tokens.size() * (200 + 6 * d));
  return result;
}

void FreeStack::pass(Layer& layer, const Members& members) {
  const std::size_t d = problem_.d, number = static_cast<std::size_t>(&layer - layers_.data());
  layer.inputs = values_.back();
  layer.seen.resize(layer.heads);
  std::vector<std::vector<Words>> next(primes_.size(), std::vector<Words>(values_[0].size()));
  for (std::size_t f = number + 1; f < primes_.size(); ++f) {
    if (layer.residual) next[f] = values_[f];
    for (std::size_t h = 0; h < layer.heads; ++h) {
      const Head logits = image(layer, h, primes_[f - 1]), own = image(layer, h, primes_[f]);
      for (std::size_t row = 0; row < next[f].size(); ++row) {
        if (values_[f][row].empty()) continue;
        Layer::Seen seen = attend(layer, logits, row, members.list(row), f);
        next[f][row].resize(d);
        add_multiple(next[f][row].data(), times(seen.mean, own.value, d, primes_[f]).data(), d, 1,
                     primes_[f]);
        if (f + 1 < primes_.size()) continue;
        layer.seen[h].resize(next[f].size());
        layer.seen[h][row] = std::move(seen);
      }
      if (f + 1 == primes_.size()) layer.images.push_back(own);
    }
  }
  values_ = std::move(next);
}

void FreeStack::pull_back(const Layer& layer, std::size_t k, std::size_t own,
                          std::span<const std::uint32_t> tokens, const Words& by_output, std::size_t origin,
                          Words& by_weights, std::vector<Words>& by_input) const {
  const std::size_t d = problem_.d, d_h = layer.d_h;
  const Word p = this->p();
  if (layer.residual) add_multiple(by_input[own - origin].data(), by_output.data(), d, 1, p);
  for (std::size_t h = 0; h < layer.heads; ++h) {
    const Head& head = layer.images[h];
    const Layer::Seen& seen = layer.seen[h][k];
    const Words& x = layer.inputs[own];
    const Words query = times(x, head.query, d_h, p), along = times_transposed(query, head.key, d_h, p),
                by_mean = times_transposed(by_output, head.value, layer.outputs, p);
    Words by_coefficient;
    for (const std::uint32_t token : tokens)
      by_coefficient.push_back(dot(by_mean.data(), layer.inputs[token].data(), d, 1, p));
    const Word mean = dot(by_coefficient.data(), seen.coefficients.data(), tokens.size(), 1, p);
    Words shift(d);  // by the direction that the tokens are multiplied with
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Word by_logit = seen.coefficients[i] * (by_coefficient[i] + p - mean) % p;
      Words& input = by_input[tokens[i] - origin];
      add_multiple(input.data(), by_mean.data(), d, seen.coefficients[i], p);
      add_multiple(input.data(), along.data(), d, by_logit, p);
      add_multiple(shift.data(), layer.inputs[tokens[i]].data(), d, by_logit, p);
    }
    const Words by_query = times(shift, head.key, d_h, p);
    add_multiple(by_input[own - origin].data(), times_transposed(by_query, head.query, d_h, p).data(), d, 1,
                 p);
    Word* const weights = by_weights.data() + layer.first + h * layer.of_head(d);
    for (std::size_t j = 0; j < d; ++j) {
      add_multiple(weights + j * d_h, query.data(), d_h, shift[j], p);
      add_multiple(weights + (d + j) * d_h, by_query.data(), d_h, x[j], p);
      add_multiple(weights + 2 * d * d_h + j * layer.outputs, by_output.data(), layer.outputs, seen.mean[j],
                   p);
    }
    meter().work(tokens.size() * d * 20 + layer.of_head(d) * 5);
  }
}

FreeStack::Words FreeStack::gradient(std::size_t t, std::size_t o) const {
  const Case& source = problem_.source;
  const std::size_t own = source.data.positions[t], n = problem_.n, d = problem_.d, origin = own - own % n;
  Words result(width_), by_output(problem_.d_out);
  by_output[o] = 1;
  std::vector<Words> by_input(n, Words(d));
  pull_back(layers_.back(), t, own, source.data.members->list(t), by_output, origin, result, by_input);
  for (std::size_t k = source.stack.size(); k-- > 0;) {
    std::vector<Words> next(n, Words(d));
    for (std::size_t i = 0; i < n; ++i) {
      if (std::ranges::all_of(by_input[i], [](Word x) { return x == 0; })) continue;
      pull_back(layers_[k], origin + i, origin + i, source.stack[k].members->list(origin + i), by_input[i],
                origin, result, next);
    }
    by_input = std::move(next);
  }
  return result;
}

std::size_t FreeStack::height() const {
  return checked_size(problem_.T, problem_.d_out);
}

Matrix FreeStack::minor_of_z(const std::vector<std::size_t>& rows,
                             const std::vector<std::size_t>& cols) const {
  Matrix result(rows.size(), cols.size());
  const std::size_t d = problem_.d;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < cols.size(); ++j)
      result[i][j] = static_cast<double>(layers_.back().seen[cols[j] / d][rows[i]].mean[cols[j] % d]);
  return result;
}

Matrix FreeStack::minor_of_j(const std::vector<std::size_t>& rows,
                             const std::vector<std::size_t>& cols) const {
  Matrix result(rows.size(), cols.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Words all = gradient(rows[i] / problem_.d_out, rows[i] % problem_.d_out);
    for (std::size_t j = 0; j < cols.size(); ++j) result[i][j] = static_cast<double>(all[cols[j]]);
  }
  return result;
}

}  // namespace attest::kernel
