#include "checker/layer.hpp"

#include <algorithm>
#include <map>

#include "input/errors.hpp"
#include "input/generate.hpp"

namespace attest::checker {
namespace {

std::vector<Head> factored_heads(const Problem& problem, const ExactArray& key, const ExactArray& query,
                                 const std::optional<ExactArray>& query_bias) {
  std::vector<Head> heads(problem.H);
  for (std::size_t h = 0; h < problem.H; ++h) {
    for (std::size_t k = 0; k < problem.d_h; ++k) {
      const std::size_t first = h * problem.d * problem.d_h + k;
      heads[h].key.emplace_back(key, first, problem.d, problem.d_h);
      heads[h].query.emplace_back(query, first, problem.d, problem.d_h);
      if (query_bias) heads[h].query_bias.push_back(query_bias->at(h * problem.d_h + k));
    }
  }
  return heads;
}

Matrix residue_rows(const std::vector<Vector>& vectors, std::size_t width, Word p) {
  Matrix result(vectors.size(), width);
  for (std::size_t k = 0; k < vectors.size(); ++k) residues(vectors[k], p, result[k]);
  return result;
}

/// Entries of the projected query of head h at example t, or of the projected key of one of its tokens.
struct Place {
  const ExactArray& array;
  std::size_t first, size;
};

Place projected_query(const Case& source, std::size_t h, std::size_t t) {
  const ExactArray& array = *source.weights->projected_queries;
  const std::size_t m = array.shape()[2];
  return {array, (t * array.shape()[1] + h) * m, m};
}

/// Heads share keys in groups.
Place projected_key(const Case& source, std::size_t h, std::size_t t, std::size_t i) {
  const ExactArray& array = *source.weights->projected_keys;
  const std::size_t groups = array.shape()[1], m = array.shape()[2];
  return {array, (source.key_row(t, i) * groups + h * groups / source.layer->heads) * m, m};
}

/// The logits mod q of the heads in `place` at example t, each in the row that is its place.
Matrix projected_residues(const Case& source, const std::map<std::size_t, std::size_t>& place,
                          const Rational& factor, std::size_t t, Word q) {
  const ArrayResidues queries(*source.weights->projected_queries, q),
      keys(*source.weights->projected_keys, q);
  const Word scale = residue(factor, q);
  Matrix result(place.size(), source.tokens(t));
  for (const auto& [h, at] : place) {
    const Place from = projected_query(source, h, t);
    Matrix query(1, from.size), key(result.cols, from.size);
    queries.copy(from.first, from.size, query[0]);
    for (std::size_t i = 0; i < key.rows; ++i)
      keys.copy(projected_key(source, h, t, i).first, from.size, key[i]);
    const Matrix products = product(query, key, q, true);
    for (std::size_t i = 0; i < key.rows; ++i) result[at][i] = products[0][i] * scale % q;
  }
  return result;
}

/// W e, times the factor, for the query e in each row, all modulo q.
Matrix directions(const Head& head, const Rational& factor, const Matrix& queries, Word q) {
  const std::size_t d = queries.cols;
  const bool identity = head.query.empty() && !head.key.empty();
  Matrix weights = identity ? queries : product(queries, residue_rows(head.query, d, q), q, true);
  std::vector<Word> bias(weights.cols), factors(weights.cols, residue(factor, q));
  for (std::size_t k = 0; k < head.query_bias.size(); ++k) bias[k] = residue(head.query_bias[k], q);
  if (head.lambda) factors.back() = residue(*head.lambda, q) * factors.back() % q;
  for (std::size_t i = 0; i < weights.data.size(); ++i)
    weights.data[i] = (weights.data[i] + bias[i % weights.cols]) % q * factors[i % weights.cols] % q;
  return product(weights, residue_rows(head.key, d, q), q);
}

}  // namespace

PowerResidues::PowerResidues(const Character& character, std::size_t uses)
    : p_(character.p),
      width_(uses > 100'000 ? 16
             : uses > 1'000 ? 8
                            : 4) {
  Word base = character.g;
  for (Word rest = character.q; rest != 0; rest >>= width_) {
    std::vector<Word>& digit = digits_.emplace_back(1, 1);
    while (digit.size() < std::size_t{1} << width_) digit.push_back(digit.back() * base % p_);
    base = digit.back() * base % p_;
  }
}

Layer given_layer(const Problem& problem) {
  ENSURE(problem.source.weights.has_value(), "weights in the case", "none");
  const Weights& weights = *problem.source.weights;
  Layer layer{Ring::of(*problem.source.layer, false), {}, !weights.query_bias};
  if (weights.projected_keys) return {layer.ring, std::vector<Head>(problem.H), false, true};
  if (!weights.combined) {
    layer.heads = factored_heads(problem, *weights.key, *weights.query, weights.query_bias);
    return layer;
  }
  layer.in_shape = problem.d_h >= problem.d;
  layer.heads.resize(problem.H);
  for (std::size_t h = 0; h < problem.H; ++h) {  // W = sum over j of (column j of W) (unit vector j)^T
    for (std::size_t j = 0; j < problem.d; ++j)
      layer.heads[h].key.emplace_back(*weights.combined, h * problem.d * problem.d + j, problem.d, problem.d);
  }
  return layer;
}

Layer random_layer(const Problem& problem, Word bound, Word seed) {
  Generator generator;
  generator.kind = Generator::Kind::integers;
  generator.bound = bound;
  generator.seed = seed;
  checked_size(checked_size(problem.H, problem.d), problem.d_h);
  const std::vector<std::size_t> shape{problem.H, problem.d, problem.d_h};
  return {Ring::of(*problem.source.layer, false),
          factored_heads(problem, generator.draw(shape, stream::key), generator.draw(shape, stream::query),
                         std::nullopt)};
}

std::vector<Rational> logits(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t,
                             bool separated) {
  const Head& head = layer.heads[h];
  std::vector<Rational> result(problem.source.tokens(t)), factors;
  // The largest becomes 0, so that no power overflows when it is enclosed.
  const auto shifted = [&result] {
    const Rational largest = *std::max_element(result.begin(), result.end());
    for (Rational& logit : result) logit -= largest;
    return result;
  };
  if (layer.projected) {
    const auto exact = [](const Place& place) { return Vector(place.array, place.first, place.size); };
    const Vector query = exact(projected_query(problem.source, h, t));
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = dot(query, exact(projected_key(problem.source, h, t, i))) * layer.ring.factor;
    return shifted();
  }
  const Vector query = problem.query(t);
  for (std::size_t k = 0; k < head.key.size(); ++k) {
    factors.push_back(head.query.empty() ? query[k] : dot(head.query[k], query));
    if (!head.query_bias.empty()) factors.back() += head.query_bias[k];
    factors.back() *= layer.ring.factor;
  }
  if (head.lambda) factors.back() *= separated ? *head.lambda : Rational(0);
  if (factors.empty()) return result;
  const Vector direction = combination(factors, head.key);  // W e, so that each token needs one product
  const Context& tokens = problem.context(t);
  for (std::size_t i = 0; i < tokens.size(); ++i) result[i] = dot(tokens[i], direction);
  return shifted();
}

Matrix minor_of_z(const Problem& problem, const Layer& layer, const Character& character,
                  const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) {
  const auto [p, q, g] = character;
  const Case& source = problem.source;
  const std::size_t d = problem.d;
  // Only heads that have a column.
  std::map<std::size_t, std::size_t> place;
  std::vector<std::size_t> origin;  // of each column, in the row of all heads that have one
  for (std::size_t col : cols)
    origin.push_back(place.emplace(col / d, place.size()).first->second * d + col % d);
  const std::size_t H = place.size();
  Matrix directions_of_rows(layer.projected ? 0 : rows.size() * H, d);  // row k H + place of h
  if (!layer.projected) {
    Matrix queries(rows.size(), d);
    const ArrayResidues query_residues(problem.queries(), q);
    for (std::size_t k = 0; k < rows.size(); ++k) query_residues.copy(rows[k] * d, d, queries[k]);
    for (const auto& [h, at] : place) {
      const Matrix own = directions(layer.heads[h], layer.ring.factor, queries, q);
      for (std::size_t k = 0; k < rows.size(); ++k) std::copy_n(own[k], d, directions_of_rows[k * H + at]);
    }
  }
  const ArrayResidues tokens_p(problem.contexts(), p), tokens_q(problem.contexts(), q);
  const PowerResidues powers(character, rows.size() * H * problem.n);
  Matrix result(rows.size(), cols.size());
  std::vector<Word> logits;
  // Examples with the same tokens are reduced together.
  const std::size_t block =
      source.data.shared_context && !layer.projected ? std::min<std::size_t>(rows.size(), 128) : 1;
  for (std::size_t first = 0; first < rows.size(); first += block) {
    const std::size_t size = std::min(block, rows.size() - first), t = rows[first], n = source.tokens(t);
    Matrix tokens(n, d), own(layer.projected ? 0 : size * H, d);
    const auto read_tokens = [&](const ArrayResidues& residues) {
      const std::size_t together = problem.listed() ? 1 : n;  // rows that follow each other
      for (std::size_t i = 0; i < n; i += together)
        residues.copy(source.token_row(t, i) * d, together * d, tokens[i]);
    };
    if (!layer.projected) {
      std::copy_n(directions_of_rows[first * H], own.data.size(), own.data.begin());
      read_tokens(tokens_q);
    }
    Matrix coefficients = layer.projected ? projected_residues(source, place, layer.ring.factor, t, q)
                                          : product(own, tokens, q, true);
    for (std::size_t i = 0; i < coefficients.rows; ++i) {
      Word* row = coefficients[i];
      logits.assign(row, row + n);
      const Attention<PowerResidues> head = attention(powers, logits);
      ENSURE(head.sum != 0, "softmax denominators that are not 0 mod p",
             "one that is 0 at example " + count(rows[first + i / H]));
      const Word scale = inverse(head.sum, p);
      for (std::size_t j = 0; j < n; ++j) row[j] = head.powers[j] * scale % p;
    }
    meter().work(coefficients.data.size() * 8 + coefficients.rows * 100);
    read_tokens(tokens_p);
    const Matrix z = product(coefficients, tokens, p);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t c = 0; c < cols.size(); ++c) result[first + i][c] = z[i * H][origin[c]];
    }
  }
  return result;
}

HeadCount count_heads(const Problem& problem, const Layer& layer) {
  const std::size_t H = problem.H;
  std::vector<std::size_t> same(H, 0);  // the first head that is equal so far
  std::vector<bool> moves(H, !problem.shared());
  std::vector<std::vector<Rational>> at_first(H);
  bool open = true;
  for (std::size_t t = 0; open && t < problem.T; ++t) {
    std::map<std::pair<std::size_t, std::vector<Rational>>, std::size_t> first;
    std::vector<std::size_t> refined = same;
    open = false;
    for (std::size_t h = 0; h < H; ++h) {
      const bool alone = std::count(same.begin(), same.end(), same[h]) == 1;
      if (alone && moves[h]) continue;  // nothing left to find out
      open = true;
      std::vector<Rational> found = logits(problem, layer, h, t);
      if (t == 0) at_first[h] = found;
      if (found != at_first[h]) moves[h] = true;
      refined[h] = first.emplace(std::pair(same[h], std::move(found)), h).first->second;
    }
    same = std::move(refined);
  }
  HeadCount result;
  for (std::size_t h = 0; h < H; ++h) {
    result.different += same[h] == h ? 1 : 0;
    result.moving += same[h] == h && moves[h] ? 1 : 0;
  }
  return result;
}

}  // namespace attest::checker
