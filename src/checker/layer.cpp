#include "checker/layer.hpp"

#include <algorithm>

namespace attest::checker {
namespace {

const ExactArray& present(const std::optional<ExactArray>& array, const char* what) {
  ensure(array.has_value(), std::string(what) + " in the case", "none");
  return *array;
}

/// `count` entries from position `first` on, `step` apart.
Vector entries(const ExactArray& array, std::size_t first, std::size_t count, std::size_t step = 1) {
  std::vector<Rational> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) values.push_back(to_rational(array.at(first + i * step)));
  return Vector(values);
}

std::vector<Head> key_query_heads(const Problem& problem, const ExactArray& key, const ExactArray& query,
                                  const ExactArray* query_bias) {
  std::vector<Head> heads(problem.H);
  for (std::size_t h = 0; h < problem.H; ++h) {
    for (std::size_t k = 0; k < problem.d_h; ++k) {
      const std::size_t first = h * problem.d * problem.d_h + k;
      Factor factor{entries(key, first, problem.d, problem.d_h),
                    entries(query, first, problem.d, problem.d_h), 0};
      if (query_bias != nullptr) factor.query_bias = to_rational(query_bias->at(h * problem.d_h + k));
      heads[h].push_back(std::move(factor));
    }
  }
  return heads;
}

/// Sum of products of residues below 2^31, without a division in the loop.
Word dot_mod(const Row& a, const Row& b, Word modulus) {
  const Word square = modulus * modulus;
  Word sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += Word{static_cast<std::uint32_t>(a[i])} * static_cast<std::uint32_t>(b[i]);
    sum = std::min(sum, sum - square);
  }
  return sum % modulus;
}

}  // namespace

Problem::Problem(const Case& the_case) : source(the_case) {
  if (!source.layer) return;
  const Dimensions& layer = *source.layer;
  T = layer.examples, H = layer.heads, n = layer.context, d = layer.embed_dim, d_h = layer.head_dim;
  d_out = layer.output_dim;
  r = std::min(n, d_h);
}

bool Problem::shared() const {
  if (!shared_) {
    const ExactArray& array = present(source.data.contexts, "contexts");
    shared_ =
        source.data.shared_context || std::visit(
                                          [&](const auto& values) {
                                            bool equal = true;
                                            for (std::size_t i = n * d; equal && i < values.size(); ++i) {
                                              equal = values[i] == values[i - n * d];
                                            }
                                            return equal;
                                          },
                                          array.storage());
  }
  return *shared_;
}

std::shared_ptr<const Context> Problem::context(std::size_t t) const {
  const std::size_t which = shared() ? 0 : t;
  if (!kept_context_ || kept_ != which) {
    auto tokens = std::make_shared<Context>();
    for (std::size_t i = 0; i < n; ++i)
      tokens->push_back(entries(*source.data.contexts, (which * n + i) * d, d));
    kept_context_ = std::move(tokens);
    kept_ = which;
  }
  return kept_context_;
}

const Vector& Problem::query(std::size_t t) const {
  if (queries_.empty()) {
    const ExactArray& array = present(source.data.queries, "queries");
    for (std::size_t i = 0; i < T; ++i) queries_.push_back(entries(array, i * d, d));
  }
  return queries_[t];
}

Rational Problem::label(std::size_t t, std::size_t coordinate) const {
  return to_rational(present(source.data.labels, "labels").at(t * d_out + coordinate));
}

Layer given_layer(const Problem& problem) {
  ensure(problem.source.weights.has_value(), "weights in the case", "none");
  const Weights& weights = *problem.source.weights;
  Layer layer{"given", Ring::of(*problem.source.layer, false), {}};
  if (weights.combined) {  // W = sum over j of (column j of W) (unit vector j)^T
    const std::size_t d = problem.d;
    layer.heads.resize(problem.H);
    for (std::size_t h = 0; h < problem.H; ++h) {
      for (std::size_t j = 0; j < d; ++j) {
        std::vector<Integer> unit(d);
        unit[j] = 1;
        layer.heads[h].push_back({entries(*weights.combined, h * d * d + j, d, d), Vector(unit, 1), 0});
      }
    }
  } else {
    layer.heads =
        key_query_heads(problem, present(weights.key, "key weights"), present(weights.query, "query weights"),
                        weights.query_bias ? &*weights.query_bias : nullptr);
  }
  return layer;
}

Layer random_layer(const Problem& problem, std::uint64_t bound, std::uint64_t seed) {
  Generator generator;
  generator.kind = Generator::Kind::integers;
  generator.bound = bound;
  generator.seed = seed;
  const std::vector<std::size_t> shape{problem.H, problem.d, problem.d_h};
  return {"random", Ring::of(*problem.source.layer, false),
          key_query_heads(problem, generator.draw(shape, stream::key), generator.draw(shape, stream::query),
                          nullptr)};
}

std::vector<Rational> logits(const Problem& problem, const Layer& layer, std::size_t h, std::size_t t) {
  const auto tokens = problem.context(t);
  const Head& head = layer.heads[h];
  std::vector<Rational> result(problem.n);
  if (head.empty()) return result;
  std::vector<Rational> factors;
  std::vector<const Vector*> keys;
  for (const Factor& factor : head) {
    factors.push_back((dot(factor.query, problem.query(t)) + factor.query_bias) * layer.ring.factor);
    keys.push_back(&factor.key);
  }
  const Vector direction = combination(factors, keys);  // W e, so that each token needs one product
  for (std::size_t i = 0; i < problem.n; ++i) result[i] = dot((*tokens)[i], direction);
  return result;
}

std::vector<Rational> reduced_logits(const Problem& problem, const Layer& layer, std::size_t h,
                                     std::size_t t) {
  std::vector<Rational> result = logits(problem, layer, h, t);
  const Rational least = *std::min_element(result.begin(), result.end());
  for (Rational& logit : result) logit -= least;
  return result;
}

Character character(const Ring& ring, Word p, Word g) {
  ensure(p < (Word{1} << 31), "p < 2^31", std::to_string(p));
  ensure(p % 2 == 1 && is_prime(p), "an odd prime p", std::to_string(p));
  const Word q = (p - 1) / 2;
  ensure(is_prime(q), "p with (p - 1)/2 prime", std::to_string(p));
  ensure(g > 1 && g < p && power(g, q, p) == 1, "g of order q = (p - 1)/2 mod p", std::to_string(g));
  ensure(!ring.two || g == 2, "g = 2, the image of b = 2", std::to_string(g));
  return {p, q, g};
}

MinorRows::MinorRows(const Problem& problem, const Layer& layer, const Character& character,
                     const std::vector<std::size_t>& cols)
    : problem_(problem), character_(character), width_(cols.size()), heads_(problem.H) {
  const Word q = character.q;
  factor_ = residue(layer.ring.factor, q);
  for (std::size_t place = 0; place < cols.size(); ++place) {
    auto& head = heads_[cols[place] / problem.d];
    if (!head) head.emplace();
    head->coordinates.push_back(cols[place] % problem.d);
    head->places.push_back(place);
  }
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    if (!heads_[h]) continue;
    for (const Factor& factor : layer.heads[h]) {
      heads_[h]->key.push_back(residues(factor.key, q));
      heads_[h]->query.push_back(residues(factor.query, q));
      heads_[h]->query_bias.push_back(residue(factor.query_bias, q));
    }
  }
  const Word giant = power(character.g, Word{1} << 16, character.p);
  low_.assign(1, 1), high_.assign(1, 1);
  for (std::size_t a = 1; a < (std::size_t{1} << 16); ++a)
    low_.push_back(low_.back() * character.g % character.p);
  for (std::size_t a = 1; a <= q >> 16; ++a) high_.push_back(high_.back() * giant % character.p);
}

Row MinorRows::row(std::size_t t) {
  const auto [p, q, g] = character_;
  const auto context = problem_.context(t);
  if (context != context_) {
    tokens_p_.clear(), tokens_q_.clear();
    for (const Vector& token : *context) {
      tokens_p_.push_back(residues(token, p));
      tokens_q_.push_back(residues(token, q));
    }
    context_ = context;
  }
  const Row query = residues(problem_.query(t), q);
  Row result(width_), direction(problem_.d), coefficients(problem_.n);
  for (const auto& head : heads_) {
    if (!head) continue;
    std::fill(direction.begin(), direction.end(), 0);
    for (std::size_t k = 0; k < head->key.size(); ++k) {
      const Word factor = (dot_mod(head->query[k], query, q) + head->query_bias[k]) % q * factor_ % q;
      const Word square = q * q;
      for (std::size_t j = 0; j < direction.size(); ++j) {
        direction[j] += factor * static_cast<std::uint32_t>(head->key[k][j]);
        direction[j] = std::min(direction[j], direction[j] - square);
      }
    }
    for (Word& entry : direction) entry %= q;
    Word sum = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
      const Word logit = dot_mod(tokens_q_[i], direction, q);
      coefficients[i] = low_[logit & 0xffff] * high_[logit >> 16] % p;
      sum += coefficients[i];
    }
    ensure(sum % p != 0, "softmax denominators that are not 0 mod p",
           "one that is 0 in row " + std::to_string(t));
    const Word scale = inverse(sum % p, p);
    for (Word& coefficient : coefficients) coefficient = coefficient * scale % p;
    for (std::size_t c = 0; c < head->places.size(); ++c) {
      Word entry = 0;
      for (std::size_t i = 0; i < coefficients.size(); ++i) {
        entry += coefficients[i] * tokens_p_[i][head->coordinates[c]];
        entry = std::min(entry, entry - p * p);
      }
      result[head->places[c]] = entry % p;
    }
  }
  return result;
}

}  // namespace attest::checker
