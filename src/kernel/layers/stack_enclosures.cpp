#include "kernel/layers/stack_enclosures.hpp"

#include <algorithm>
#include <map>

#include "base/parallel.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

// Bits before the binary point, and more after it than asked for, until errors are a few units.
constexpr std::size_t kWhole = 8, kLeastGuard = 20, kMostGuard = 1 << 16;

NearVector near(const FixedPoint& numbers, const std::vector<Rational>& entries) {
  NearVector result;
  for (const Rational& x : entries) result.push_back(numbers.exact(x));
  return result;
}

/// Vectors from which multiples of earlier ones were subtracted, so that each is 0 where these are not.
class Eliminated {
public:
  /// Whether the next vector is shown to be independent of all before.
  bool add(const FixedPoint& numbers, std::vector<Near> vector) {
    for (const auto& [pivot, row] : rows_) {
      const bool negative = row[pivot].mid < 0;
      Near divisor = row[pivot], factor = vector[pivot];
      if (!negative) factor.mid = -factor.mid;
      divisor.mid = abs(divisor.mid);
      factor = numbers.quotient(factor, divisor);
      for (std::size_t j = 0; j < vector.size(); ++j)
        vector[j] = j == pivot ? Near{0, 0} : numbers.sum(vector[j], numbers.product(factor, row[j]));
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

}  // namespace

/// The layers of the stack, which are given.
static const std::vector<StackLayer>& given(const std::vector<StackLayer>& layers) {
  ENSURE(std::ranges::none_of(layers, &StackLayer::free), "weights of the layers before", "a layer without");
  return layers;
}

EnclosedStack::EnclosedStack(const Problem& problem, std::size_t bits)
    : problem_(problem),
      numbers_(problem.source.layer->base, bits),
      stack_(problem, given(problem.source.stack), numbers_) {
  const LogitScale& scale = problem.source.layer->logit_scale;
  scale_ = numbers_.exact(scale.irrational() ? Rational(1, scale.radicand) : scale.rational);
  if (scale.irrational()) scale_ = numbers_.root(scale_);
}

std::vector<NearHead> EnclosedStack::heads_of(const Layer& layer) const {
  std::vector<NearHead> result(layer.heads.size());
  for (std::size_t h = 0; h < result.size(); ++h) {
    const Head& head = layer.heads[h];
    ENSURE(!head.lambda, "heads without separators", "one with one");
    if (layer.key) result[h] = {{numbers_, h, *layer.key, layer.query.get()}};
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
  const std::size_t own = data.positions[t];
  if (!head.scaled) return head.coefficients(numbers_, rows(), own, data.members->list(t));
  const NearVector along = head.direction(numbers_, rows()[own]);
  NearVector logits;
  for (const std::size_t token : data.members->list(t))
    logits.push_back(numbers_.product(numbers_.dot(rows()[token], along), scale_));
  return numbers_.softmax(logits);
}

std::vector<Near> EnclosedStack::vector(std::size_t row, std::size_t t, bool mixed) const {
  const std::vector<NearVector>& rows = this->rows();
  const auto tokens = problem_.source.data.members->list(t);
  const Near share = numbers_.exact(Rational(1, tokens.size()));
  std::vector<Near> result;
  for (std::size_t j = 0; j < problem_.d; ++j) {
    Near sum{0, 0};
    for (std::size_t k = 0; mixed && k < tokens.size(); ++k) sum = numbers_.sum(sum, rows[tokens[k]][j]);
    result.push_back(mixed ? numbers_.sum(rows[row][j], numbers_.product(sum, share)) : rows[row][j]);
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
    }
    if (subset.empty()) break;
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
  return numbers_.mean(coefficients, rows(), problem_.source.data.members->list(t), problem_.d);
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
