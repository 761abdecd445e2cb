// Jacobians of layers, parameter by parameter, at high precision.
#include <algorithm>

#include "tests/oracle/oracle.hpp"

namespace attest::test {
namespace {

Rows times(const Rows& a, const Rows& b) {
  Rows result(a.size(), Row(b.front().size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[k].size(); ++j) result[i][j] += a[i][k] * b[k][j];
  return result;
}

Rows unit_rows(std::size_t rows, std::size_t cols, std::size_t first) {
  Rows result(rows, Row(cols));
  for (std::size_t i = 0; i < rows; ++i) result[i][first + i] = 1;
  return result;
}

}  // namespace

Oracle::Trained Oracle::given_training() const {
  const Weights& w = source.weights.value();
  const std::size_t size = w.combined ? d : d_h, d_v = w.value ? w.value->shape()[2] : d,
                    m = w.output ? w.output->shape()[2] : H * d_v;
  Trained trained{size, {}, {}, {}, {}};
  for (std::size_t h = 0; h < H; ++h) {
    trained.key.push_back(matrix(w.combined ? *w.combined : *w.key, d, size, h * d * size));
    if (w.query) trained.query.push_back(matrix(*w.query, d, size, h * d * size));
    trained.bias.push_back(w.query_bias ? matrix(*w.query_bias, 1, size, h * size)[0] : Row(size));
    Rows u = w.output ? matrix(*w.output, d_v, m, h * d_v * m) : unit_rows(d_v, m, h * d_v);
    if (w.value) u = times(matrix(*w.value, d, d_v, h * d * d_v), u);
    trained.readout.push_back(w.readout ? times(u, matrix(*w.readout, m, d_out)) : u);
  }
  return trained;
}

Oracle::Trained Oracle::random_training(std::uint64_t bound, std::uint64_t seed) const {
  const auto drawn = [&](std::uint64_t stream, std::size_t cols) {
    Draws draws(seed, stream);
    std::vector<Rows> heads(H, Rows(d, Row(cols)));
    for (Rows& head : heads)
      for (Row& row : head)
        for (Q& x : row) x = draws.draw(bound);
    return heads;
  };
  return {d_h, drawn(4, d_h), drawn(5, d_h), drawn(8, d_out), std::vector<Row>(H, Row(d_h))};
}

RealMatrix Oracle::jacobian(const Trained& trained, bool scaled) const {
  const Real factor = unit(scaled);
  const bool combined = trained.query.empty();
  RealMatrix result(T * d_out);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t h = 0; h < H; ++h) {
      Row seen = combined ? queries[t] : trained.bias[h];  // Q^T e + b
      for (std::size_t k = 0; !combined && k < trained.size; ++k)
        for (std::size_t j = 0; j < d; ++j) seen[k] += trained.query[h][j][k] * queries[t][j];
      // Of keys and a projected query.
      const auto logits_of = [&](const Rows& key, const Row& query) {
        Row logits;
        for (const Row& token : tokens[t]) {
          logits.emplace_back();
          for (std::size_t j = 0; j < d; ++j) logits.back() += token[j] * dot(key[j], query);
        }
        return logits;
      };
      const std::vector<Real> alpha = softmax(logits_of(trained.key[h], seen), factor);
      // The derivative when the logits move like this.
      const auto append = [&](const Row& moved) {
        Real mean;
        for (std::size_t i = 0; i < alpha.size(); ++i) mean += alpha[i] * Real(moved[i]);
        for (std::size_t o = 0; o < d_out; ++o) {
          Real sum;
          for (std::size_t i = 0; i < alpha.size(); ++i) {
            Q value;
            for (std::size_t j = 0; j < d; ++j) value += tokens[t][i][j] * trained.readout[h][j][o];
            sum += alpha[i] * (Real(moved[i]) - mean) * Real(value) * factor;
          }
          result[t * d_out + o].push_back(sum);
        }
      };
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t k = 0; k < trained.size; ++k) {
          Rows one(d, Row(trained.size));
          one[j][k] = 1;
          append(logits_of(one, seen));
        }
      for (std::size_t j = 0; !combined && j < d; ++j)
        for (std::size_t k = 0; k < trained.size; ++k) {
          Row moved(trained.size);
          moved[k] = queries[t][j];
          append(logits_of(trained.key[h], moved));
        }
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t column = 0; column < d_out; ++column)
          for (std::size_t o = 0; o < d_out; ++o) {
            Real sum;
            for (std::size_t i = 0; o == column && i < alpha.size(); ++i)
              sum += alpha[i] * Real(tokens[t][i][j]);
            result[t * d_out + o].push_back(sum);
          }
    }
  }
  return result;
}

Answer Oracle::judge_jacobian(const Bound& bound, const Trained& trained) const {
  Layer layer;
  for (std::size_t h = 0; h < H; ++h) {
    Rows query = trained.query.empty() ? unit_rows(d, d, 0) : trained.query[h],
         transposed(trained.size, Row(d));
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < trained.size; ++k) transposed[k][j] = query[j][k];
    Head head{times(trained.key[h], transposed), Row(), {}};
    for (const Row& row : trained.key[h]) head.c.push_back(dot(row, trained.bias[h]));
    layer.heads.push_back(std::move(head));
  }
  return judge_rank(bound, 2 * spread(all_logits(layer), true), [&] { return jacobian(trained, true); });
}

std::optional<mpz_class> Oracle::functional_dimension() const {
  if (tokens.empty() || queries.empty()) return std::nullopt;
  Trained trained = random_training(1000, 77);
  Q largest = 1;  // for logits of a moderate size
  for (const Rows& rows : tokens)
    for (const Row& row : rows)
      for (const Q& x : row) largest = std::max(largest, Q(abs(x)));
  for (const Row& row : queries)
    for (const Q& x : row) largest = std::max(largest, Q(abs(x)));
  for (std::vector<Rows>* const each : {&trained.key, &trained.query})
    for (Rows& head : *each)
      for (Row& row : head)
        for (Q& x : row) x /= largest * 300;
  const Precision precision(3000);
  const RealRank found = rank(jacobian(trained, false));
  if (!found.exact) return std::nullopt;
  return integer(found.least);
}

}  // namespace attest::test
