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

// --- exact reasons

namespace {

// Vectors up to sign: the class of -x is minus that of x.
using Class = std::int64_t;

template <class Key>
Class number_of(std::map<Key, Class>& numbers, const Key& key, const Key& opposite) {
  if (key == opposite) return 0;
  const bool turned = opposite < key;
  const auto known = numbers.emplace(turned ? opposite : key, static_cast<Class>(numbers.size()) + 1).first;
  return turned ? -known->second : known->second;
}

using Parts = std::pair<Class, std::multiset<Class>>;

Parts parts(const std::vector<Class>& classes, std::size_t own, std::span<const std::uint32_t> tokens,
            Class sign) {
  Parts result{sign * classes[own], {}};
  for (const std::uint32_t token : tokens) result.second.insert(sign * classes[token]);
  return result;
}

// What x becomes in rmsnorm with epsilon 0, up to the square root of d: the squares of the entries, with
// their signs.
std::vector<mpq_class> normalized(const Before& layer, std::vector<mpq_class> x) {
  const mpq_class square = dot(x.data(), x.data(), x.size());
  for (std::size_t j = 0; j < x.size() && square > 0; ++j) {
    if (layer.gain) x[j] *= layer.gain->at(j);
    x[j] *= abs(x[j]) / square;
  }
  return x;
}

bool vanishes(const std::optional<ExactArray>& array) {
  for (std::size_t k = 0; array && k < array->size(); ++k)
    if (array->at(k) != 0) return false;
  return true;
}

// Independent rows of the span.
RationalMatrix basis(const RationalMatrix& a) {
  if (a.rows() == 0) return a;
  return submatrix(a, rank_with_witness(a).minor.rows);
}

RationalMatrix below(const std::vector<RationalMatrix>& parts, std::size_t d) {
  std::size_t rows = 0, at = 0;
  for (const RationalMatrix& part : parts) rows += part.rows();
  RationalMatrix result(rows, d);
  for (const RationalMatrix& part : parts)
    for (std::size_t i = 0; i < part.rows(); ++i, ++at)
      for (std::size_t j = 0; j < d; ++j) result(at, j) = part(i, j);
  return result;
}

using Most = std::vector<std::optional<mpq_class>>;
Most arguments(const Case& c, const RationalMatrix& rows, std::size_t k);

// At least what functionals, the columns of f, are on the rows that the first layers put out, when `rows` has
// those of the data: a mean is no larger than the largest token. Empty where nothing is known.
Most most(const Case& c, const RationalMatrix& rows, std::size_t layers, const RationalMatrix& f) {
  Most result(f.cols());
  if (layers == 0) {
    const RationalMatrix values = rows * f;
    for (std::size_t j = 0; j < f.cols(); ++j)
      for (std::size_t i = 0; i < values.rows(); ++i)
        if (!result[j] || values(i, j) > *result[j]) result[j] = values(i, j);
    return result;
  }
  const Before& layer = c.before[layers - 1];
  if (layer.kind == Before::Kind::rmsnorm || (layer.weight_2 && layer.activation != "relu")) return result;
  const std::size_t d = f.rows();
  const RationalMatrix shift =
      layer.bias_2 ? rational_rows(*layer.bias_2, d, 0, 1) * f : RationalMatrix(1, f.cols());
  for (std::size_t j = 0; j < f.cols(); ++j) result[j] = shift(0, j);
  const auto add = [&](std::size_t j, const std::optional<mpq_class>& x, const mpq_class& times) {
    if (!x)
      result[j].reset();
    else if (result[j])
      *result[j] += times * *x;
  };
  std::vector<RationalMatrix> seen;  // functionals on what enters the layer
  if (layer.residual) seen.push_back(f);
  for (std::size_t h = 0; h < layer.heads; ++h)
    seen.push_back(layer.value ? rational_rows(*layer.value, d, h * d, d) * f : f);
  for (const RationalMatrix& g : seen) {
    const Most bounds = most(c, rows, layers - 1, g);
    for (std::size_t j = 0; j < f.cols(); ++j) add(j, bounds[j], 1);
  }
  if (!layer.weight_2) return result;
  const Most inner = arguments(c, rows, layers - 1);
  const RationalMatrix times = rational_matrix(*layer.weight_2) * f;
  for (std::size_t i = 0; i < times.rows(); ++i)
    for (std::size_t j = 0; j < f.cols() && !(inner[i] && *inner[i] <= 0); ++j)
      if (times(i, j) > 0) add(j, inner[i], times(i, j));
  return result;
}

// The same of the arguments of the neurons of layer k.
Most arguments(const Case& c, const RationalMatrix& rows, std::size_t k) {
  const Before& layer = c.before[k];
  Most result = most(c, rows, k, rational_matrix(*layer.weight_1));
  for (std::size_t i = 0; layer.bias_1 && i < result.size(); ++i)
    if (result[i]) *result[i] += layer.bias_1->at(i);
  return result;
}

// The rows of W_2 of the neurons that may be active.
RationalMatrix active(const Case& c, const RationalMatrix& rows, std::size_t k) {
  const Before& layer = c.before[k];
  const RationalMatrix all = rational_matrix(*layer.weight_2);
  if (layer.activation != "relu") return all;
  const Most inner = arguments(c, rows, k);
  std::vector<RationalMatrix> result;
  for (std::size_t i = 0; i < all.rows(); ++i)
    if (!inner[i] || *inner[i] > 0) result.push_back(rational_rows(*layer.weight_2, all.cols(), i, 1));
  return below(result, all.cols());
}

// What contains the outputs of a layer, or their differences, when the inputs are in the span of `space`
// (their differences are; all inputs are in that of `linear`), and neurons add `neurons`.
RationalMatrix image_of(const Before& layer, const RationalMatrix& space, const RationalMatrix& linear,
                        const RationalMatrix& neurons, bool differences, std::size_t d) {
  if (differences && space.rows() == 0) return space;
  std::vector<RationalMatrix> found;
  if (layer.kind == Before::Kind::rmsnorm) {
    RationalMatrix scaled = linear;
    for (std::size_t i = 0; layer.gain && i < scaled.rows(); ++i)
      for (std::size_t j = 0; j < d; ++j) scaled(i, j) *= layer.gain->at(j);
    return basis(scaled);
  }
  if (layer.residual) found.push_back(space);
  for (std::size_t h = 0; h < layer.heads && space.rows() > 0; ++h)
    found.push_back(layer.value ? space * rational_rows(*layer.value, d, h * d, d) : space);
  found.push_back(neurons);
  if (layer.bias_2 && !differences) found.push_back(rational_rows(*layer.bias_2, d, 0, 1));
  return basis(below(found, d));
}

}  // namespace

HiddenRows::HiddenRows(const Case& c)
    : rows(used_rows(c)),
      all(rows.size(), c.layer->embed_dim),
      to_first(all.rows(), all.cols()),
      to_sequence(all.rows(), all.cols()) {
  const std::size_t n = c.layer->context;
  for (std::size_t k = 0, first = 0; k < rows.size(); ++k) {
    if (rows[k] / n != rows[first] / n) first = k;
    for (std::size_t j = 0; j < all.cols(); ++j) {
      all(k, j) = c.data.hidden->at(rows[k] * all.cols() + j);
      to_first(k, j) = all(k, j) - all(0, j);
      to_sequence(k, j) = all(k, j) - all(first, j);
    }
  }
}

DeepStructure deep_structure(const Case& c) {
  const std::size_t d = c.layer->embed_dim, T = c.layer->examples;
  const auto [rows, all, to_first, to_sequence] = HiddenRows(c);
  DeepStructure result;

  std::vector<Class> classes(c.data.hidden->size() / d);
  std::map<std::vector<mpq_class>, Class> vectors;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<mpq_class> x(all.row(k), all.row(k) + d), opposite;
    if (const Before& first = c.before[0]; first.kind == Before::Kind::rmsnorm && first.epsilon == 0)
      x = normalized(first, x);
    for (const mpq_class& entry : x) opposite.push_back(-entry);
    classes[rows[k]] = number_of(vectors, x, opposite);
  }
  RationalMatrix linear = basis(all), affine = basis(to_first), differences = basis(to_sequence);
  const bool given = c.weights && std::ranges::none_of(c.before, &Before::free);
  for (std::size_t k = 0; k < c.before.size(); ++k) {
    const Before& layer = c.before[k];
    const RationalMatrix before = linear;
    if (given && !(layer.weight_2 && layer.residual && differences.rows() == d)) {  // nothing to add
      const RationalMatrix neurons = layer.weight_2 ? active(c, all, k) : RationalMatrix(0, d);
      linear = image_of(layer, linear, before, neurons, false, d);
      affine = image_of(layer, affine, before, neurons, true, d);
      differences = image_of(layer, differences, before, neurons, true, d);
    }
    if (layer.kind == Before::Kind::rmsnorm) continue;
    const bool odd = layer.activation == "tanh" && vanishes(layer.bias_1) && vanishes(layer.bias_2);
    if (odd) continue;
    std::vector<Class> next(classes.size());
    std::map<Parts, Class> made;
    std::map<Class, Class> images;
    for (const std::size_t row : rows) {
      if (layer.kind == Before::Kind::mlp) {
        next[row] = images.emplace(classes[row], static_cast<Class>(images.size()) + 1).first->second;
        continue;
      }
      const auto tokens = layer.members->list(row);
      next[row] = number_of(made, parts(classes, row, tokens, 1), parts(classes, row, tokens, -1));
    }
    classes = std::move(next);
  }
  // As many vectors as there are classes of tokens, and a graph that joins those of each example.
  std::map<Class, std::size_t> places;
  std::vector<std::size_t> parents;
  std::set<Class> up_to_sign;
  std::size_t components = 0;
  for (std::size_t t = 0; t < T; ++t) {
    std::optional<std::size_t> first;
    for (const std::uint32_t token : c.data.members->list(t)) {
      const Class own = classes[token];
      if (own != 0) up_to_sign.insert(own < 0 ? -own : own);
      const auto [place, is_new] = places.emplace(own, parents.size());
      if (is_new) {
        parents.push_back(place->second);
        ++components;
      }
      std::size_t root = place->second;
      while (parents[root] != root) root = parents[root] = parents[parents[root]];
      if (first && root != *first) {
        parents[root] = *first;
        --components;
      } else {
        first = root;
      }
    }
  }
  result.linear = std::min(linear.rows(), up_to_sign.size());
  result.affine = std::min(affine.rows(), parents.size() - 1);
  result.differences = std::min(differences.rows(), parents.size() - components);

  // A query bias does not turn with the vectors: no example is opposite to another, or to itself.
  const bool turns = !c.weights || vanishes(c.weights->query_bias);
  std::map<Parts, Class> made;
  std::set<Class> different, directions;
  for (std::size_t t = 0; t < T; ++t) {
    const auto tokens = c.data.members->list(t);
    const std::size_t own = c.data.positions[t];
    const Parts kind = parts(classes, own, tokens, 1);
    const Class each = turns ? number_of(made, kind, parts(classes, own, tokens, -1))
                             : made.emplace(kind, static_cast<Class>(made.size()) + 1).first->second;
    different.insert(each);
    if (each != 0 && directions.insert(each < 0 ? -each : each).second) result.examples.push_back(t);
  }
  result.different = different.size();
  result.directions = directions.size();
  if (!given) return result;  // nothing is asked of the spaces, and there are no heads

  const Weights& w = *c.weights;
  std::set<std::vector<mpq_class>> heads;
  for (std::size_t h = 0; h < c.layer->heads; ++h) {
    RationalMatrix matrix =
        rational_rows(w.combined ? *w.combined : *w.key, w.combined ? d : w.key->shape()[2], h * d, d);
    std::vector<mpq_class> head;
    if (w.query_bias) {
      const std::size_t width = matrix.cols();
      const RationalMatrix shift = matrix * transposed(rational_rows(*w.query_bias, width, h, 1));
      head.assign(shift.data(), shift.data() + d);
    }
    if (!w.combined) matrix = matrix * transposed(rational_rows(*w.query, w.query->shape()[2], h * d, d));
    head.insert(head.end(), matrix.data(), matrix.data() + d * d);
    heads.insert(std::move(head));
  }
  result.heads = heads.size();
  return result;
}

}  // namespace attest
