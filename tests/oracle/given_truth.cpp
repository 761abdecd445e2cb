// Facts that something exists: what the step gives is tried.
#include <algorithm>
#include <set>

#include "tests/oracle/oracle.hpp"

namespace attest::test {

Answer Oracle::separator(const Json& step) const {
  const Row u = vector_of(step.at("u")), v = vector_of(step.at("v"));
  const std::set<std::size_t> subset(claim.subset().begin(), claim.subset().end());
  for (std::size_t t = 0; t < T; ++t) {
    Row direction(d);  // W' e_t, W' = u v^T
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) direction[i] += u[i] * v[j] * queries[t][j];
    }
    if (subset.count(t) != 0) {
      if (direction != Row(d)) return Answer::no;
      continue;
    }
    std::set<Q> entries;
    for (const Row& token : tokens[t]) entries.insert(dot(token, direction));
    if (entries.size() < n) return Answer::no;
  }
  bool zero = true;
  for (const Q& x : u) {
    for (const Q& y : v) zero = zero && x * y == 0;
  }
  return answer(!zero);
}

bool Oracle::near_vertex(const std::vector<Real>& y, const Row& x, std::size_t vertex, const Q& lambda,
                         const Q& epsilon) const {
  for (const Q& more : {Q(0), Q(1), Q(abs(lambda)), Q(100 * abs(lambda) + 1000)}) {
    std::vector<Real> alpha;
    Real top, sum, distance;
    for (std::size_t i = 0; i < n; ++i) {
      alpha.push_back(y[i] + Real(Q((lambda + more) * x[i])));
      if (i == 0 || alpha[i] > top) top = alpha[i];
    }
    for (Real& a : alpha) {
      a = exp((a - top) * log_of_base());
      sum += a;
    }
    for (std::size_t i = 0; i < n; ++i) distance += abs(alpha[i] / sum - (i == vertex ? 1 : 0));
    if (distance - Real(epsilon) > exp(Real(-200))) return false;
  }
  return true;
}

Answer Oracle::vertex_limit(const Json& step) const {
  const Precision precision(1000);
  const Rows w_prime = argument("w_prime"), w_star = argument("w_star");
  const std::size_t t = claim.size("example");
  const Row x = logits({w_prime, Row(d), {}}, t), rational_y = logits({w_star, Row(d), {}}, t);
  const std::vector<Real> y(rational_y.begin(), rational_y.end());
  const auto vertex = step.at("vertex").get<std::size_t>();
  return answer(near_vertex(y, x, vertex, number(step.at("lambda")), claim.number("epsilon")));
}

std::vector<std::vector<Real>> Oracle::prescribed(const Json& step) const {
  const ExactArray& coefficients = claim.array("coefficients");
  const Real log_b = log_of_base();
  RealMatrix w(d, std::vector<Real>(d));
  for (std::size_t k = 0; k < claim.subset().size(); ++k) {
    const Row left = vector_of(step.at("left_inverse").at(k));
    for (std::size_t i = 0; i < n; ++i) {
      const Row right = vector_of(step.at("right_inverses").at(k).at(i));
      const Real value = log(Real(coefficients.at(k * n + i))) / log_b;
      for (std::size_t a = 0; a < d; ++a) {
        for (std::size_t b = 0; b < d; ++b) w[a][b] += value * Real(Q(right[a] * left[b]));
      }
    }
  }
  std::vector<std::vector<Real>> result(T, std::vector<Real>(n));
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<Real> direction(d);
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) direction[a] += w[a][b] * Real(queries[t][b]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t a = 0; a < d; ++a) result[t][i] += direction[a] * Real(tokens[t][i][a]);
    }
  }
  return result;
}

bool Oracle::prescribes(const std::vector<std::vector<Real>>& y) const {
  const ExactArray& coefficients = claim.array("coefficients");
  const Real log_b = log_of_base();
  for (std::size_t k = 0; k < claim.subset().size(); ++k) {
    std::vector<Real> alpha;
    Real sum;
    for (const Real& logit : y[claim.subset()[k]]) {
      alpha.push_back(exp(logit * log_b));
      sum += alpha.back();
    }
    for (std::size_t i = 0; i < n; ++i) {
      if ((alpha[i] / sum - Real(coefficients.at(k * n + i))).exponent() > -Real::bits() / 2) return false;
    }
  }
  return true;
}

Answer Oracle::weights(const Json& step) const {
  const Precision precision(2000);
  return answer(claim.subset().size() <= std::min(n, d_h) && prescribes(prescribed(step)));
}

Answer Oracle::one_hot(const Json& step) const {
  const Precision precision(2000);
  const std::vector<std::vector<Real>> y = prescribed(step);
  if (claim.subset().size() + 1 > std::min(n, d_h) || !prescribes(y)) return Answer::no;
  const Row u = vector_of(step.at("u")), v = vector_of(step.at("v"));
  const std::set<std::size_t> subset(claim.subset().begin(), claim.subset().end());
  for (std::size_t t = 0; t < T; ++t) {
    const Q factor = dot(v, queries[t]);
    if (subset.count(t) != 0) {
      if (factor != 0) return Answer::no;
      continue;
    }
    Row x;
    for (const Row& token : tokens[t]) x.push_back(dot(token, u) * factor);
    const auto vertex = static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
    if (!near_vertex(y[t], x, vertex, number(step.at("lambda")), claim.number("epsilon"))) return Answer::no;
  }
  return Answer::yes;
}

Answer Oracle::readout(const Json& steps, const Json& step) const {
  const Layer layer = built(steps, step.at("layer").get<std::size_t>());
  const AllLogits all = all_logits(layer);
  constexpr long bits = 4000;  // A is far from singular, whatever the range of its entries
  const Precision precision(bits);
  std::vector<std::size_t> rows(T);
  for (std::size_t t = 0; t < T; ++t) rows[t] = t;
  const RealMatrix a = minor(z(all, layer.scaled), rows, indices(step.at("cols")));
  RealMatrix y(T);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t j = 0; j < d_out; ++j) {
      Q label = labels[t][j];
      if (claim.statement == "skip-connection") label -= queries[t][j];
      y[t].emplace_back(label);
    }
  }
  const std::optional<RealMatrix> exact = solved(a, y);
  if (!exact) return Answer::unknown;
  for (std::size_t k = 0; k < T; ++k) {
    for (std::size_t j = 0; j < d_out; ++j) {
      const Json& ball = step.at("weights").at(k).at(j);
      const Real off = abs((*exact)[k][j] - Real(number(ball.at("mid")))) - Real(number(ball.at("rad")));
      if (off > 0 && off.exponent() > -bits / 2) return Answer::no;
    }
  }
  return Answer::yes;
}

bool Oracle::separates(const Layer& layer) const {
  const std::size_t r = std::min(n, d_h);
  for (std::size_t h = 1; n > 1 && h < layer.heads.size(); ++h) {
    std::size_t tied = 0;
    for (std::size_t t = 0; t < T; ++t) {
      std::set<Q> entries;
      if (const auto& separator = layer.heads[h].separator) {
        const auto product = [&](const Row& x, const Row& y) {
          Q sum = 0;
          for (std::size_t j = 0; j < d; ++j) sum += x[j] * y[j];
          return sum;
        };
        const Q factor = product(separator->v, queries[t]);
        for (const Row& token : tokens[t]) entries.insert(product(token, separator->u) * factor);
      }
      tied += entries.size() < tokens[t].size();
    }
    if (tied >= r) return false;
  }
  return true;
}

Answer Oracle::lambda_rank(const Json& steps, const Json& step, const Bound& bound) const {
  const Layer layer = built(steps, step.at("layer").get<std::size_t>());
  for (const Head& head : layer.heads)
    if (head.separator && head.separator->lambda != claim.number("lambda")) return Answer::no;
  return separates(layer) ? judge_layer(bound, layer) : Answer::no;
}

Answer Oracle::memorized(const Bound& bound) {
  const std::size_t d_v = source.layer->value_dim;
  const bool bias = bound.quantity == "memorized(bias)";
  if (bound.quantity != "memorized(given)" && !bias) {
    // Capacity below T leaves open what weights of their own do for each label.
    const std::optional<mpz_class> most = value_of("capacity");
    const bool wide = d_out <= d_v && (bound.quantity == "memorized(any)" || d_out <= d);
    return !most || !bound.at_least ? Answer::unknown : answer(*most == integer(T) && wide);
  }
  if (!source.weights) return Answer::unknown;
  const Layer layer = given();
  const auto more = [&](std::size_t rank) {
    const std::string at_least = " >= " + std::to_string(rank + 1);
    return bias ? judge_blocks(Bound("rank(Z|1)" + at_least))
                : judge_layer(Bound("rank(Z(given))" + at_least), layer);
  };
  std::size_t rank = 0;
  while (rank < T && more(rank) == Answer::yes) ++rank;
  const Answer fits = judge_blocks(Bound((bias ? "rank(Z|1Y) <= " : "rank(Z|Y) <= ") + std::to_string(rank)));
  if (fits == Answer::unknown) return fits;
  return answer(bound.at_least ? fits == Answer::yes && d_out <= d_v : fits == Answer::no);
}

Answer Oracle::tail_rank(const Json& steps, const Json& step, const Bound& bound) const {
  Layer layer = built(steps, step.at("layer").get<std::size_t>());
  if (!separates(layer)) return Answer::no;
  const Q least = number(step.at("lambda"));
  const std::vector<std::size_t> rows = indices(step.at("rows")), cols = indices(step.at("cols"));
  if (bound.number > integer(rows.size())) return Answer::unknown;
  Draws draws(11, 97);
  bool unknown = false;
  for (int sample = 0; sample < 4; ++sample) {
    for (Head& head : layer.heads) {
      if (!head.separator) continue;
      const Q factors[] = {1, 2, 1 + (draws.draw(50) + 50) / 10, 40};
      head.separator->lambda = least * factors[sample];
    }
    const AllLogits all = all_logits(layer);
    // The minor tends to a regular one, so few bits suffice unless it is singular.
    const Answer found = judge_rank(bound, 40, [&] { return minor(z(all, layer.scaled), rows, cols); });
    if (found == Answer::no) return found;
    unknown = unknown || found == Answer::unknown;
  }
  return unknown ? Answer::unknown : Answer::yes;
}

Answer Oracle::network(const Json& step) const {
  const Rows x = inputs(true);
  if (step.at("neurons").size() != claim.size("neurons")) return Answer::no;
  if (step.contains("output_bias") && !claim.flag("output_bias")) return Answer::no;
  for (std::size_t t = 0; t < T; ++t) {
    Q sum = step.contains("output_bias") ? number(step["output_bias"]) : Q(0);
    for (const Json& neuron : step["neurons"]) {
      Q h = number(neuron.at("b"));
      for (std::size_t i = 0; i < x[t].size(); ++i) h += number(neuron.at("w").at(i)) * x[t][i];
      if (h > 0) sum += h * number(neuron.at("a"));
    }
    if (sum != labels[t][0]) return Answer::no;
  }
  return Answer::yes;
}

}  // namespace attest::test
