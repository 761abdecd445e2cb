#include "kernel/layers/free_stack.hpp"

#include <algorithm>

#include "problem/generate.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

using Words = std::vector<Word>;

constexpr std::size_t kTerms = 1 << 16;  // products below 2^46 that are summed before a reduction

Word dot(const Words& a, const Words& b, Word p) {
  Word sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] * b[k];
    if (k % kTerms == kTerms - 1) sum %= p;
  }
  return sum % p;
}

void add_multiple(Word* to, const Words& x, Word factor, Word p) {
  for (std::size_t k = 0; k < x.size(); ++k) to[k] = (to[k] + x[k] * factor) % p;
}

/// The same without a reduction, for kTerms times.
void add_products(Word* to, const Words& x, Word factor) {
  for (std::size_t k = 0; k < x.size(); ++k) to[k] += x[k] * factor;
}

void reduce_sums(Words& x, Word p) {
  for (Word& entry : x) entry %= p;
}

}  // namespace

NestedResidues::Vector NestedResidues::exact(const ExactArray& array, std::size_t first, std::size_t length,
                                             std::size_t step) const {
  Vector result(primes.size(), Words(length));
  for (std::size_t k = 0; k < length; ++k) {
    const Rational x = array.at(first + k * step);
    for (std::size_t f = 0; f < primes.size(); ++f) result[f][k] = residue(x, primes[f]);
  }
  return result;
}

NestedResidues::Vector NestedResidues::sum(const Vector& a, const Vector& b) const {
  Vector result = a;
  for (std::size_t f = 0; f < primes.size(); ++f)
    if (b[f].empty())
      result[f].clear();
    else if (!a[f].empty())
      add_multiple(result[f].data(), b[f], 1, primes[f]);
  return result;
}

NestedResidues::Vector NestedResidues::products(const std::vector<Vector>& rows, const Vector& x,
                                                const std::span<const std::uint32_t>* index) const {
  Vector result(primes.size());
  const std::size_t count = index ? index->size() : rows.size();
  for (std::size_t f = 0; f < primes.size(); ++f)
    for (std::size_t k = 0; !x[f].empty() && k < count; ++k)
      result[f].push_back(dot(rows[index ? (*index)[k] : k][f], x[f], primes[f]));
  return result;
}

NestedResidues::Vector NestedResidues::softmax(const Vector& logits) const {
  Vector result(primes.size());
  for (std::size_t f = 1; f < primes.size(); ++f) {
    if (logits[f - 1].empty()) continue;
    const Word p = primes[f];
    Word sum = 0;
    for (const Word logit : logits[f - 1]) {
      result[f].push_back(power(4, logit, p));
      sum = (sum + result[f].back()) % p;
    }
    ENSURE(sum != 0, "softmax denominators that are not 0 modulo a prime", "one that is");
    const Word scale = inverse(sum, p);
    for (Word& x : result[f]) x = x * scale % p;
  }
  return result;
}

NestedResidues::Vector NestedResidues::mean(const Vector& coefficients, const std::vector<Vector>& rows,
                                            std::span<const std::uint32_t> index, std::size_t d) const {
  Vector result(primes.size());
  for (std::size_t f = 0; f < primes.size(); ++f) {
    if (coefficients[f].empty()) continue;
    result[f].resize(d);
    for (std::size_t i = 0; i < index.size(); ++i)
      add_multiple(result[f].data(), rows[index[i]][f], coefficients[f][i], primes[f]);
  }
  return result;
}

/// The layers with weights that the seed draws; the values of the last are its read-out.
static std::vector<StackLayer> drawn(const Problem& problem, const std::vector<Word>& primes, Word bound,
                                     Word seed) {
  const Case& source = problem.source;
  ENSURE(problem.has_stack(), "layers before the layer", "none");
  for (const StackLayer& layer : source.stack)
    ENSURE(layer.kind == StackLayer::Kind::attention, "layers of attention", "another one");
  ENSURE(primes.size() == source.stack.size() + 2,
         count(source.stack.size() + 2) + " primes, one more than layers", count(primes.size()));
  for (std::size_t k = 0; k < primes.size(); ++k) {
    ENSURE(primes[k] % 2 == 1 && primes[k] < kBlockedLimit && is_prime(primes[k]), "odd primes below 2^23",
           count(primes[k]));
    ENSURE(k == 0 || primes[k] == 2 * primes[k - 1] + 1, "primes q, 2 q + 1, ...", count(primes[k]));
  }
  ENSURE(bound >= 1 && bound <= (Word{1} << 62), "a bound from 1 to 2^62", count(bound));
  ENSURE(seed < (Word{1} << 63), "a seed below 2^63", count(seed));

  const DrawnIntegers generator{.seed = seed, .bound = bound};
  const auto draw = [&](StackLayer layer, std::size_t outputs, std::uint64_t key, std::uint64_t query,
                        std::uint64_t value) {
    const std::size_t d = problem.d, d_h = layer.head_dim;
    layer.combined.reset();
    layer.key = generator.draw({layer.heads, d, d_h}, key);
    layer.query = generator.draw({layer.heads, d, d_h}, query);
    layer.value = generator.draw({layer.heads, d, outputs}, value);
    return layer;
  };
  std::vector<StackLayer> result;
  for (std::size_t k = 0; k < source.stack.size(); ++k) {
    const std::uint64_t first = stream::stack(k);
    result.push_back(draw(source.stack[k], problem.d, first, first + 1, first + 2));
  }
  StackLayer last;
  last.residual = false;
  last.heads = problem.H;
  last.head_dim = problem.d_h;
  last.members = source.data.members;
  result.push_back(draw(std::move(last), problem.d_out, stream::key, stream::query, stream::readout));
  return result;
}

FreeStack::FreeStack(const Problem& problem, const std::vector<Word>& primes, Word bound, Word seed)
    : problem_(problem),
      layers_(drawn(problem, primes, bound, seed)),
      numbers_{primes},
      stack_(problem, std::span(layers_).first(layers_.size() - 1), numbers_) {
  stack_.prepare(all_below(problem.T));
  const StackLayer& last = layers_.back();
  for (std::size_t h = 0; h < last.heads; ++h)
    last_.emplace_back(numbers_, h, *last.key, &*last.query, &*last.value);
  for (const StackLayer& layer : layers_) {
    first_.push_back(width_);
    width_ += layer.heads * of_head(layer);
    seen_.emplace_back(layer.heads);
  }
  for (std::size_t h = 0; h < last.heads; ++h)  // whatever the minor is: no denominator vanishes
    for (std::size_t t = 0; t < problem.T; ++t) (void)seen(layers_.size() - 1, h, t);
}

const FreeStack::Seen& FreeStack::seen(std::size_t k, std::size_t h, std::size_t index) const {
  Seen& result = seen_[k][h][index];
  if (!result.mean.empty()) return result;
  const bool last = k + 1 == layers_.size();
  const auto& rows = stack_.rows(k);
  const auto tokens = layers_[k].members->list(index);
  const auto coefficients =
      heads(k)[h].coefficients(numbers_, rows, last ? problem_.source.data.positions[index] : index, tokens);
  result = {coefficients.back(), numbers_.mean(coefficients, rows, tokens, problem_.d).back()};
  return result;
}

void FreeStack::pull_back(std::size_t k, std::size_t index, const Words& by_output, std::size_t origin,
                          Words& by_weights, std::vector<Words>& by_input) const {
  const StackLayer& layer = layers_[k];
  const std::size_t d = problem_.d, d_h = layer.head_dim, outputs = by_output.size(),
                    own = k + 1 == layers_.size() ? problem_.source.data.positions[index] : index;
  const Word p = this->p();
  const auto tokens = layer.members->list(index);
  const auto input = [&](std::size_t row) -> const Words& { return stack_.rows(k)[row].back(); };
  const auto add = [&](Words& to, const Words& x, Word factor = 1) { add_multiple(to.data(), x, factor, p); };
  // Of matrices by their rows, modulo p: M x, and x M.
  const auto times = [&](const auto& m, const Words& x) {
    Words result;
    for (const auto& row : m) result.push_back(dot(row.back(), x, p));
    return result;
  };
  const auto combined = [&](const Words& x, const auto& m) {
    Words result(m[0].back().size());
    for (std::size_t i = 0; i < m.size(); ++i) {
      add_products(result.data(), m[i].back(), x[i]);
      if (i % kTerms == kTerms - 1) reduce_sums(result, p);
    }
    reduce_sums(result, p);
    return result;
  };
  if (layer.residual) add(by_input[own - origin], by_output);
  for (std::size_t h = 0; h < layer.heads; ++h) {
    const auto& head = heads(k)[h];
    const auto& [coefficients, mean] = seen(k, h, index);
    const Words query = times(head.query, input(own)), along = times(head.key, query),
                by_mean = combined(by_output, head.value);
    Words by_coefficient;
    for (const std::uint32_t token : tokens) by_coefficient.push_back(dot(by_mean, input(token), p));
    const Word middle = dot(by_coefficient, coefficients, p);
    Words shift(d);  // by the direction that the tokens are multiplied with
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Word by_logit = coefficients[i] * (by_coefficient[i] + p - middle) % p;
      add(by_input[tokens[i] - origin], by_mean, coefficients[i]);
      add(by_input[tokens[i] - origin], along, by_logit);
      add(shift, input(tokens[i]), by_logit);
    }
    const Words by_query = combined(shift, head.key);
    add(by_input[own - origin], combined(by_query, head.query));
    Word* const weights = by_weights.data() + first_[k] + h * of_head(layer);
    for (std::size_t j = 0; j < d; ++j) {
      add_products(weights + j * d_h, query, shift[j]);
      add_products(weights + (d + j) * d_h, by_query, input(own)[j]);
      add_products(weights + 2 * d * d_h + j * outputs, by_output, mean[j]);
    }
  }
}

FreeStack::Words FreeStack::gradient(std::size_t t, std::size_t o) const {
  const std::size_t own = problem_.source.data.positions[t], n = problem_.n, origin = own - own % n;
  Words result(width_), by_output(problem_.d_out);
  by_output[o] = 1;
  std::vector<Words> by_input(n, Words(problem_.d));
  pull_back(layers_.size() - 1, t, by_output, origin, result, by_input);
  for (std::size_t k = layers_.size() - 1; k-- > 0;) {
    std::vector<Words> next(n, Words(problem_.d));
    for (std::size_t i = 0; i < n; ++i) {
      if (std::ranges::any_of(by_input[i], [](Word x) { return x != 0; }))
        pull_back(k, origin + i, by_input[i], origin, result, next);
      if (i % kTerms == kTerms - 1)
        reduce_sums(result, p());  // a row adds one product to each weight of its layer
    }
    by_input = std::move(next);
  }
  reduce_sums(result, p());
  return result;
}

Matrix FreeStack::minor_of_z(const std::vector<std::size_t>& rows,
                             const std::vector<std::size_t>& cols) const {
  Matrix result(rows.size(), cols.size());
  const std::size_t d = problem_.d;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < cols.size(); ++j)
      result[i][j] = static_cast<double>(seen(layers_.size() - 1, cols[j] / d, rows[i]).mean[cols[j] % d]);
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
