#include "checker/layer.hpp"

#include <algorithm>
#include <map>

#include "base/errors.hpp"
#include "input/generate.hpp"

namespace attest::checker {
namespace {

/// An array that outlives the layer.
std::shared_ptr<const ExactArray> borrowed(const ExactArray& array) {
  return {std::shared_ptr<void>(), &array};
}

std::vector<Vector> columns(const ExactArray* array, std::size_t h) {
  std::vector<Vector> result;
  const std::size_t d = array == nullptr ? 0 : array->shape()[1],
                    width = array == nullptr ? 0 : array->shape()[2];
  for (std::size_t k = 0; k < width; ++k) result.emplace_back(*array, h * d * width + k, d, width);
  return result;
}

/// What the logits are products of: keys and queries of the case, projected or not (then the keys are
/// tokens).
struct Inputs {
  const Case& source;
  const bool projected;
  const ExactArray &keys, &queries;
  const std::size_t width = keys.shape().back();

  Inputs(const Problem& problem, const Layer& layer)
      : source(problem.source),
        projected(layer.projected),
        keys(projected ? *source.weights->projected_keys : problem.contexts()),
        queries(projected ? *source.weights->projected_queries : problem.queries()) {}
  /// Where the key of token i lies, for head h at example t. Heads share projected keys in groups.
  std::size_t key(std::size_t h, std::size_t t, std::size_t i) const {
    if (!projected) return source.token_row(t, i) * width;
    const std::size_t groups = keys.shape()[1];
    return (source.key_row(t, i) * groups + h * groups / source.layer->heads) * width;
  }
  std::size_t query(std::size_t h, std::size_t t) const {
    return (projected ? t * source.layer->heads + h : t) * width;
  }
};

/// The columns of a matrix mod q: of head h in the array, or else these.
Matrix residue_columns(const std::optional<ArrayResidues>& array, std::size_t h,
                       const std::vector<Vector>& vectors, std::size_t height, std::size_t width, Word q) {
  Matrix result(height, width);
  if (array) {
    array->copy(h * height * width, height * width, result.data.data());
    return result;
  }
  std::vector<Word> column(height);
  for (std::size_t k = 0; k < width; ++k) {
    residues(vectors[k], q, column.data());
    for (std::size_t j = 0; j < height; ++j) result[j][k] = static_cast<double>(column[j]);
  }
  return result;
}

/// Heads modulo q: what turns queries into directions W e, times the factor.
struct HeadResidues {
  Matrix key, query;  ///< no columns where the queries are as they are, or are directions already
  std::vector<Word> bias, factors;

  HeadResidues(const Layer& layer, const std::optional<ArrayResidues>& keys,
               const std::optional<ArrayResidues>& queries, std::size_t h, std::size_t width, Word q)
      : key(residue_columns(keys, h, layer.heads[h].key, width,
                            layer.key ? layer.key->shape()[2] : layer.heads[h].key.size(), q)),
        query(residue_columns(queries, h, layer.heads[h].query, width,
                              layer.query ? layer.query->shape()[2] : layer.heads[h].query.size(), q)),
        bias(layer.projected ? width : key.cols),
        factors(bias.size(), residue(layer.ring.factor, q)) {
    const Head& head = layer.heads[h];
    for (std::size_t k = 0; k < head.query_bias.size(); ++k) bias[k] = residue(head.query_bias[k], q);
    if (head.lambda) factors.back() = residue(*head.lambda, q) * factors.back() % q;
  }
  Matrix directions(Matrix queries, bool projected, Word q) const {
    if (query.cols > 0 || (!projected && key.cols == 0)) queries = product(queries, query, q);
    for (std::size_t i = 0; i < queries.rows; ++i) {
      for (std::size_t k = 0; k < queries.cols; ++k) queries[i][k] = (queries[i][k] + bias[k]) * factors[k];
    }
    reduce(queries.data.data(), queries.data.size(), q);
    return projected ? queries : product(queries, key, q, true);
  }
};

/// Their logits are not scaled. (With an irrational scale all of them are 0.)
void add_sinks(Layer& layer, const Problem& problem, const std::optional<ExactArray>& sinks) {
  for (std::size_t h = 0; sinks && h < problem.H; ++h)
    layer.sinks.push_back(
        layer.ring.two ? sinks->at(h) : Rational(sinks->at(h) / problem.source.layer->logit_scale.rational));
}

}  // namespace

Layer given_layer(const Problem& problem) {
  ENSURE(problem.source.weights.has_value(), "weights in the case", "none");
  const Weights& weights = *problem.source.weights;
  Layer layer{Ring::of(*problem.source.layer, false), {}, !weights.query_bias};
  add_sinks(layer, problem, weights.sink);
  if (weights.projected_keys) {
    layer.heads.resize(problem.H);
    layer.in_shape = false;
    layer.projected = true;
    return layer;
  }
  layer.heads.resize(problem.H);
  layer.key = borrowed(weights.combined ? *weights.combined : *weights.key);
  if (weights.combined) {  // W = sum over j of (column j of W) (unit vector j)^T
    layer.in_shape = problem.d_h >= problem.d;
    return layer;
  }
  layer.query = borrowed(*weights.query);
  for (std::size_t i = 0; weights.query_bias && i < problem.H * problem.d_h; ++i)
    layer.heads[i / problem.d_h].query_bias.push_back(weights.query_bias->at(i));
  return layer;
}

Layer random_layer(const Problem& problem, Word bound, Word seed) {
  Generator generator;
  generator.kind = Generator::Kind::integers;
  generator.bound = bound;
  generator.seed = seed;
  checked_size(checked_size(problem.H, problem.d), problem.d_h);
  const std::vector<std::size_t> shape{problem.H, problem.d, problem.d_h};
  Layer layer{Ring::of(*problem.source.layer, false),
              std::vector<Head>(problem.H),
              true,
              false,
              std::make_shared<const ExactArray>(generator.draw(shape, stream::key)),
              std::make_shared<const ExactArray>(generator.draw(shape, stream::query))};
  if (problem.source.layer->logit_scale.irrational()) generator.bound = 0;
  if (problem.source.layer->sink) add_sinks(layer, problem, generator.draw({problem.H}, stream::sink));
  return layer;
}

Layer generic_layer(const Problem& problem) {
  Integer token_den = 1, token_most = 1, query_den = 1, query_most = 1;
  const auto widen = [](Integer& den, Integer& most, const Vector& v) {
    meter().work(v.size() * (1 + mpz_size(den.get_mpz_t())));
    den = lcm(den, v.den);
    for (const Integer& entry : v.num) most = std::max<Integer>(most, abs(entry));
  };
  for (std::size_t t = 0; t < problem.T; ++t) {
    widen(query_den, query_most, problem.query(t));
    for (const Vector& token : problem.context(t)) widen(token_den, token_most, token);
  }
  // The difference of two sums of one matrix for each example is, times the denominators, an integer matrix
  // with entries of at most B - 2: digits that B^(d j + k) puts together to 0 only when all of them are 0.
  // (Of each token in some of the sums, when the coefficients are sigmoid. A sink's logit is a digit of its
  // own.)
  std::size_t matrices = problem.T;
  for (std::size_t t = 0; problem.source.layer->sigmoid && t < problem.T; ++t)
    matrices += problem.source.tokens(t);
  const Integer B = 2 * Integer(matrices) * token_den * token_most * query_den * query_most + 2;
  std::vector<Integer> u{1}, v{1};
  const std::size_t d = problem.d, limbs = mpz_size(B.get_mpz_t());
  meter().work(checked_size(checked_size(d, d), checked_size(d, limbs)));
  for (std::size_t k = 1; k < d; ++k) v.push_back(v.back() * B);
  for (std::size_t j = 1; j < d; ++j) u.push_back(u.back() * v.back() * B);
  Layer layer{Ring(), {Head{{Vector(u, 1)}, {Vector(v, 1)}, {}, {}}}};
  if (problem.source.layer->sink) layer.sinks = {Rational(Integer(u.back() * v.back() * B))};
  return layer;
}

Vector Logits::operator()(std::size_t h, std::size_t t, bool separated) {
  Vector result = of_tokens(h, t, separated);
  if (problem.source.layer->sigmoid) return result;
  if (!layer.sinks.empty()) {
    std::vector<Rational> all = entries(result);
    all.push_back(layer.sinks[h]);
    result = Vector(all);
  }
  // The largest becomes 0, so that no power overflows when it is enclosed.
  const Integer largest = *std::ranges::max_element(result.num);
  for (Integer& logit : result.num) logit -= largest;
  return Vector(std::move(result.num), std::move(result.den));
}

Vector Logits::of_tokens(std::size_t h, std::size_t t, bool separated) {
  auto& [found, seen, biases] = heads_[h];
  if (!found) {
    found = layer.heads[h];
    if (layer.key) {
      found->key = columns(layer.key.get(), h);
      found->query = columns(layer.query.get(), h);
    }
  }
  const Head& head = *found;
  const Inputs inputs(problem, layer);
  const std::size_t n = problem.source.tokens(t);
  if (!layer.projected && head.key.empty()) return Vector(std::vector<Integer>(n), 1);
  const Vector query(inputs.queries, inputs.query(h, t), inputs.width), bias(head.query_bias);
  const Rational& factor = layer.ring.factor;
  Vector result;
  if (problem.source.data.shared_context && !layer.projected && !head.lambda) {
    for (std::size_t i = seen.size(); i < n; ++i) {
      const Vector keys = products(head.key, problem.context(t)[i]);
      seen.push_back(head.query.empty() ? keys : combination(keys, head.query));
      biases.push_back(bias.size() == 0 ? Rational(0) : dot(keys, bias));
    }
    result = products(std::span(seen).first(n), query);
    if (bias.size() > 0) result = combination({1, 1}, {result, Vector({biases.begin(), biases.begin() + n})});
    if (factor != 1) result = combination({factor}, {result});
  } else {
    Vector factors = layer.projected || head.query.empty() ? query : products(head.query, query);
    if (bias.size() > 0) factors = combination({1, 1}, {factors, bias});
    if (factor != 1) factors = combination({factor}, {factors});
    if (head.lambda) {
      std::vector<Rational> all = entries(factors);
      all.back() *= separated ? *head.lambda : Rational(0);
      factors = Vector(all);
    }
    Context projected;
    for (std::size_t i = 0; layer.projected && i < n; ++i)
      projected.emplace_back(inputs.keys, inputs.key(h, t, i), inputs.width);
    // W e, so that each token needs one product.
    result = layer.projected ? products(projected, factors)
                             : products(problem.context(t), combination(factors, head.key));
  }
  return result;
}

Matrix minor_of_z(const Problem& problem, const Layer& layer, const Character& character,
                  const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                  std::size_t further, bool masses) {
  Matrix result(rows.size(), cols.size() + further);
  if (cols.empty()) return result;
  const auto [p, q, g] = character;
  const Inputs inputs(problem, layer);
  const std::size_t d = problem.d + (masses ? 1 : 0), width = inputs.width;
  std::optional<ArrayResidues> weights_k, weights_q;
  if (layer.key) weights_k.emplace(*layer.key, q);
  if (layer.query) weights_q.emplace(*layer.query, q);
  std::map<std::size_t, HeadResidues> heads;  // those that have a column
  for (const std::size_t col : cols)
    heads.try_emplace(col / d, layer, weights_k, weights_q, col / d, width, q);
  std::vector<std::size_t> origin;  // of the columns: the place of the head, and the coordinate
  for (const std::size_t col : cols)
    origin.push_back(static_cast<std::size_t>(std::distance(heads.begin(), heads.find(col / d))) * d +
                     col % d);
  std::vector<Word> sinks;  // of these heads
  for (const auto& head : heads) {
    if (!layer.sinks.empty()) sinks.push_back(residue(layer.sinks[head.first], q));
  }
  const ArrayResidues tokens_p(problem.contexts(), p), keys_q(inputs.keys, q), queries_q(inputs.queries, q);
  const PowerResidues powers(character);
  constexpr std::size_t kTogether = 128;  // examples whose directions are found at once
  const std::size_t H = heads.size();
  Matrix directions(std::min(kTogether, rows.size()) * H, width), key, tokens;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t t = rows[r], n = problem.source.tokens(t), k = r % kTogether;
    std::size_t at = 0;
    for (auto head = heads.begin(); k == 0 && head != heads.end(); ++head, ++at) {
      Matrix queries(std::min(kTogether, rows.size() - r), width);
      for (std::size_t i = 0; i < queries.rows; ++i)
        queries_q.copy(inputs.query(head->first, rows[r + i]), width, queries[i]);
      const Matrix own = head->second.directions(std::move(queries), layer.projected, q);
      for (std::size_t i = 0; i < own.rows; ++i) std::copy_n(own[i], width, directions[i * H + at]);
    }
    const bool same = r > 0 && problem.source.data.shared_context;  // tokens as before
    if (!same) tokens = Matrix(n, d);
    for (std::size_t i = 0; !same && i < n; ++i) {
      tokens[i][d - 1] = 1;
      tokens_p.copy(problem.source.token_row(t, i) * problem.d, problem.d, tokens[i]);
    }
    Matrix coefficients(H, n), own(layer.projected ? 1 : H, width);  // all heads have the same tokens as keys
    at = 0;
    for (auto head = heads.begin(); at < H; ++head, at += own.rows) {
      const bool same_keys = same && !layer.projected;
      if (!same_keys) key = Matrix(n, width);
      for (std::size_t i = 0; !same_keys && i < n; ++i)
        keys_q.copy(inputs.key(head->first, t, i), width, key[i]);
      std::copy_n(directions[k * H + at], own.data.size(), own.data.begin());
      const Matrix logits = product(own, key, q, true);
      std::copy(logits.data.begin(), logits.data.end(), coefficients[at]);
    }
    for (std::size_t h = 0; h < H; ++h) {
      double* row = coefficients[h];
      for (std::size_t j = 0; problem.source.layer->sigmoid && j < n; ++j) {
        const Word power = powers.power(static_cast<Word>(row[j]));  // of odd order, so never -1
        row[j] = static_cast<double>(power * inverse((power + 1) % p, p) % p);
      }
      if (problem.source.layer->sigmoid) continue;
      std::vector<Word> exponents(row, row + n);
      if (!sinks.empty()) exponents.push_back(sinks[h]);
      const Attention<PowerResidues> head = attention(powers, exponents);
      ENSURE(head.sum != 0, "softmax denominators that are not 0 mod p",
             "one that is 0 at example " + count(t));
      const Word scale = inverse(head.sum, p);
      for (std::size_t j = 0; j < n; ++j) row[j] = static_cast<double>(head.powers[j] * scale % p);
    }
    meter().work(coefficients.data.size() * 8 + coefficients.rows * 100);
    const Matrix z = product(coefficients, tokens, p);
    for (std::size_t c = 0; c < cols.size(); ++c) result[r][c] = z.data[origin[c]];
  }
  return result;
}

std::vector<Vector> value_columns(const Problem& problem, std::size_t h) {
  return columns(&*problem.source.weights->value, h);
}

Matrix minor_of_outputs(const Problem& problem, const Layer& layer, const Character& character,
                        const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) {
  const Weights& weights = *problem.source.weights;
  const std::size_t d = problem.d, width = weights.value->shape()[2];
  const bool masses = weights.value_bias && !problem.source.layer->convex();
  const std::size_t stride = d + (masses ? 1 : 0);
  std::vector<std::size_t> of_z;  // all columns of the heads that have one
  std::map<std::size_t, std::size_t> heads;
  for (const std::size_t col : cols) heads.try_emplace(col / width);
  for (auto& [h, first] : heads) {
    first = of_z.size();
    for (std::size_t j = 0; j < stride; ++j) of_z.push_back(h * stride + j);
  }
  const Matrix z = minor_of_z(problem, layer, character, rows, of_z, 0, masses);
  const ArrayResidues values(*weights.value, character.p);
  Matrix result(rows.size(), cols.size()), block(rows.size(), d), matrix(d, width);
  std::vector<double> bias(width);
  std::size_t last = problem.H;
  Matrix outputs;
  for (std::size_t c = 0; c < cols.size(); ++c) {
    const std::size_t h = cols[c] / width;
    if (h != last) {
      last = h;
      for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(z[i] + heads.at(h), d, block[i]);
      values.copy(h * d * width, d * width, matrix.data.data());
      if (weights.value_bias)
        ArrayResidues(*weights.value_bias, character.p).copy(h * width, width, bias.data());
      outputs = product(block, matrix, character.p);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double mass = masses ? z[i][heads.at(h) + d] : 1;
      result[i][c] = outputs[i][cols[c] % width] + mass * bias[cols[c] % width];
    }
  }
  reduce(result.data.data(), result.data.size(), character.p);
  return result;
}

HeadCount count_heads(const Problem& problem, const Layer& layer) {
  const std::vector<std::size_t> examples = all_below(problem.T);
  Logits logits(problem, layer);
  HeadCount result;
  for (std::size_t h = 0; h < problem.H; ++h) {
    const Vector at_first = logits(h, 0);
    bool repeats = false;  // an earlier head
    for (std::size_t g = 0; g < h && !repeats; ++g)
      repeats = std::all_of(examples.begin(), examples.end(),
                            [&](std::size_t t) { return logits(h, t) == logits(g, t); });
    if (repeats) continue;
    ++result.different;
    const auto moves = [&](std::size_t t) { return logits(h, t) != at_first; };
    result.moving += !problem.shared() || std::any_of(examples.begin(), examples.end(), moves) ? 1 : 0;
  }
  return result;
}

}  // namespace attest::checker
