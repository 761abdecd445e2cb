// The case and its layers, as numbers.
#include "tests/oracle/oracle.hpp"

#include <algorithm>

#include "problem/numbers.hpp"

namespace attest::test {

Q number(const Json& value) {
  return parse_number(value.get_ref<const std::string&>());
}

Row vector_of(const Json& value) {
  const Q den = number(value.at("den"));
  Row result;
  for (const Json& entry : value.at("num")) result.push_back(number(entry) / den);
  return result;
}

std::vector<std::size_t> indices(const Json& value) {
  return value.get<std::vector<std::size_t>>();
}

Oracle::Oracle(const Case& c) : source(c), claim(c.claims.front()) {
  if (!c.layer) return;
  T = c.layer->examples, H = claim.has("heads") ? claim.size("heads") : c.layer->heads, n = c.layer->context,
  d = c.layer->embed_dim;
  d_h = c.layer->head_dim, d_out = c.layer->output_dim;
  if (c.data.contexts) {
    const bool one = c.data.shared_context;
    for (std::size_t t = 0; t < T && c.data.members; ++t) {
      tokens.emplace_back();
      for (std::size_t k = c.data.members->starts[t]; k < c.data.members->starts[t + 1]; ++k)
        tokens[t].push_back(matrix(*c.data.contexts, 1, d, c.data.members->rows[k] * d)[0]);
    }
    for (std::size_t t = 0; t < T && !c.data.members; ++t)
      tokens.push_back(one && t > 0 ? tokens[0] : matrix(*c.data.contexts, n, d, t * n * d));
  }
  if (c.data.queries) queries = matrix(*c.data.queries, T, d);
  if (c.data.labels) labels = matrix(*c.data.labels, T, d_out);
}

Rows Oracle::matrix(const ExactArray& array, std::size_t rows, std::size_t cols, std::size_t first) {
  Rows result(rows, Row(cols));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) result[i][j] = array.at(first + i * cols + j);
  }
  return result;
}

Rows Oracle::argument(const std::string& key) const {
  const ExactArray& array = claim.array(key);
  return matrix(array, array.shape()[0], array.shape()[1]);
}

Layer Oracle::factored(const std::function<Q(std::size_t)>& key, const std::function<Q(std::size_t)>& query,
                       const std::function<Q(std::size_t)>& bias) const {
  Layer layer;
  for (std::size_t h = 0; h < H; ++h) {
    Head head{Rows(d, Row(d)), Row(d), {}};
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t k = 0; k < d_h; ++k) {
        const Q entry = key((h * d + i) * d_h + k);
        if (entry == 0) continue;
        for (std::size_t j = 0; j < d; ++j) head.w[i][j] += entry * query((h * d + j) * d_h + k);
        head.c[i] += entry * bias(h * d_h + k);
      }
    }
    layer.heads.push_back(std::move(head));
  }
  return layer;
}

Layer Oracle::given() const {
  const Weights& w = source.weights.value();
  const auto with_sinks = [&](Layer layer) {
    if (w.sink) add_sinks(layer, [&](std::size_t h) { return w.sink->at(h); });
    return layer;
  };
  if (w.projected_keys) {
    Layer layer;
    layer.projected = true;
    for (std::size_t h = 0; h < H; ++h) layer.heads.push_back({Rows(d, Row(d)), Row(d), {}});
    return with_sinks(layer);
  }
  const auto no_bias = [](std::size_t) { return Q(0); };
  if (!w.combined) {
    return with_sinks(factored([&](std::size_t i) { return w.key->at(i); },
                               [&](std::size_t i) { return w.query->at(i); },
                               w.query_bias ? [&](std::size_t i) { return w.query_bias->at(i); }
                                            : std::function<Q(std::size_t)>(no_bias)));
  }
  Layer layer;
  for (std::size_t h = 0; h < H; ++h)
    layer.heads.push_back({matrix(*w.combined, d, d, h * d * d), Row(d), {}});
  return with_sinks(layer);
}

void Oracle::add_sinks(Layer& layer, const std::function<Q(std::size_t)>& logit) const {
  for (std::size_t h = 0; h < H; ++h)
    layer.heads[h].sink =
        source.layer->logit_scale.irrational() ? Q(0) : Q(logit(h) / source.layer->logit_scale.rational);
}

Layer Oracle::built(const Json& steps, std::size_t k) const {
  const Json& definition = steps.at(k).at("layer");
  if (definition.contains("random")) {
    const Json& random = definition["random"];
    const auto bound = random.at("bound").get<std::uint64_t>(), seed = random.at("seed").get<std::uint64_t>();
    Row key, query;
    Draws keys(seed, 4), more(seed, 5);
    for (std::size_t i = 0; i < H * d * d_h; ++i) {
      key.push_back(keys.draw(bound));
      query.push_back(more.draw(bound));
    }
    Layer layer = factored([&](std::size_t i) { return key[i]; }, [&](std::size_t i) { return query[i]; },
                           [](std::size_t) { return Q(0); });
    Draws sinks(seed, 8);
    if (source.layer->sink) add_sinks(layer, [&](std::size_t) { return sinks.draw(bound); });
    return layer;
  }
  if (definition.contains("rescaled")) {
    Layer layer = built(steps, definition["rescaled"].at("of").get<std::size_t>());
    for (Head& head : layer.heads) {
      if (head.separator) head.separator->lambda = number(definition["rescaled"].at("lambda"));
    }
    return layer;
  }
  Layer layer;
  layer.scaled = false;
  for (const Json& each : definition.at("heads")) {
    Head head{Rows(d, Row(d)), Row(d), {}};
    for (std::size_t term = 0; term < each.at("key").size(); ++term) {
      const Row key = vector_of(each["key"][term]), query = vector_of(each.at("query").at(term));
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) head.w[i][j] += key[i] * query[j];
      }
    }
    if (each.contains("separator")) {
      const Json& parts = each["separator"];
      head.separator =
          Separator{vector_of(parts.at("u")), vector_of(parts.at("v")), number(parts.at("lambda"))};
    }
    if (each.contains("sink")) head.sink = number(each["sink"]);
    layer.heads.push_back(std::move(head));
  }
  return layer;
}

Row Oracle::logits(const Head& head, std::size_t t) const {
  Row direction = head.c;
  for (std::size_t i = 0; i < d; ++i) direction[i] += dot(head.w[i], queries[t]);
  if (head.separator) {
    const Q factor = dot(head.separator->v, queries[t]) * head.separator->lambda;
    for (std::size_t i = 0; i < d; ++i) direction[i] += factor * head.separator->u[i];
  }
  Row result;
  for (const Row& token : tokens[t]) result.push_back(dot(token, direction));
  return result;
}

Real Oracle::log_of_base() const {
  return source.layer->base == Base::two ? log(Real(2)) : Real(1);
}

Real Oracle::unit(bool scaled) const {
  Real u = log_of_base();
  if (!scaled) return u;
  const LogitScale& scale = source.layer->logit_scale;
  return scale.irrational() ? u / sqrt(Real(Q(integer(scale.radicand)))) : u * Real(scale.rational);
}

std::vector<Real> Oracle::softmax(const Row& logits, const Real& factor) {
  const bool negative = factor < 0;
  Q top = logits[0];
  for (const Q& x : logits) top = negative ? std::min(top, x) : std::max(top, x);
  std::vector<Real> result;
  Real sum;
  for (const Q& x : logits) {
    result.push_back(exp(Real(Q(x - top)) * factor));
    sum += result.back();
  }
  for (Real& x : result) x /= sum;
  return result;
}

std::vector<Real> Oracle::coefficients(const Row& logits, const Real& factor) const {
  if (!source.layer->sigmoid) return softmax(logits, factor);
  std::vector<Real> result;
  for (const Q& x : logits) result.push_back(softmax({x, 0}, factor)[0]);
  return result;
}

AllLogits Oracle::all_logits(const Layer& layer) const {
  AllLogits result(H);
  const auto add_logits_of_sinks = [&] {
    for (std::size_t h = 0; source.layer->sink && h < H; ++h)
      for (Row& row : result[h]) row.push_back(layer.heads[h].sink);
  };
  if (layer.projected) {
    const ExactArray &keys = *source.weights->projected_keys, &own = *source.weights->projected_queries;
    const std::size_t groups = keys.shape()[1], m = keys.shape()[2];
    // By tokens when there are as many keys as tokens, else by examples.
    const bool by_token = keys.shape()[0] == source.data.contexts->size() / d;
    std::size_t slot = 0;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t h = 0; h < H; ++h) result[h].emplace_back();
      for (std::size_t i = 0; i < tokens[t].size(); ++i, ++slot) {
        const std::size_t row = !by_token                    ? slot
                                : source.data.members        ? source.data.members->rows[slot]
                                : source.data.shared_context ? i
                                                             : slot;
        for (std::size_t h = 0; h < H; ++h) {
          Q sum;
          for (std::size_t k = 0; k < m; ++k)
            sum += own.at((t * H + h) * m + k) * keys.at((row * groups + h / (H / groups)) * m + k);
          result[h][t].push_back(sum);
        }
      }
    }
    add_logits_of_sinks();
    return result;
  }
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t t = 0; t < T; ++t) result[h].push_back(logits(layer.heads[h], t));
  }
  add_logits_of_sinks();
  return result;
}

RealMatrix Oracle::z(const AllLogits& all, bool scaled) const {
  const Real factor = unit(scaled);
  RealMatrix result(T);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t h = 0; h < H; ++h) {
      const std::vector<Real> coefficients = this->coefficients(all[h][t], factor);
      for (std::size_t j = 0; j < d; ++j) {
        Real sum;
        for (std::size_t i = 0; i < tokens[t].size(); ++i) {
          if (tokens[t][i][j] != 0) sum += coefficients[i] * Real(tokens[t][i][j]);
        }
        result[t].push_back(std::move(sum));
      }
    }
  }
  return result;
}

RealMatrix Oracle::minor(const RealMatrix& m, const std::vector<std::size_t>& rows,
                         const std::vector<std::size_t>& cols) {
  RealMatrix result;
  for (std::size_t i : rows) {
    result.emplace_back();
    for (std::size_t j : cols) result.back().push_back(m[i][j]);
  }
  return result;
}

long Oracle::spread(const AllLogits& all, bool scaled) const {
  Q most;
  for (const auto& head : all) {
    for (const Row& row : head) {
      const auto [least, largest] = std::minmax_element(row.begin(), row.end());
      most = std::max({most, Q(*largest - *least), source.layer->sigmoid ? Q(abs(*largest)) : Q(0),
                       source.layer->sigmoid ? Q(abs(*least)) : Q(0)});
    }
  }
  const double bits = mpfr_get_d((abs(unit(scaled)) * Real(most)).raw(), MPFR_RNDU) * 1.5;
  return bits > 1e9 ? 1'000'000'000L : static_cast<long>(bits) + 1;
}

}  // namespace attest::test
