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

std::vector<Rows> Oracle::seen_by(const Trained& trained) const {
  std::vector<Rows> result(T);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t h = 0; h < H; ++h) {
      Row seen = trained.query.empty() ? queries[t] : trained.bias[h];
      for (std::size_t k = 0; !trained.query.empty() && k < trained.size; ++k)
        for (std::size_t j = 0; j < d; ++j) seen[k] += trained.query[h][j][k] * queries[t][j];
      result[t].push_back(std::move(seen));
    }
  return result;
}

Row Oracle::logits_of(std::size_t t, const Rows& key, const Row& query) const {
  Row logits;
  for (const Row& token : tokens[t]) {
    logits.emplace_back();
    for (std::size_t j = 0; j < d; ++j) logits.back() += token[j] * dot(key[j], query);
  }
  return logits;
}

namespace {

/// A number mod p, with the operations that the derivatives need.
struct Residue {
  static inline std::uint64_t p = 0;
  std::uint64_t value = 0;

  Residue() = default;
  explicit Residue(const Q& x) : value(residue(x, p)) {}
  Residue& operator+=(const Residue& other) {
    value = (value + other.value) % p;
    return *this;
  }
  friend Residue operator*(Residue a, const Residue& b) {
    a.value = test::times(a.value, b.value, p);
    return a;
  }
  friend Residue operator-(Residue a, const Residue& b) {
    a.value = (a.value + p - b.value) % p;
    return a;
  }
};

}  // namespace

/// The rows of example t, for its coefficients by head.
template <class F>
std::vector<std::vector<F>> Oracle::jacobian_rows(const Trained& trained, const Rows& seen, std::size_t t,
                                                  const std::vector<std::vector<F>>& coefficients,
                                                  const F& factor) const {
  std::vector<std::vector<F>> result(d_out);
  for (std::size_t h = 0; h < H; ++h) {
    const std::vector<F>& alpha = coefficients[h];
    std::vector<std::vector<F>> values(alpha.size());  // of each token, read out
    for (std::size_t i = 0; i < alpha.size(); ++i)
      for (std::size_t o = 0; o < d_out; ++o) {
        Q value;
        for (std::size_t j = 0; j < d; ++j) value += tokens[t][i][j] * trained.readout[h][j][o];
        values[i].emplace_back(value);
      }
    // The derivative when the logits move like this.
    const auto append = [&](const Row& moved) {
      F mean;
      std::vector<F> moves(moved.begin(), moved.end());
      for (std::size_t i = 0; i < alpha.size(); ++i) mean += alpha[i] * moves[i];
      for (std::size_t i = 0; i < alpha.size(); ++i) moves[i] = alpha[i] * (moves[i] - mean);
      for (std::size_t o = 0; o < d_out; ++o) {
        F sum;
        for (std::size_t i = 0; i < alpha.size(); ++i) sum += moves[i] * values[i][o] * factor;
        result[o].push_back(sum);
      }
    };
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < trained.size; ++k) {
        Rows one(d, Row(trained.size));
        one[j][k] = 1;
        append(logits_of(t, one, seen[h]));
      }
    for (std::size_t j = 0; !trained.query.empty() && j < d; ++j)
      for (std::size_t k = 0; k < trained.size; ++k) {
        Row moved(trained.size);
        moved[k] = queries[t][j];
        append(logits_of(t, trained.key[h], moved));
      }
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t column = 0; column < d_out; ++column)
        for (std::size_t o = 0; o < d_out; ++o) {
          F sum;
          for (std::size_t i = 0; o == column && i < alpha.size(); ++i) sum += alpha[i] * F(tokens[t][i][j]);
          result[o].push_back(sum);
        }
  }
  return result;
}

RealMatrix Oracle::jacobian(const Trained& trained, bool scaled) const {
  const Real factor = unit(scaled);
  const std::vector<Rows> seen = seen_by(trained);
  RealMatrix result;
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::vector<Real>> alpha;
    for (std::size_t h = 0; h < H; ++h)
      alpha.push_back(softmax(logits_of(t, trained.key[h], seen[t][h]), factor));
    for (std::vector<Real>& row : jacobian_rows(trained, seen[t], t, alpha, factor))
      result.push_back(std::move(row));
  }
  return result;
}

Answer Oracle::judge_jacobian(const Bound& bound, const Trained& trained) const {
  const std::vector<Rows> seen = seen_by(trained);
  AllLogits all(H, Rows(T));
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t t = 0; t < T; ++t) all[h][t] = logits_of(t, trained.key[h], seen[t][h]);
  const Answer found = judge_rank(bound, 2 * spread(all, true), [&] { return jacobian(trained, true); });
  if (found != Answer::unknown) return found;
  // The factor of keys and queries, s log b, changes no rank.
  return by_characters(
      bound, all, true, [&](std::size_t t, const std::vector<Residues>& alpha, std::uint64_t p) {
        Residue::p = p;
        std::vector<std::vector<Residue>> coefficients(H);
        for (std::size_t h = 0; h < H; ++h)
          for (const std::uint64_t each : alpha[h]) coefficients[h].emplace_back().value = each;
        std::vector<Residues> rows;
        for (const auto& row : jacobian_rows(trained, seen[t], t, coefficients, Residue(1))) {
          rows.emplace_back();
          for (const Residue& entry : row) rows.back().push_back(entry.value);
        }
        return rows;
      });
}

Oracle Oracle::with_all_data() const {
  Oracle any = *this;
  const auto drawn = [](std::uint64_t stream, std::size_t rows, std::size_t cols) {
    Draws draws(1, stream);
    Rows result(rows, Row(cols));
    for (Row& row : result)
      for (Q& x : row) x = draws.draw(1000);
    return result;
  };
  for (std::size_t t = 0; tokens.empty() && t < T; ++t)
    any.tokens.push_back(drawn(100 + t, source.layer->context, d));
  if (queries.empty()) any.queries = drawn(99, T, d);
  return any;
}

std::optional<mpz_class> Oracle::functional_dimension() const {
  if (T * H * d == 0) return std::nullopt;
  if (!source.stack.empty()) return stack_functional_dimension();
  if (tokens.empty() || queries.empty()) return with_all_data().functional_dimension();
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
