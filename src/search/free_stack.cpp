#include "search/free_stack.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/progress.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/rational.hpp"
#include "search/deep.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kWeights = 1'000'000, kLargestPrime = std::uint64_t{1} << 23;
constexpr std::size_t kMostCharacters = 3, kRowBlock = 128;

/// A vanishing denominator.
struct Undefined {};

// Products of residues modulo these primes fit into 64 bits by the thousand.
constexpr std::size_t kUnreduced = 1 << 17;

ModularMatrix product(const ModularMatrix& a, const ModularMatrix& b, std::uint64_t p) {
  ModularMatrix result(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    std::uint64_t* const row = result.row(i);
    for (std::size_t k = 0; k < a.cols(); ++k) {
      const std::uint64_t factor = a(i, k);
      for (std::size_t j = 0; j < b.cols(); ++j) row[j] += factor * b(k, j);
      if (k % kUnreduced == kUnreduced - 1)
        for (std::size_t j = 0; j < b.cols(); ++j) row[j] %= p;
    }
    for (std::size_t j = 0; j < b.cols(); ++j) row[j] %= p;
  }
  meter().work(2 * a.rows() * a.cols() * b.cols());
  return result;
}

void add(ModularMatrix& a, const ModularMatrix& b, std::uint64_t p) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) a(i, j) = (a(i, j) + b(i, j)) % p;
}

ModularMatrix residues_of(const ExactArray& array, std::size_t first, std::size_t rows, std::size_t cols,
                          std::uint64_t p) {
  ModularMatrix result(rows, cols);
  for (std::size_t k = 0; k < rows * cols; ++k) {
    const auto r = residue(array.at(first + k), p);
    if (!r) throw Undefined();
    result.data()[k] = *r;
  }
  meter().work(rows * cols * 30);
  return result;
}

// A head modulo all primes.
struct Head {
  std::vector<ModularMatrix> key, query, value;  // (d, d_h), (d, d_h), (d, outputs)
};

struct Layer {
  std::size_t d_h = 0, outputs = 0, first_column = 0;
  bool residual = false;
  const Members* members = nullptr;
  bool by_example = false;  ///< members are those of the examples, not of the rows
  std::vector<Head> heads;
};

// One sequence on its way, modulo the last prime: what the derivatives need.
struct Passed {
  ModularMatrix inputs;  // (n, d)
  std::vector<ModularMatrix>
      coefficients;                  // by heads: a row for each own position, a column for each position
  std::vector<ModularMatrix> means;  // (own positions, d)
};

class Stack {
public:
  Stack(const Case& c, const NestedCharacter& character)
      : c_(c), primes_(character.primes), d_(c.layer->embed_dim), n_(c.layer->context) {
    const Generator draw{.seed = character.seed, .bound = character.bound};
    const auto layer_of = [&](std::size_t heads, std::size_t d_h, std::size_t outputs, std::uint64_t key,
                              std::uint64_t query, std::uint64_t value) {
      Layer layer;
      layer.d_h = d_h;
      layer.outputs = outputs;
      layer.first_column = columns_;
      const ExactArray keys = draw.draw({heads, d_, d_h}, key), queries = draw.draw({heads, d_, d_h}, query),
                       values = draw.draw({heads, d_, outputs}, value);
      for (std::size_t h = 0; h < heads; ++h) {
        Head head;
        for (const std::uint64_t p : primes_) {
          head.key.push_back(residues_of(keys, h * d_ * d_h, d_, d_h, p));
          head.query.push_back(residues_of(queries, h * d_ * d_h, d_, d_h, p));
          head.value.push_back(residues_of(values, h * d_ * outputs, d_, outputs, p));
        }
        layer.heads.push_back(std::move(head));
      }
      columns_ += heads * d_ * (2 * d_h + outputs);
      return layer;
    };
    for (std::size_t k = 0; k < c.before.size(); ++k) {
      const Before& before = c.before[k];
      const std::uint64_t first = stream::before(k);
      layers_.push_back(layer_of(before.heads, before.head_dim, d_, first, first + 1, first + 2));
      layers_.back().residual = before.residual;
      layers_.back().members = &*before.members;
    }
    const Dimensions& dims = *c.layer;
    layers_.push_back(
        layer_of(dims.heads, dims.head_dim, dims.output_dim, stream::key, stream::query, stream::readout));
    layers_.back().members = &*c.data.members;
    layers_.back().by_example = true;
    used_.resize(c.data.hidden->size() / d_);
    for (const std::size_t row : used_rows(c)) used_[row] = true;
  }

  std::size_t columns() const { return columns_; }
  std::uint64_t p() const { return primes_.back(); }

  // Prepares the sequence of an example.
  void read(std::size_t example) {
    const std::size_t first = c_.data.positions[example] / n_ * n_;
    if (!passed_.empty() && first == first_) return;
    first_ = first;
    passed_.clear();
    std::vector<ModularMatrix> values;  // modulo the primes from the layer's own on
    for (const std::uint64_t p : primes_) {
      ModularMatrix rows(n_, d_);
      for (std::size_t i = 0; i < n_; ++i)
        if (used_[first + i]) {
          const ModularMatrix row = residues_of(*c_.data.hidden, (first + i) * d_, 1, d_, p);
          std::copy_n(row.data(), d_, rows.row(i));
        }
      values.push_back(std::move(rows));
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      std::vector<ModularMatrix> next(primes_.size());
      for (std::size_t f = primes_.size() - 1; f > l; --f) {
        Passed passed = pass(layers_[l], values, f);
        if (l + 1 < layers_.size()) {
          next[f] = layers_[l].residual ? values[f] : ModularMatrix(n_, d_);
          for (std::size_t h = 0; h < layers_[l].heads.size(); ++h)
            add(next[f], product(passed.means[h], layers_[l].heads[h].value[f], primes_[f]), primes_[f]);
        }
        if (f + 1 == primes_.size()) passed_.push_back(std::move(passed));
      }
      values = std::move(next);
    }
  }

  // The row of Z of the example that was prepared.
  void write_means(std::size_t example, std::uint64_t* to) const {
    for (const ModularMatrix& mean : passed_.back().means) to = std::copy_n(mean.row(own(example)), d_, to);
  }

  // The derivatives of an output by all weights.
  std::vector<std::uint64_t> derivatives(std::size_t example, std::size_t output) const {
    std::vector<std::uint64_t> result(columns_);
    ModularMatrix by_output(n_, layers_.back().outputs);
    by_output(own(example), output) = 1;
    for (std::size_t l = layers_.size(); l-- > 0;) by_output = back(l, by_output, result);
    return result;
  }

private:
  std::size_t own(std::size_t example) const { return c_.data.positions[example] - first_; }

  // The lists of own positions that the sequence has, with the number of the list.
  template <class Visit>
  void for_lists(const Layer& layer, Visit visit) const {
    if (layer.by_example) {
      const auto& positions = c_.data.positions;
      for (auto at = std::ranges::lower_bound(positions, first_); at != positions.end() && *at < first_ + n_;
           ++at)
        visit(*at - first_, static_cast<std::size_t>(at - positions.begin()));
    } else {
      for (std::size_t i = 0; i < n_; ++i)
        if (used_[first_ + i]) visit(i, first_ + i);
    }
  }

  Passed pass(const Layer& layer, const std::vector<ModularMatrix>& values, std::size_t f) const {
    const std::uint64_t p = primes_[f], q = primes_[f - 1];
    Passed result{values[f], {}, {}};
    for (const Head& head : layer.heads) {
      const ModularMatrix keys = product(values[f - 1], head.key[f - 1], q),
                          logits = product(product(values[f - 1], head.query[f - 1], q), transposed(keys), q);
      ModularMatrix alpha(n_, n_);
      for_lists(layer, [&](std::size_t i, std::size_t k) {
        std::uint64_t sum = 0;
        for (const std::uint32_t token : layer.members->list(k)) {
          const std::size_t j = token - first_;
          alpha(i, j) = power_mod(4, logits(i, j), p);
          sum = (sum + alpha(i, j)) % p;
        }
        if (sum == 0) throw Undefined();
        const std::uint64_t over = inverse_mod(sum, p);
        for (std::size_t j = 0; j < n_; ++j) alpha(i, j) = alpha(i, j) * over % p;
      });
      meter().work(n_ * n_ * 100);
      result.means.push_back(product(alpha, values[f], p));
      result.coefficients.push_back(std::move(alpha));
    }
    return result;
  }

  // Adds the derivatives by a layer's weights, and returns those by its inputs.
  ModularMatrix back(std::size_t l, const ModularMatrix& by_output,
                     std::vector<std::uint64_t>& by_weights) const {
    const Layer& layer = layers_[l];
    const Passed& at = passed_[l];
    const std::uint64_t p = this->p();
    ModularMatrix result = layer.residual ? by_output : ModularMatrix(n_, d_);
    std::size_t column = layer.first_column;
    const auto write = [&](const ModularMatrix& weights) {
      std::copy_n(weights.data(), weights.rows() * weights.cols(), &by_weights[column]);
      column += weights.rows() * weights.cols();
    };
    const ModularMatrix tokens = transposed(at.inputs);
    for (std::size_t h = 0; h < layer.heads.size(); ++h) {
      const Head& head = layer.heads[h];
      const ModularMatrix &key = head.key.back(), &query = head.query.back(), &value = head.value.back(),
                          &alpha = at.coefficients[h];
      const ModularMatrix by_mean = product(by_output, transposed(value), p);
      ModularMatrix by_logit = product(by_mean, tokens, p);  // by coefficients, first
      for (std::size_t i = 0; i < n_; ++i) {
        std::uint64_t mean = 0;
        for (std::size_t j = 0; j < n_; ++j) mean = (mean + alpha(i, j) * by_logit(i, j)) % p;
        for (std::size_t j = 0; j < n_; ++j)
          by_logit(i, j) = alpha(i, j) * ((by_logit(i, j) + p - mean) % p) % p;
      }
      const ModularMatrix keys = product(at.inputs, key, p), queries = product(at.inputs, query, p),
                          by_queries = product(by_logit, keys, p),
                          by_keys = product(transposed(by_logit), queries, p);
      write(product(tokens, by_keys, p));
      write(product(tokens, by_queries, p));
      write(product(transposed(at.means[h]), by_output, p));
      add(result, product(transposed(alpha), by_mean, p), p);
      add(result, product(by_keys, transposed(key), p), p);
      add(result, product(by_queries, transposed(query), p), p);
    }
    return result;
  }

  const Case& c_;
  const std::vector<std::uint64_t>& primes_;
  std::size_t d_, n_, columns_ = 0;
  std::vector<Layer> layers_;
  std::vector<bool> used_;
  std::size_t first_ = 0;  // row of the sequence that was read
  std::vector<Passed> passed_;
};

bool is_chain(std::uint64_t q, std::size_t length) {
  for (std::size_t k = 0; k < length; ++k, q = 2 * q + 1)
    if (!is_prime(q)) return false;
  return true;
}

}  // namespace

std::optional<NestedCharacter> nested_character(const Case& c, std::size_t k) {
  const std::size_t length = c.before.size() + 2;
  if (k >= kMostCharacters || length > 8) return std::nullopt;
  std::uint64_t q = (kLargestPrime >> (length - 1)) - 1;
  for (std::size_t found = 0; q > 2; --q)
    if (is_chain(q, length) && found++ == k) break;
  if (q <= 2) return std::nullopt;
  NestedCharacter result{{}, kWeights, k + 1};
  for (; result.primes.size() < length; q = 2 * q + 1) result.primes.push_back(q);
  return result;
}

std::optional<MinorIndices> minor_of_stack_z(const Case& c, const NestedCharacter& character) {
  const std::size_t T = c.layer->examples;
  try {
    Stack stack(c, character);
    ModularMatrix z(T, c.layer->heads * c.layer->embed_dim);
    for (std::size_t t = 0; t < T; ++t) {
      report_progress("rows of Z", t, T);
      stack.read(t);
      stack.write_means(t, z.row(t));
    }
    return rank_profiles(z, stack.p());
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

std::optional<MinorIndices> minor_of_stack_jacobian(const Case& c, const NestedCharacter& character,
                                                    std::size_t enough) {
  const std::size_t d_out = c.layer->output_dim, rows = c.layer->examples * d_out;
  try {
    Stack stack(c, character);
    Echelon echelon(stack.p(), stack.columns());
    std::vector<double> block;
    std::vector<std::size_t> names;
    for (std::size_t row = 0; row < rows && echelon.rank() < enough; row += names.size()) {
      names = range(row, std::min(rows, row + kRowBlock));
      block.clear();
      for (const std::size_t name : names) {
        stack.read(name / d_out);
        for (const std::uint64_t x : stack.derivatives(name / d_out, name % d_out))
          block.push_back(blas::balanced(x, stack.p()));
      }
      echelon.add_rows(block.data(), names);
      report_progress("rows of J", row, rows);
    }
    return echelon.minor();
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

}  // namespace attest
