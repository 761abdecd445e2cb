#include "checker/layer.hpp"

#include <algorithm>

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

/// Rows of residues.
Matrix stacked(const std::vector<Vector>& vectors, std::size_t width, Word p) {
  Matrix result(vectors.size(), width);
  for (std::size_t k = 0; k < vectors.size(); ++k) residues(vectors[k], p, result[k]);
  return result;
}

/// Rows `first` to `first + count` of a matrix.
Matrix slice(const Matrix& matrix, std::size_t first, std::size_t rows) {
  Matrix result(rows, matrix.cols);
  std::copy_n(matrix[first], result.data.size(), result.data.begin());
  return result;
}

/// A head modulo q: its separator is one more term.
struct HeadResidues {
  Matrix key, query;
  bool identity;  ///< the queries are the unit vectors
  std::vector<Word> bias;

  HeadResidues(const Head& head, std::size_t d, Word q)
      : key(0, d), query(0, d), identity(head.query.empty() && !head.key.empty()) {
    std::vector<Vector> keys = head.key, queries = head.query;
    if (head.separator) {
      keys.push_back(combination({head.separator->lambda}, {head.separator->u}));
      queries.push_back(head.separator->v);
    }
    key = stacked(keys, d, q);
    if (!identity) query = stacked(queries, d, q);
    bias.assign(keys.size(), 0);
    for (std::size_t k = 0; k < head.query_bias.size(); ++k) bias[k] = residue(head.query_bias[k], q);
  }

  /// W e, times the factor, for the query e in each row.
  Matrix directions(const Matrix& queries, Word factor, Word q) const {
    Matrix weights = identity ? queries : product(queries, query, q, true);
    for (std::size_t i = 0; i < weights.data.size(); ++i)
      weights.data[i] = multiply((weights.data[i] + bias[i % weights.cols]) % q, factor, q);
    return product(weights, key, q);
  }
};

/// The tokens of one example modulo p and q.
struct TokenResidues {
  Matrix p, q;
};

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
  const Vector query = problem.query(t);
  std::vector<Rational> factors;
  std::vector<Vector> keys = head.key;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    factors.push_back(head.query.empty() ? query[k] : dot(head.query[k], query));
    if (!head.query_bias.empty()) factors.back() += head.query_bias[k];
    factors.back() *= layer.ring.factor;
  }
  if (head.separator && separated) {
    factors.push_back(dot(head.separator->v, query) * head.separator->lambda);
    keys.push_back(head.separator->u);
  }
  std::vector<Rational> result(problem.n);
  if (keys.empty()) return result;
  const Vector direction = combination(factors, keys);  // W e, so that each token needs one product
  const Context tokens = problem.context(t);
  for (std::size_t i = 0; i < problem.n; ++i) result[i] = dot(tokens[i], direction);
  // The largest becomes 0, so that no power overflows when it is enclosed.
  const Rational largest = *std::max_element(result.begin(), result.end());
  for (Rational& logit : result) logit -= largest;
  return result;
}

Matrix minor_of_z(const Problem& problem, const Layer& layer, const Character& character,
                  const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) {
  const auto [p, q, g] = character;
  const std::size_t n = problem.n, d = problem.d;
  // Only heads that have a column.
  std::vector<std::size_t> place(problem.H, problem.H);
  std::vector<HeadResidues> heads;
  for (std::size_t col : cols) {
    if (place[col / d] != problem.H) continue;
    place[col / d] = heads.size();
    heads.emplace_back(layer.heads[col / d], d, q);
  }
  const std::size_t H = heads.size();
  const Word factor = residue(layer.ring.factor, q);
  const ArrayResidues tokens_p(problem.contexts(), p), tokens_q(problem.contexts(), q),
      queries_q(problem.queries(), q);
  const PowerResidues powers(character, rows.size() * H * n);
  const auto tokens_of = [&](std::size_t t) {
    TokenResidues tokens{Matrix(n, d), Matrix(n, d)};
    tokens_p.copy(problem.token_row(t, 0) * d, n * d, tokens.p[0]);
    tokens_q.copy(problem.token_row(t, 0) * d, n * d, tokens.q[0]);
    return tokens;
  };
  const bool one_context = problem.stored_contexts() == 1;
  std::optional<TokenResidues> tokens;
  if (one_context) tokens = tokens_of(0);

  Matrix result(rows.size(), cols.size());
  std::vector<Word> exponents(n);
  constexpr std::size_t kBlock = 128;  // examples whose directions are computed together
  for (std::size_t first = 0; first < rows.size(); first += kBlock) {
    const std::size_t size = std::min(kBlock, rows.size() - first);
    Matrix queries(size, d), directions(size * H, d);  // row k H + h: head h at the k-th example of the block
    for (std::size_t k = 0; k < size; ++k) queries_q.copy(rows[first + k] * d, d, queries[k]);
    for (std::size_t h = 0; h < H; ++h) {
      const Matrix own = heads[h].directions(queries, factor, q);
      for (std::size_t k = 0; k < size; ++k) std::copy_n(own[k], d, directions[k * H + h]);
    }
    // Examples with the same tokens are reduced together.
    const std::size_t together = one_context ? size : 1;
    for (std::size_t k = 0; k < size; k += together) {
      if (!one_context) tokens = tokens_of(rows[first + k]);
      Matrix coefficients = product(slice(directions, k * H, together * H), tokens->q, q, true);
      for (std::size_t i = 0; i < coefficients.rows; ++i) {
        Word* row = coefficients[i];
        std::copy_n(row, n, exponents.begin());
        const Attention<PowerResidues> head = attention(powers, exponents);
        ENSURE(head.sum != 0, "softmax denominators that are not 0 mod p",
               "one that is 0 at example " + count(rows[first + k + i / H]));
        const Word scale = inverse(head.sum, p);
        for (std::size_t j = 0; j < n; ++j) row[j] = multiply(head.powers[j], scale, p);
      }
      meter().work(coefficients.data.size() * 8 + coefficients.rows * 100);
      const Matrix z = product(coefficients, tokens->p, p);
      for (std::size_t i = 0; i < together; ++i) {
        for (std::size_t c = 0; c < cols.size(); ++c)
          result[first + k + i][c] = z[i * H + place[cols[c] / d]][cols[c] % d];
      }
    }
  }
  return result;
}

HeadCount count_heads(const Problem& problem, const Layer& layer) {
  const std::size_t H = problem.H;
  std::vector<std::size_t> same(H, 0);  // the first head that is equal so far
  std::vector<bool> moves(H, !problem.shared());
  std::vector<std::vector<Rational>> at_first(H);
  for (std::size_t t = 0; t < problem.T; ++t) {
    std::vector<std::size_t> members(H, 0);
    for (std::size_t h = 0; h < H; ++h) ++members[same[h]];
    std::vector<std::vector<Rational>> found(H);
    bool open = false;
    for (std::size_t h = 0; h < H; ++h) {
      if (members[same[h]] == 1 && moves[h]) continue;  // nothing left to find out
      open = true;
      found[h] = logits(problem, layer, h, t);
      if (t == 0) at_first[h] = found[h];
      if (found[h] != at_first[h]) moves[h] = true;
    }
    if (!open) break;
    std::vector<std::size_t> refined(H);
    for (std::size_t h = 0; h < H; ++h) {
      refined[h] = h;
      for (std::size_t other = 0; other < h && refined[h] == h; ++other) {
        if (same[other] == same[h] && refined[other] == other && found[other] == found[h]) refined[h] = other;
      }
    }
    same = refined;
  }
  HeadCount result;
  for (std::size_t h = 0; h < H; ++h) {
    result.different += same[h] == h ? 1 : 0;
    result.moving += same[h] == h && moves[h] ? 1 : 0;
  }
  return result;
}

}  // namespace attest::checker
