#include <algorithm>
#include <map>

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "kernel/layers/inputs.hpp"

namespace attest::kernel {
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

/// The rows that begin at these places, mod q; with `masses` they have one more entry, 1.
Matrix rows_at(const ArrayResidues& array, const std::vector<std::size_t>& places, std::size_t width,
               bool masses) {
  Matrix result(places.size(), width + (masses ? 1 : 0));
  for (std::size_t i = 0, run = 0; i < result.rows; i += run) {  // what lies together is copied at once
    run = 1;
    while (!masses && i + run < result.rows && places[i + run] == places[i] + run * width) ++run;
    array.copy(places[i], run * width, result[i]);
    if (masses) result[i][width] = 1;
  }
  return result;
}

/// Visits these examples, on several threads at once: their logits mod q, for these heads, at least one, and
/// the rows of their tokens of the residues `of_tokens`, none where that is null. Examples whose tokens are
/// the first of those of another one, as those of the positions of a sequence are, are visited together, with
/// the tokens of the longest: products of a row each take five times as long for T = 4096, n = 64, d = 768.
void visit_logits(const Problem& problem, const Layer& layer, Word q, const std::set<std::size_t>& used,
                  const std::vector<std::size_t>& examples, const ArrayResidues* of_tokens, bool masses,
                  const std::function<void(std::size_t r, std::size_t count, Matrix& logits,
                                           const Matrix& tokens)>& visit) {
  const Inputs inputs(problem, layer);
  const Case& source = problem.source;
  const std::size_t width = inputs.width;
  std::optional<ArrayResidues> weights_k, weights_q;
  if (layer.key) weights_k.emplace(*layer.key, q);
  if (layer.query) weights_q.emplace(*layer.query, q);
  std::map<std::size_t, HeadResidues> heads;
  for (const std::size_t h : used) heads.try_emplace(h, layer, weights_k, weights_q, h, width, q);
  const ArrayResidues keys_q(inputs.keys, q), queries_q(inputs.queries, q);
  constexpr std::size_t kTogether = 64;                  // examples whose directions are found at once
  constexpr std::size_t kLogits = std::size_t{1} << 22;  // of examples that are visited together
  const std::size_t H = heads.size(), cost = examples.size() * problem.n * width * (H / 4 + 2);
  const auto alike = [&](std::size_t t, std::size_t u) {  // as far as both have tokens
    std::size_t i = std::min(source.tokens(t), source.tokens(u));
    while (i > 0 && source.token_row(t, i - 1) == source.token_row(u, i - 1) &&
           inputs.key(0, t, i - 1) == inputs.key(0, u, i - 1))
      --i;
    return i == 0;
  };
  in_parallel((examples.size() + kTogether - 1) / kTogether, cost, [&](std::size_t block) {
    const std::size_t first = block * kTogether, end = std::min(examples.size(), first + kTogether);
    Matrix directions((end - first) * H, width);
    std::size_t at = 0;
    for (const auto& [h, head] : heads) {
      Matrix queries(end - first, width);
      for (std::size_t i = 0; i < queries.rows; ++i)
        queries_q.copy(inputs.query(h, examples[first + i]), width, queries[i]);
      const Matrix own = head.directions(std::move(queries), layer.projected, q);
      for (std::size_t i = 0; i < own.rows; ++i) std::copy_n(own[i], width, directions[i * H + at]);
      ++at;
    }
    for (std::size_t r = first, next = r; r < end; r = next) {
      std::size_t longest = examples[r];
      while (++next < end && (next - r) * H * problem.n < kLogits && alike(longest, examples[next]))
        if (source.tokens(examples[next]) > source.tokens(longest)) longest = examples[next];
      const std::size_t count = next - r, n = source.tokens(longest);
      const auto places = [&](const auto& place) {
        std::vector<std::size_t> result(n);
        for (std::size_t i = 0; i < n; ++i) result[i] = place(i);
        return result;
      };
      const auto keys = [&](std::size_t h) {
        return rows_at(keys_q, places([&](std::size_t i) { return inputs.key(h, longest, i); }), width,
                       false);
      };
      Matrix own(count * H, width), found(layer.projected ? count * H : 0, n);
      std::copy_n(directions[(r - first) * H], own.data.size(), own.data.begin());
      if (!layer.projected) found = product(own, keys(0), q, true);  // all heads have the same tokens as keys
      at = 0;
      for (auto head = heads.begin(); layer.projected && at < H; ++head, ++at) {
        Matrix of_head(count, width);
        for (std::size_t i = 0; i < count; ++i) std::copy_n(own[i * H + at], width, of_head[i]);
        const Matrix logits = product(of_head, keys(head->first), q, true);
        for (std::size_t i = 0; i < count; ++i) std::copy_n(logits[i], n, found[i * H + at]);
      }
      const auto token = [&](std::size_t i) { return source.token_row(longest, i) * problem.d; };
      visit(r, count, found,
            of_tokens == nullptr ? Matrix() : rows_at(*of_tokens, places(token), problem.d, masses));
    }
  });
}

/// That of the layer's logits, without the ring's factor: the extents of sums of products, one after the
/// other.
std::optional<Extent> extent_of_logits(const Problem& problem, const Layer& layer) {
  const Inputs inputs(problem, layer);
  std::optional<Extent> found = extent(inputs.queries);
  const auto times = [&](const ExactArray& array, std::size_t terms) {
    const std::optional<Extent> other = found ? extent(array) : std::nullopt;
    found = other ? std::optional(Extent{found->least + other->least,
                                         found->most + other->most + static_cast<int>(std::bit_width(terms))})
                  : std::nullopt;
  };
  if (layer.query) times(*layer.query, inputs.width);
  for (const Head& head : layer.heads) {
    if (!head.key.empty() || head.lambda) return std::nullopt;
    for (const Rational& bias : head.query_bias) {
      const int num = static_cast<int>(mpz_sizeinbase(bias.get_num_mpz_t(), 2)),
                den = static_cast<int>(mpz_sizeinbase(bias.get_den_mpz_t(), 2)) - 1;
      if (!found || mpz_popcount(bias.get_den_mpz_t()) != 1) return std::nullopt;
      found = Extent{std::min(found->least, -den), std::max(found->most, num - den)};
    }
  }
  if (found) ++found->most;  // a product and a bias
  if (layer.key) times(*layer.key, layer.key->shape()[2]);
  times(inputs.keys, inputs.width);
  return found;
}

/// Their logits are not scaled. (With an irrational scale all of them are 0.)
void add_sinks(Layer& layer, const Problem& problem, const std::optional<ExactArray>& sinks) {
  for (std::size_t h = 0; sinks && h < problem.H; ++h)
    layer.sinks.push_back(
        layer.ring.two ? sinks->at(h) : Rational(sinks->at(h) / problem.source.layer->logit_scale.rational));
}

}  // namespace

LogitScale left_scale(const Problem& problem, const Ring& ring) {
  return ring.absorbed || ring.two ? LogitScale() : problem.source.layer->logit_scale;
}

Layer given_layer(const Problem& problem) {
  ENSURE(problem.source.weights.has_value(), "weights in the case", "none");
  return layer_of(problem, *problem.source.weights);
}

Layer layer_of(const Problem& problem, const Weights& weights) {
  Layer layer{Ring::of(*problem.source.layer, false), {}, !weights.query_bias};
  add_sinks(layer, problem, weights.sink);
  layer.heads.resize(problem.H);
  if (weights.projected_keys) {
    layer.in_shape = false;
    layer.projected = true;
    return layer;
  }
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
  DrawnIntegers generator{.seed = seed, .bound = bound};
  checked_size(checked_size(problem.H, problem.d), problem.d_h);
  const std::vector<std::size_t> shape{problem.H, problem.d, problem.d_h};
  const auto drawn = [&](const std::vector<std::size_t>& of, std::uint64_t stream) {
    return std::make_shared<const ExactArray>(generator.draw(of, stream));
  };
  Layer layer{Ring::of(*problem.source.layer, false), std::vector<Head>(problem.H)};
  layer.key = drawn(shape, stream::key);
  layer.query = drawn(shape, stream::query);
  layer.random = generator;
  if (problem.source.layer->logit_scale.irrational()) generator.bound = 0;
  if (problem.source.layer->sink) add_sinks(layer, problem, generator.draw({problem.H}, stream::sink));
  return layer;
}

GenericLayer::GenericLayer(const Problem& problem, std::size_t heads, const std::vector<Vector>& exponents) {
  Integer token_den = 1, token_most = 1, query_den = 1, query_most = 1, den = 1, most = 0;
  const auto widen = [](Integer& its_den, Integer& its_most, const Vector& v) {
    its_den = lcm(its_den, v.den);
    for (const Integer& entry : v.num) its_most = std::max<Integer>(its_most, abs(entry));
  };
  for (std::size_t t = 0; t < problem.T; ++t) {
    widen(query_den, query_most, problem.query(t));
    for (const Vector& token : problem.context(t)) widen(token_den, token_most, token);
  }
  for (const Vector& exponent : exponents) widen(den, most, exponent);
  // The difference of two sums of an exponent and one matrix for each example and head is, times the
  // denominators, a row of integers of at most B - 2: digits that B^i puts together to 0 only when all are 0.
  // (Of each token in some of the sums, when the coefficients are sigmoid. A sink's logit is a digit of its
  // own.)
  std::size_t matrices = problem.T;
  for (std::size_t t = 0; problem.source.layer->sigmoid && t < problem.T; ++t)
    matrices += problem.source.tokens(t);
  const Integer B =
      2 * (Integer(matrices) * token_most * query_most + most) * token_den * query_den * den + 2;
  const std::size_t d = problem.d, size = checked_size(checked_size(d, d), heads);
  powers.push_back(1);
  while (powers.size() < size) powers.push_back(powers.back() * B);
  std::vector<Integer> u;
  for (std::size_t j = 0; j < d; ++j) u.push_back(powers[j * d]);
  for (std::size_t h = 0; h < heads; ++h) {
    std::vector<Integer> v;
    for (std::size_t k = 0; k < d; ++k) v.push_back(powers[h * d * d + k]);
    layer.heads.push_back(Head{{Vector(u, 1)}, {Vector(std::move(v), 1)}, {}, {}});
    if (problem.source.layer->sink) layer.sinks.push_back(Rational(Integer(powers.back() * B)));
  }
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
  if (const std::optional<Vector> found = expected(h, t)) return *found;
  std::optional<Head>& found = heads_[h];
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
  return layer.projected ? products(projected, factors)
                         : products(problem.context(t), combination(factors, head.key));
}

void Logits::expect(std::set<std::size_t> heads, std::vector<std::size_t> examples) {
  constexpr std::size_t kFewProducts = 1024, kFewExamples = 8;  // for which they are not worth an expectation
  expected_.place.clear();
  if ((!layer.key && !layer.projected) || examples.size() < kFewExamples) return;
  const std::size_t width = Inputs(problem, layer).width, d_h = layer.key ? layer.key->shape()[2] : 0;
  if (width * (problem.n + 2 * d_h) < kFewProducts) return;
  if (!primes_) primes_.emplace(problem, layer);
  if (primes_->primes.empty()) return;
  expected_.heads = std::move(heads);
  expected_.examples = std::move(examples);
  expected_.found = 0;
  for (std::size_t k = 0; k < expected_.examples.size(); ++k) expected_.place[expected_.examples[k]] = k;
}

Logits::Primes::Primes(const Problem& problem, const Layer& layer) {
  const std::optional<Extent> extent = extent_of_logits(problem, layer);
  if (!extent) return;
  const Rational& factor = layer.ring.factor;
  den = factor.get_den() << std::max(0, -extent->least);
  // |N| < 2^(bits - 1), and 2^bits is at most the modulus.
  const std::size_t bits =
      static_cast<std::size_t>(std::max({0, extent->most, extent->most - extent->least})) +
      mpz_sizeinbase(factor.get_num_mpz_t(), 2) + 1;
  for (Word q = kBlockedLimit; mpz_sizeinbase(modulus.get_mpz_t(), 2) <= bits;) {
    q = odd_prime_below(q);
    if (mpz_fdiv_ui(factor.get_den_mpz_t(), q) == 0) continue;
    primes.push_back(q);
    modulus *= q;
  }
  for (const Word q : primes) {
    const Integer others = modulus / q;
    parts.push_back(others * multiply(inverse(residue(others, q), q), residue(den, q), q));
  }
}

Vector Logits::Primes::numbers(const std::uint32_t* residues, std::size_t count, std::size_t stride) const {
  std::vector<Integer> result(count);
  const Integer half = modulus / 2;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < primes.size(); ++k)
      mpz_addmul_ui(result[i].get_mpz_t(), parts[k].get_mpz_t(), residues[k * stride + i]);
    result[i] %= modulus;
    if (result[i] > half) result[i] -= modulus;
  }
  return Vector(std::move(result), den);
}

std::optional<Vector> Logits::expected(std::size_t h, std::size_t t) {
  const auto place = expected_.place.find(t);
  if (place == expected_.place.end()) return std::nullopt;
  const auto head = expected_.heads.find(h);
  if (head == expected_.heads.end()) return std::nullopt;
  auto& [heads, examples, places, first, found, residues] = expected_;
  const std::size_t count = primes_->primes.size(), n = problem.n, row = heads.size() * n;
  if (place->second < first || place->second - first >= found) {
    constexpr std::size_t kTogether = 512, kResidues = std::size_t{1} << 24;
    first = place->second;
    found = std::min({examples.size() - first, kTogether, kResidues / (count * row) + 1});
    residues.resize(found * count * row);
    const auto start = examples.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::size_t> some(start, start + static_cast<std::ptrdiff_t>(found));
    for (std::size_t k = 0; k < count; ++k) {
      visit_logits(problem, layer, primes_->primes[k], heads, some, nullptr, false,
                   [&](std::size_t r, std::size_t, const Matrix& logits, const Matrix&) {
                     const std::size_t H = heads.size();
                     for (std::size_t i = 0; i < logits.rows; ++i)
                       std::transform(logits[i], logits[i] + logits.cols,
                                      &residues[((r + i / H) * count + k) * row + i % H * n],
                                      [](double x) { return static_cast<std::uint32_t>(x); });
                   });
    }
  }
  const auto own = static_cast<std::size_t>(std::distance(heads.begin(), head));
  return primes_->numbers(&residues[(place->second - first) * count * row + own * n],
                          problem.source.tokens(t), row);
}

void visit_coefficients(const Problem& problem, const Layer& layer, const Character& character,
                        const std::set<std::size_t>& used, const std::vector<std::size_t>& examples,
                        const VisitCoefficients& visit, bool masses) {
  const Word p = character.p, q = character.q;
  std::vector<Word> sinks;
  for (const std::size_t h : used) {
    if (!layer.sinks.empty()) sinks.push_back(residue(layer.sinks[h], q));
  }
  const ArrayResidues tokens_p(problem.contexts(), p);
  const PowerResidues powers(character);
  visit_logits(problem, layer, q, used, examples, &tokens_p, masses,
               [&](std::size_t r, std::size_t together, Matrix& coefficients, const Matrix& tokens) {
                 for (std::size_t i = 0; i < coefficients.rows; ++i) {
                   const std::size_t h = i % used.size(), t = examples[r + i / used.size()],
                                     n = problem.source.tokens(t);
                   double* row = coefficients[i];
                   std::fill(row + n, row + coefficients.cols, 0);
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
                   for (std::size_t j = 0; j < n; ++j)
                     row[j] = static_cast<double>(head.powers[j] * scale % p);
                 }
                 visit(r, together, coefficients, tokens);
               });
}

Matrix minor_of_z(const Problem& problem, const Layer& layer, const Character& character,
                  const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                  std::size_t further, bool masses) {
  Matrix result(rows.size(), cols.size() + further);
  if (cols.empty()) return result;
  const std::size_t d = problem.d + (masses ? 1 : 0);
  std::set<std::size_t> heads;  // those that have a column
  for (const std::size_t col : cols) heads.insert(col / d);
  std::vector<std::size_t> origin;  // of the columns: the place of the head, and the coordinate
  for (const std::size_t col : cols)
    origin.push_back(static_cast<std::size_t>(std::distance(heads.begin(), heads.find(col / d))) * d +
                     col % d);
  visit_coefficients(
      problem, layer, character, heads, rows,
      [&](std::size_t r, std::size_t count, const Matrix& coefficients, const Matrix& tokens) {
        const Matrix z = product(coefficients, tokens, character.p);
        for (std::size_t i = 0; i < count; ++i) {
          const double* const row = z[i * heads.size()];
          for (std::size_t c = 0; c < cols.size(); ++c) result[r + i][c] = row[origin[c]];
        }
      },
      masses);
  return result;
}

std::vector<Vector> value_columns(const Problem& problem, std::size_t h) {
  return columns(&*problem.source.weights->value, h);
}

Matrix minor_of_outputs(const Problem& problem, const Layer& layer, const Character& character,
                        const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                        std::size_t further) {
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
  Matrix result(rows.size(), cols.size() + further), block(rows.size(), d), matrix(d, width);
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

HeadClasses head_classes(const Problem& problem, const Layer& layer) {
  const std::vector<std::size_t> examples = all_below(problem.T);
  Logits logits(problem, layer);
  HeadClasses result;
  for (std::size_t h = 0; h < problem.H; ++h) {
    const auto same = [&](std::size_t g) {
      return g == h ||
             (result.first[g] == g && std::all_of(examples.begin(), examples.end(), [&](std::size_t t) {
                return logits(h, t) == logits(g, t);
              }));
    };
    std::size_t first = 0;
    while (!same(first)) ++first;
    result.first.push_back(first);
    if (first < h) {
      result.constant.push_back(result.constant[first]);
      continue;
    }
    const Vector at_first = logits(h, 0);
    result.constant.push_back(problem.shared() &&
                              std::all_of(examples.begin(), examples.end(),
                                          [&](std::size_t t) { return logits(h, t) == at_first; }));
  }
  return result;
}

}  // namespace attest::kernel
