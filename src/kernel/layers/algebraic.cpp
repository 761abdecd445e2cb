#include "kernel/layers/algebraic.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/meter.hpp"
#include "base/text.hpp"
#include "kernel/arithmetic/fixed_point.hpp"
#include "kernel/arithmetic/root_sum.hpp"
#include "kernel/layers/blocks.hpp"

namespace attest::kernel {
namespace {

/// rational + root sqrt(radicand), radicand > 0.
struct QuadraticVector {
  Vector rational, root;
  Integer radicand = 1;
};

/// The sign of a + b sqrt(n), n > 0.
int sign(const Rational& a, const Rational& b, const Integer& n) {
  if (sgn(a) * sgn(b) >= 0) return sgn(a) != 0 ? sgn(a) : sgn(b);
  meter().work(4 * operation_cost(a, b));
  const Rational left = a * a, right = b * b * n;
  return left == right ? 0 : left > right ? sgn(a) : sgn(b);
}

QuadraticVector after_mlp(const Before& layer, const QuadraticVector& x, std::size_t d) {
  ENSURE(layer.activation == "relu", "networks with relu", layer.activation);
  const std::size_t m = layer.weight_1->shape()[1];
  std::vector<Rational> rational, root;  // of the neurons that are active
  std::vector<Vector> rows;
  const auto add = [&](const Rational& a, const Rational& b, Vector row) {
    rational.push_back(a);
    root.push_back(b);
    rows.push_back(std::move(row));
  };
  add(layer.bias_2 ? 1 : 0, 0,
      layer.bias_2 ? Vector(*layer.bias_2, 0, d) : Vector(std::vector<Integer>(d), 1));
  for (std::size_t k = 0; k < m; ++k) {
    const Vector column(*layer.weight_1, k, d, m);
    const Rational a = dot(column, x.rational) + (layer.bias_1 ? layer.bias_1->at(k) : Rational(0)),
                   b = dot(column, x.root);
    if (sign(a, b, x.radicand) > 0) add(a, b, Vector(*layer.weight_2, k * d, d));
  }
  QuadraticVector result{combination(rational, rows), combination(root, rows), x.radicand};
  if (!layer.residual) return result;
  result.rational = combination(std::vector<Rational>{1, 1}, {result.rational, x.rational});
  result.root = combination(std::vector<Rational>{1, 1}, {result.root, x.root});
  return result;
}

QuadraticVector after_rmsnorm(const Before& layer, const QuadraticVector& x, std::size_t d) {
  const Rational square = dot(x.rational, x.rational) / d + layer.epsilon;
  // A vector of the data that is 0 is refused with the case, when epsilon is 0.
  ENSURE(is_zero(x.root) && square > 0, "one rmsnorm before the layer", "another one");
  // 1 / sqrt(p / q) = sqrt(p q) / p.
  const Integer p = square.get_num(), q = square.get_den();
  std::vector<Rational> root = entries(x.rational);
  for (std::size_t j = 0; j < d; ++j) root[j] *= (layer.gain ? layer.gain->at(j) : Rational(1)) / p;
  return {Vector(std::vector<Integer>(d), 1), Vector(root), p * q};
}

/// A row of `hidden` when it enters the layer.
QuadraticVector entering(const Problem& problem, std::size_t row) {
  const std::size_t d = problem.d;
  QuadraticVector x{Vector(*problem.source.data.hidden, row * d, d), Vector(std::vector<Integer>(d), 1), 1};
  for (const Before& layer : problem.source.before) {
    ENSURE(layer.kind != Before::Kind::attention, "networks and rmsnorm before the layer", "attention");
    x = layer.kind == Before::Kind::mlp ? after_mlp(layer, x, d) : after_rmsnorm(layer, x, d);
  }
  return x;
}

/// Head h of the layer: W x, and W_K b_Q.
class HeadMatrix {
public:
  HeadMatrix(const Problem& problem, std::size_t h) {
    const Weights& weights = *problem.source.weights;
    const ExactArray& key = weights.combined ? *weights.combined : *weights.key;
    const std::size_t d = problem.d, k = key.shape()[2];
    for (std::size_t i = 0; i < d; ++i) key_.emplace_back(key, (h * d + i) * k, k);
    for (std::size_t j = 0; !weights.combined && j < k; ++j)
      query_.emplace_back(*weights.query, h * d * k + j, d, k);
    if (weights.query_bias) shift = products(key_, Vector(*weights.query_bias, h * k, k));
  }
  Vector operator()(const Vector& x) const {
    return products(key_, query_.empty() ? x : products(query_, x));
  }
  std::optional<Vector> shift;

private:
  std::vector<Vector> key_, query_;
};

/// The layer, its vectors and logits in the ring.
class AlgebraicLayer {
public:
  /// Both outlive it; the radicands of the vectors are added.
  AlgebraicLayer(const Problem& problem, Radicands& radicands) : problem_(problem), radicands_(radicands) {
    ENSURE(problem.deep() && problem.source.weights && problem.source.layer->convex() &&
               std::ranges::none_of(problem.source.before, &Before::free),
           "layers before the layer, and weights of all", "others");
    for (std::size_t h = 0; h < problem.H; ++h) heads_.emplace_back(problem, h);
    for (std::size_t t = 0; t < problem.T; ++t) {
      rows_.try_emplace(problem.source.data.positions[t]);
      for (const std::size_t token : problem.source.data.members->list(t)) rows_.try_emplace(token);
    }
    for (auto& [row, x] : rows_) {
      x = entering(problem, row);
      radicands.add(x.radicand);
    }
  }

  /// Coordinate j of the tokens of example t.
  std::vector<RootSum> coordinate(std::size_t t, std::size_t j) const {
    std::vector<RootSum> result;
    for (const std::size_t row : problem_.source.data.members->list(t)) {
      const QuadraticVector& x = rows_.at(row);
      result.push_back(radicands_.root(x.radicand, x.root[j]));
      result.back().add(x.rational[j], 1);
    }
    return result;
  }
  /// b^logit for each token, and their sum. The same number is subtracted from all logits, so that sums that
  /// differ by a power are equal.
  Attention<RootPowers> attention(std::size_t h, std::size_t t) const {
    const QuadraticVector& query = rows_.at(problem_.source.data.positions[t]);
    Vector rational = heads_[h](query.rational);
    const Vector root = heads_[h](query.root);
    if (heads_[h].shift) rational = combination(std::vector<Rational>{1, 1}, {rational, *heads_[h].shift});
    std::vector<RootSum> logits;
    for (const std::size_t row : problem_.source.data.members->list(t)) {
      const QuadraticVector& x = rows_.at(row);
      RootSum& logit = logits.emplace_back();
      logit.add(dot(x.rational, rational), 1);
      logit += radicands_.root(query.radicand, dot(x.rational, root));
      logit += radicands_.root(x.radicand, dot(x.root, rational));
      logit += radicands_.root(x.radicand, dot(x.root, root)) * radicands_.root(query.radicand);
    }
    const RootSum least = -*std::min_element(logits.begin(), logits.end());
    Attention<RootPowers> result;
    for (RootSum& logit : logits) {
      logit += least;
      result.powers.push_back({{logit, 1}});
      ring_.add(result.sum, result.powers.back(), 1);
    }
    return result;
  }

private:
  const Problem& problem_;
  const Radicands& radicands_;
  const RootPowers ring_ = {};
  std::vector<HeadMatrix> heads_;
  std::map<std::size_t, QuadraticVector> rows_;
};

using Value = RootPowers::Scalar;
using AlgebraicVector = std::vector<std::pair<std::size_t, Value>>;

/// A sum of c sqrt(N) as it is written: "c", or [["c", "N"], ...].
std::vector<std::pair<Rational, Integer>> written_sum(const Json& value) {
  std::vector<std::pair<Rational, Integer>> result;
  if (value.is_string()) return {{rational(value), 1}};
  for (const Json& term : array(value)) {
    array(term, 2);
    result.emplace_back(rational(term[0]), integer(term[1]));
    ENSURE(result.back().second > 0, "square roots of positive integers", text(result.back().second));
  }
  return result;
}

/// The vectors of the step, once all radicands are known; before, only these are looked at.
std::vector<AlgebraicVector> read_vectors(const Json& vectors, std::size_t size, Radicands& radicands) {
  using Written = std::vector<std::pair<Rational, Integer>>;
  struct Entry {
    std::size_t vector, position;
    std::vector<std::pair<Written, Written>> terms;
  };
  std::vector<Entry> all;
  std::size_t count = 0;
  for (const Json& entries : array(vectors)) {
    std::size_t least = 0;
    for (const Json& entry : array(entries)) {
      const std::size_t position = index(array(entry, 2)[0], size);
      ENSURE(position >= least, "increasing positions", std::to_string(position));
      least = position + 1;
      Entry& read = all.emplace_back(Entry{count, position, {}});
      if (entry[1].is_string()) {
        read.terms.emplace_back(written_sum(entry[1]), Written());
        continue;
      }
      for (const Json& term : array(entry[1])) {
        array(term, 2);
        read.terms.emplace_back(written_sum(term[0]), written_sum(term[1]));
      }
    }
    ++count;
  }
  for (const Entry& entry : all) {
    for (const auto& [c, x] : entry.terms) {
      for (const auto& [factor, radicand] : c) radicands.add(radicand);
      for (const auto& [factor, radicand] : x) radicands.add(radicand);
    }
  }
  const auto number = [&](const Written& written) {
    RootSum sum;
    for (const auto& [c, radicand] : written) sum += radicands.root(radicand, c);
    return sum;
  };
  const RootPowers ring;
  std::vector<AlgebraicVector> result(count);
  for (const Entry& entry : all) {
    Value value;
    for (const auto& [c, x] : entry.terms) ring.add(value, {{number(x), 1}}, number(c));
    if (!value.empty()) result[entry.vector].emplace_back(entry.position, std::move(value));
  }
  return result;
}

/// Whether the number is shown not to be 0: one term is not, and others by an enclosure of what they are
/// divided by a sum of powers of b.
bool is_shown(const Problem& problem, const Value& value, const std::optional<std::size_t>& precision) {
  if (value.size() == 1 && value.begin()->second.terms().size() == 1) return true;
  if (!precision) return false;
  const FixedPoint numbers(problem.source.layer->base, *precision);
  const auto enclosed = [&](const RootSum& of) {
    Near sum;
    for (const auto& [radicand, c] : of.terms()) {
      const Near term = numbers.product(numbers.exact(c), numbers.root(numbers.exact(Rational(radicand))));
      sum.mid += term.mid;
      sum.rad += term.rad;
    }
    return sum;
  };
  const LogitScale& scale = problem.source.layer->logit_scale;
  Near factor = numbers.exact(scale.irrational() ? Rational(1, scale.radicand) : scale.rational);
  if (scale.irrational()) factor = numbers.root(factor);
  NearVector exponents;
  for (const auto& [x, c] : value) exponents.push_back(numbers.product(enclosed(x), factor));
  const std::vector<Near> powers = numbers.softmax(exponents);
  Near sum;
  std::size_t k = 0;
  for (const auto& [x, c] : value) {
    const Near term = numbers.product(enclosed(c), powers[k++]);
    sum.mid += term.mid;
    sum.rad += term.rad;
  }
  return abs(sum.mid) > sum.rad;
}

/// Some heads at some examples, and by what each is multiplied.
struct Terms {
  std::vector<Attention<RootPowers>> heads;
  std::vector<Value> factors;
};

/// sum_i b^logit_i c_i.
Value numerator(const RootPowers& ring, const Attention<RootPowers>& head,
                const std::vector<RootSum>& coordinates) {
  Value result;
  for (std::size_t i = 0; i < coordinates.size(); ++i) ring.add(result, head.powers[i], coordinates[i]);
  return result;
}

bool annihilates_from_left(const AlgebraicLayer& layer, const Problem& problem, std::size_t h,
                           const AlgebraicVector& y) {
  const RootPowers ring;
  Terms terms;
  std::vector<std::size_t> examples;
  for (const auto& [t, value] : y) {
    terms.heads.push_back(layer.attention(h, t));
    terms.factors.push_back(value);
    examples.push_back(t);
  }
  return vanishes(ring, terms.heads, terms.factors, problem.d, [&](std::size_t k, std::size_t j) {
    return numerator(ring, terms.heads[k], layer.coordinate(examples[k], j));
  });
}

bool annihilates_from_right(const AlgebraicLayer& layer, const Problem& problem, std::size_t t,
                            const AlgebraicVector& x) {
  const RootPowers ring;
  Terms terms;
  std::size_t last = problem.H;
  for (const auto& [col, value] : x) {
    const std::size_t h = col / problem.d;
    if (h != last) {
      terms.heads.push_back(layer.attention(h, t));
      terms.factors.emplace_back();
      last = h;
    }
    const Value entry = numerator(ring, terms.heads.back(), layer.coordinate(t, col % problem.d));
    ring.add(terms.factors.back(), ring.multiply(entry, value), 1);
  }
  const Value one = {{RootSum(), 1}};
  return vanishes(ring, terms.heads, terms.factors, 1, [&](std::size_t, std::size_t) { return one; });
}

}  // namespace

std::size_t count_annihilators(const Problem& problem, const Json& given, bool right, bool pairs,
                               const std::optional<std::size_t>& precision) {
  const std::size_t size = right ? checked_size(problem.H, problem.d) : problem.T;
  Radicands radicands;
  // The layer comes first: a step for another one is refused whatever its vectors are.
  const AlgebraicLayer layer(problem, radicands);
  const std::vector<AlgebraicVector> vectors = read_vectors(given, size, radicands);
  std::set<std::size_t> used;  // by later vectors
  for (std::size_t k = vectors.size(); k-- > 0;) {
    const AlgebraicVector& vector = vectors[k];
    const std::string where = " for vector " + count(k);
    ENSURE(std::ranges::any_of(vector,
                               [&](const auto& entry) {
                                 return !used.contains(entry.first) &&
                                        is_shown(problem, entry.second, precision);
                               }),
           "an index where it is shown not to be 0, and later vectors are 0," + where, "none");
    for (const auto& [position, value] : vector) used.insert(position);
    if (pairs) {
      Value sum;
      for (const auto& [t, value] : vector) RootPowers().add(sum, value, 1);
      ENSURE(vector.size() == 2 && sum.empty(), "a multiple of e_s - e_t" + where, "another");
    }
    for (std::size_t t = 0; right && t < problem.T; ++t)
      ENSURE(annihilates_from_right(layer, problem, t, vector), "Z x = 0" + where,
             "another value in row " + count(t));
    for (std::size_t h = 0; !right && h < problem.H; ++h)
      ENSURE(annihilates_from_left(layer, problem, h, vector), "y Z = 0" + where,
             "another value in head " + count(h));
  }
  return vectors.size();
}

}  // namespace attest::kernel
