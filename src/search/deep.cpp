#include "search/deep.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/progress.hpp"
#include "search/arithmetic/owned.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {
namespace {

void add(BallMatrix& a, const BallMatrix& b, slong precision) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j)
      arb_add(a(i, j).get(), a(i, j).get(), b(i, j).get(), precision);
}

std::vector<BallHead> heads_of(std::size_t H, std::size_t d, const std::optional<ExactArray>& combined,
                               const std::optional<ExactArray>& key, const std::optional<ExactArray>& query,
                               const std::optional<ExactArray>& bias, slong precision) {
  std::vector<BallHead> result(H);
  for (std::size_t h = 0; h < H; ++h) {
    const std::size_t width = combined ? d : key->shape()[2];
    result[h].key = ball_matrix(combined ? *combined : *key, h * d * width, d, width, precision);
    if (!combined) result[h].query = transposed(ball_matrix(*query, h * d * width, d, width, precision));
    if (bias) result[h].bias = ball_matrix(*bias, h * width, width, 1, precision);
  }
  return result;
}

// key (query x + bias) for the column x.
BallMatrix direction(const BallHead& head, const BallMatrix& x, slong precision) {
  BallMatrix query = head.query ? multiply(*head.query, x, precision) : x;
  if (head.bias.rows() > 0) add(query, head.bias, precision);
  return multiply(head.key, query, precision);
}

// The softmax of a column of logits, as a row.
BallMatrix softmax_of(const BallMatrix& logits, slong precision) {
  OwnedFloat top, x;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    arb_get_ubound_arf(x, logits(i, 0).get(), precision);
    if (i == 0 || arf_cmp(x, top) > 0) arf_set(top, x);
  }
  BallMatrix result(1, logits.rows());
  Ball sum;
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    arb_sub_arf(result(0, i).get(), logits(i, 0).get(), top, precision);
    arb_exp(result(0, i).get(), result(0, i).get(), precision);
    arb_add(sum.get(), sum.get(), result(0, i).get(), precision);
  }
  for (std::size_t i = 0; i < logits.rows(); ++i)
    arb_div(result(0, i).get(), result(0, i).get(), sum.get(), precision);
  meter().work(logits.rows() * (200 + static_cast<std::uint64_t>(precision)));
  return result;
}

// These rows, one below the other.
BallMatrix stacked(const std::vector<BallMatrix>& rows, std::span<const std::uint32_t> index, std::size_t d) {
  BallMatrix result(index.size(), d);
  for (std::size_t i = 0; i < index.size(); ++i)
    for (std::size_t j = 0; j < d; ++j) result(i, j) = rows[index[i]](0, j);
  return result;
}

}  // namespace

std::vector<std::size_t> used_rows(const Case& c) {
  std::set<std::size_t> rows(c.data.positions.begin(), c.data.positions.end());
  rows.insert(c.data.members->rows.begin(), c.data.members->rows.end());
  for (const Before& layer : c.before)
    if (layer.members) rows.insert(layer.members->rows.begin(), layer.members->rows.end());
  return {rows.begin(), rows.end()};
}

DeepLayer::DeepLayer(const Case& c, slong precision)
    : c_(c), precision_(precision), rows_(c.data.hidden->size() / c.layer->embed_dim) {
  const std::size_t d = c.layer->embed_dim;
  for (const std::size_t row : used_rows(c))
    rows_[row] = ball_matrix(*c.data.hidden, row * d, 1, d, precision);
  for (const Before& layer : c.before) {
    if (layer.kind == Before::Kind::attention) attend(layer);
    if (layer.kind == Before::Kind::mlp) apply_mlp(layer);
    if (layer.kind == Before::Kind::rmsnorm) normalize(layer);
  }
  for (const BallMatrix& row : rows_)
    for (std::size_t j = 0; j < row.cols(); ++j)
      if (arb_is_finite(row(0, j).get()) == 0)
        throw LimitError("a vector that enters the layer is not known to be finite");
  const Weights& w = *c.weights;
  heads_ = heads_of(c.layer->heads, d, w.combined, w.key, w.query, w.query_bias, precision);
  const LogitScale& scale = c.layer->logit_scale;
  scale_ = Ball(scale.irrational() ? mpq_class(1, scale.radicand) : scale.rational, precision);
  if (scale.irrational()) arb_sqrt(scale_.get(), scale_.get(), precision);
}

void DeepLayer::attend(const Before& layer) {
  const std::size_t d = c_.layer->embed_dim;
  const std::vector<BallHead> heads =
      heads_of(layer.heads, d, layer.combined, layer.key, layer.query, std::nullopt, precision_);
  std::vector<BallMatrix> values;
  for (std::size_t h = 0; layer.value && h < layer.heads; ++h)
    values.push_back(ball_matrix(*layer.value, h * d * d, d, d, precision_));
  std::vector<BallMatrix> result(rows_.size());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].cols() == 0) continue;
    report_progress("a layer before", row, rows_.size());
    result[row] = layer.residual ? rows_[row] : BallMatrix(1, d);
    const BallMatrix tokens = stacked(rows_, layer.members->list(row), d), own = transposed(rows_[row]);
    for (std::size_t h = 0; h < layer.heads; ++h) {
      const BallMatrix logits = multiply(tokens, direction(heads[h], own, precision_), precision_),
                       mean = multiply(softmax_of(logits, precision_), tokens, precision_);
      add(result[row], values.empty() ? mean : multiply(mean, values[h], precision_), precision_);
    }
  }
  rows_ = std::move(result);
}

void DeepLayer::apply_mlp(const Before& layer) {
  const std::size_t d = c_.layer->embed_dim, m = layer.weight_1->shape()[1];
  const BallMatrix first = ball_matrix(*layer.weight_1, 0, d, m, precision_),
                   second = ball_matrix(*layer.weight_2, 0, m, d, precision_);
  Ball one;
  arb_one(one.get());
  for (BallMatrix& row : rows_) {
    if (row.cols() == 0) continue;
    BallMatrix hidden = multiply(row, first, precision_);
    if (layer.bias_1) add(hidden, ball_matrix(*layer.bias_1, 0, 1, m, precision_), precision_);
    for (std::size_t k = 0; k < m; ++k) {
      arb_ptr x = hidden(0, k).get();
      if (layer.activation == "relu") {
        signs_.push_back(arb_is_positive(x) != 0 ? 1 : arb_is_nonpositive(x) != 0 ? -1 : 0);
        Ball zero;
        arb_max(x, x, zero.get(), precision_);
      } else if (layer.activation == "tanh") {
        arb_tanh(x, x, precision_);
      } else {
        Ball factor;
        arb_neg(factor.get(), x);
        arb_exp(factor.get(), factor.get(), precision_);
        arb_add(factor.get(), factor.get(), one.get(), precision_);
        arb_div(x, x, factor.get(), precision_);
      }
    }
    BallMatrix output = multiply(hidden, second, precision_);
    if (layer.bias_2) add(output, ball_matrix(*layer.bias_2, 0, 1, d, precision_), precision_);
    if (layer.residual) add(output, row, precision_);
    row = std::move(output);
  }
}

void DeepLayer::normalize(const Before& layer) {
  const std::size_t d = c_.layer->embed_dim;
  for (BallMatrix& row : rows_) {
    if (row.cols() == 0) continue;
    Ball size;
    for (std::size_t j = 0; j < d; ++j) arb_addmul(size.get(), row(0, j).get(), row(0, j).get(), precision_);
    arb_div_ui(size.get(), size.get(), d, precision_);
    arb_add(size.get(), size.get(), Ball(layer.epsilon, precision_).get(), precision_);
    arb_sqrt(size.get(), size.get(), precision_);
    for (std::size_t j = 0; j < d; ++j) {
      if (layer.gain)
        arb_mul(row(0, j).get(), row(0, j).get(), Ball(layer.gain->at(j), precision_).get(), precision_);
      arb_div(row(0, j).get(), row(0, j).get(), size.get(), precision_);
    }
  }
}

BallMatrix DeepLayer::tokens(std::size_t t) const {
  return stacked(rows_, c_.data.members->list(t), c_.layer->embed_dim);
}

BallMatrix DeepLayer::coefficients(std::size_t h, std::size_t t) const {
  BallMatrix logits = multiply(
      tokens(t), direction(heads_[h], transposed(rows_[c_.data.positions[t]]), precision_), precision_);
  for (std::size_t i = 0; i < logits.rows(); ++i)
    arb_mul(logits(i, 0).get(), logits(i, 0).get(), scale_.get(), precision_);
  return softmax_of(logits, precision_);
}

BallMatrix DeepLayer::z() const {
  const std::size_t T = c_.layer->examples, H = c_.layer->heads, d = c_.layer->embed_dim;
  BallMatrix result(T, H * d);
  for (std::size_t t = 0; t < T; ++t) {
    report_progress("enclosing Z", t, T);
    const BallMatrix own = tokens(t);
    for (std::size_t h = 0; h < H; ++h) {
      const BallMatrix mean = multiply(coefficients(h, t), own, precision_);
      for (std::size_t j = 0; j < d; ++j) result(t, h * d + j) = mean(0, j);
    }
  }
  return result;
}

mpq_class DeepLayer::largest() const {
  mpq_class result = 1;
  for (const BallMatrix& row : rows_)
    for (std::size_t j = 0; j < row.cols(); ++j) {
      Ball size;
      arb_abs(size.get(), row(0, j).get());
      const std::optional<mpq_class> most = upper_bound(size);
      if (!most) throw LimitError("a vector that enters the layer is not known to be of a size that fits");
      result = std::max(result, *most);
    }
  return result;
}

EnclosedZ deep_enclosed_z(const Case& c, std::size_t bits) {
  const auto wanted = static_cast<slong>(bits);
  for (slong precision = wanted + 64; precision <= 2 * wanted + 16384; precision += precision / 2) {
    const BallMatrix z = DeepLayer(c, precision).z();
    EnclosedZ result{Matrix<mpz_class>(z.rows(), z.cols()), 3};
    bool narrow = true;  // otherwise numbers may be too large for integers, or none
    OwnedInteger integer;
    OwnedFloat scaled;
    for (std::size_t i = 0; i < z.rows(); ++i)
      for (std::size_t j = 0; narrow && j < z.cols(); ++j) {
        narrow = mag_cmp_2exp_si(arb_radref(z(i, j).get()), -wanted) <= 0;
        if (!narrow) break;
        arf_mul_2exp_si(scaled, arb_midref(z(i, j).get()), wanted);
        arf_get_fmpz(integer, scaled, ARF_RND_NEAR);
        fmpz_get_mpz(result.entries(i, j).get_mpz_t(), integer);
      }
    if (narrow) return result;
  }
  throw LimitError("Z is not known well enough at this precision");
}

// --- nested characters

namespace {

// The first primes of chains q, 2 q + 1, 4 q + 3, ... of 2 to 5 primes below 2^61.
constexpr std::uint64_t kChains[] = {1152921504606845789, 576460752303400949, 288230376151414799,
                                     144115188074284139};

// Residues of vectors modulo the primes from some one on; those of earlier ones are not defined.
class Nested {
public:
  Nested(const Case& c, const std::vector<int>& signs, std::size_t levels)
      : c_(c), signs_(signs), images_(levels + 1) {
    for (std::uint64_t q = kChains[levels - 1]; primes.size() <= levels; q = 2 * q + 1) primes.push_back(q);
    for (std::size_t f = 0; f < primes.size(); ++f) images_[f].resize(c.data.hidden->size() / width());
    for (const std::size_t row : used_rows(c))
      for (std::size_t f = 0; f < primes.size(); ++f)
        images_[f][row] = vector_of(*c.data.hidden, row * width(), width(), f);
  }

  std::vector<std::uint64_t> primes;

  void apply(const Before& layer) {
    if (layer.kind == Before::Kind::attention) attend(layer);
    if (layer.kind == Before::Kind::mlp) apply_mlp(layer);
  }

  ModularMatrix z() {
    const Weights& w = *c_.weights;
    const std::size_t T = c_.layer->examples, H = c_.layer->heads, d = width(), last = primes.size() - 1;
    ModularMatrix result(T, H * d);
    for (std::size_t h = 0; h < H; ++h) {
      const Head head = head_of(w.combined, w.key, w.query, w.query_bias, h);
      const LogitScale& scale = c_.layer->logit_scale;
      for (std::size_t t = 0; t < T; ++t) {
        const auto tokens = c_.data.members->list(t);
        const Vector mean = means(head, c_.data.positions[t], tokens,
                                  scale.irrational() ? mpq_class(1) : scale.rational, last);
        std::copy(mean.begin(), mean.end(), result.row(t) + h * d);
      }
    }
    return result;
  }

private:
  using Vector = std::vector<std::uint64_t>;
  struct Head {
    std::vector<Vector> key, query, bias;  // by primes, row-major
    std::size_t width = 0;
  };

  std::size_t width() const { return c_.layer->embed_dim; }
  std::uint64_t number(const mpq_class& x, std::size_t f) const {
    if (const auto r = residue(x, primes[f])) return *r;
    throw LimitError("a denominator is 0");
  }
  Vector vector_of(const ExactArray& array, std::size_t first, std::size_t count, std::size_t f) const {
    Vector result(count);
    for (std::size_t k = 0; k < count; ++k) result[k] = number(array.at(first + k), f);
    return result;
  }
  std::uint64_t inverse(std::uint64_t x, std::size_t f) const {
    if (x == 0) throw LimitError("a denominator is 0");
    return inverse_mod(x, primes[f]);
  }
  // e^x, x modulo the prime before.
  std::uint64_t power(std::uint64_t x, std::size_t f) const { return power_mod(4, x, primes[f]); }
  std::uint64_t sum(std::uint64_t a, std::uint64_t b, std::size_t f) const { return (a + b) % primes[f]; }
  std::uint64_t product(std::uint64_t a, std::uint64_t b, std::size_t f) const {
    return multiply_mod(a, b, primes[f]);
  }
  // x M for the matrix m of rows of `cols` entries.
  Vector times(const Vector& x, const Vector& m, std::size_t cols, std::size_t f) const {
    meter().work(8 * x.size() * cols);
    Vector result(cols);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < cols; ++j) result[j] = sum(result[j], product(x[i], m[i * cols + j], f), f);
    return result;
  }

  Head head_of(const std::optional<ExactArray>& combined, const std::optional<ExactArray>& key,
               const std::optional<ExactArray>& query, const std::optional<ExactArray>& bias,
               std::size_t h) const {
    const std::size_t d = width(), k = combined ? d : key->shape()[2];
    Head head{{}, {}, {}, k};
    for (std::size_t f = 0; f < primes.size(); ++f) {
      head.key.push_back(vector_of(combined ? *combined : *key, h * d * k, d * k, f));
      if (!combined) head.query.push_back(vector_of(*query, h * d * k, d * k, f));
      if (bias) head.bias.push_back(vector_of(*bias, h * k, k, f));
    }
    return head;
  }

  // The mean of a head modulo prime f, which needs the logits modulo the one before.
  Vector means(const Head& head, std::size_t own, std::span<const std::uint32_t> tokens,
               const mpq_class& scale, std::size_t f) const {
    const std::size_t d = width(), e = f - 1;
    Vector query = images_[e][own];
    if (!head.query.empty()) query = times(query, head.query[e], head.width, e);
    for (std::size_t k = 0; !head.bias.empty() && k < query.size(); ++k)
      query[k] = sum(query[k], head.bias[e][k], e);
    const std::uint64_t factor = number(scale, e);
    for (std::uint64_t& x : query) x = product(x, factor, e);
    Vector direction(d), mean(d);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < head.width; ++k)
        direction[j] = sum(direction[j], product(head.key[e][j * head.width + k], query[k], e), e);
    std::uint64_t all = 0;
    for (const std::uint32_t token : tokens) {
      const std::uint64_t weight = power(times(images_[e][token], direction, 1, e)[0], f);
      all = sum(all, weight, f);
      for (std::size_t j = 0; j < d; ++j) mean[j] = sum(mean[j], product(weight, images_[f][token][j], f), f);
    }
    const std::uint64_t over = inverse(all, f);
    for (std::uint64_t& x : mean) x = product(x, over, f);
    meter().work(tokens.size() * (1000 + 8 * d));
    return mean;
  }

  void attend(const Before& layer) {
    const std::size_t d = width();
    std::vector<Head> heads;
    for (std::size_t h = 0; h < layer.heads; ++h)
      heads.push_back(head_of(layer.combined, layer.key, layer.query, std::nullopt, h));
    std::vector<std::vector<Vector>> next(images_.size(), std::vector<Vector>(images_[0].size()));
    for (std::size_t f = level_ + 1; f < primes.size(); ++f) {
      std::vector<Vector> values;
      for (std::size_t h = 0; layer.value && h < layer.heads; ++h)
        values.push_back(vector_of(*layer.value, h * d * d, d * d, f));
      for (std::size_t row = 0; row < next[f].size(); ++row) {
        if (images_[f][row].empty()) continue;
        Vector& result = next[f][row] = layer.residual ? images_[f][row] : Vector(d);
        for (std::size_t h = 0; h < layer.heads; ++h) {
          Vector mean = means(heads[h], row, layer.members->list(row), 1, f);
          if (layer.value) mean = times(mean, values[h], d, f);
          for (std::size_t j = 0; j < d; ++j) result[j] = sum(result[j], mean[j], f);
        }
      }
    }
    images_ = std::move(next);
    ++level_;
  }

  void apply_mlp(const Before& layer) {
    const std::size_t d = width(), m = layer.weight_1->shape()[1];
    const bool relu = layer.activation == "relu";
    std::vector<Vector> first, bias(primes.size(), Vector(m));  // modulo each prime
    for (std::size_t f = 0; f < primes.size(); ++f) {
      first.push_back(vector_of(*layer.weight_1, 0, d * m, f));
      if (layer.bias_1) bias[f] = vector_of(*layer.bias_1, 0, m, f);
    }
    const auto hidden = [&](std::size_t row, std::size_t f) {
      Vector result = times(images_[f][row], first[f], m, f);
      for (std::size_t k = 0; k < m; ++k) result[k] = sum(result[k], bias[f][k], f);
      return result;
    };
    std::vector<std::vector<Vector>> next(images_.size(), std::vector<Vector>(images_[0].size()));
    const std::size_t first_sign = next_sign_;
    for (std::size_t f = level_ + (relu ? 0 : 1); f < primes.size(); ++f) {
      next_sign_ = first_sign;
      const Vector second = vector_of(*layer.weight_2, 0, m * d, f);
      for (std::size_t row = 0; row < next[f].size(); ++row) {
        if (images_[f][row].empty()) continue;
        Vector x = hidden(row, f), exponents;
        if (!relu) exponents = hidden(row, f - 1);
        for (std::size_t k = 0; k < m; ++k) {
          if (relu) {
            const int sign = signs_[next_sign_++];
            if (sign == 0) throw LimitError("a sign is not told");
            if (sign < 0) x[k] = 0;
          } else if (layer.activation == "silu") {  // x e^x / (e^x + 1)
            const std::uint64_t e = power(exponents[k], f);
            x[k] = product(product(x[k], e, f), inverse(sum(e, 1, f), f), f);
          } else {  // (y^2 - 1) / (y^2 + 1), y = e^x
            const std::uint64_t y = power(exponents[k], f), square = product(y, y, f);
            x[k] = product(sum(square, primes[f] - 1, f), inverse(sum(square, 1, f), f), f);
          }
        }
        Vector result = times(x, second, d, f);
        for (std::size_t j = 0; j < d; ++j) {
          if (layer.bias_2) result[j] = sum(result[j], number(layer.bias_2->at(j), f), f);
          if (layer.residual) result[j] = sum(result[j], images_[f][row][j], f);
        }
        next[f][row] = std::move(result);
      }
    }
    images_ = std::move(next);
    level_ += relu ? 0 : 1;
  }

  const Case& c_;
  const std::vector<int>& signs_;
  std::vector<std::vector<Vector>> images_;  // by primes and rows; empty: not used
  std::size_t level_ = 0;                    // the first prime modulo which they are defined
  std::size_t next_sign_ = 0;
};

}  // namespace

std::optional<NestedImage> nested_image(const Case& c, const std::vector<int>& signs) {
  std::size_t levels = 1;
  for (const Before& layer : c.before) {
    if (layer.kind == Before::Kind::rmsnorm) return std::nullopt;
    levels += layer.kind == Before::Kind::attention || layer.activation != "relu" ? 1 : 0;
  }
  if (levels > std::size(kChains)) return std::nullopt;
  try {
    Nested image(c, signs, levels);
    for (const Before& layer : c.before) image.apply(layer);
    NestedImage result{image.primes, image.z()};
    return result;
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

}  // namespace attest
