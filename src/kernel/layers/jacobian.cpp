#include "kernel/layers/jacobian.hpp"

#include <algorithm>
#include <map>

namespace attest::kernel {
namespace {

/// Entries first .. first + rows * cols - 1 of the array as a matrix mod p.
Matrix part(const ExactArray& array, std::size_t first, std::size_t rows, std::size_t cols, Word p) {
  Matrix result(rows, cols);
  ArrayResidues(array, p).copy(first, rows * cols, result.data.data());
  return result;
}

/// U_h mod p.
Matrix readout(const Problem& problem, const Weights& whole, std::size_t h, Word p) {
  const std::size_t d = problem.d, d_v = whole.value ? whole.value->shape()[2] : d,
                    m = whole.output ? whole.output->shape()[2] : problem.H * d_v;
  Matrix result;
  if (whole.output) {
    result = part(*whole.output, h * d_v * m, d_v, m, p);
    if (whole.readout) result = product(result, part(*whole.readout, 0, m, problem.d_out, p), p);
  } else if (whole.readout) {
    result = part(*whole.readout, h * d_v * problem.d_out, d_v, problem.d_out, p);
  } else {
    result = Matrix(d_v, problem.d_out);
    for (std::size_t i = 0; i < d_v; ++i) result[i][h * d_v + i] = 1;
  }
  return whole.value ? product(part(*whole.value, h * d * d_v, d, d_v, p), result, p) : result;
}

/// A head mod p.
struct HeadMod {
  Matrix readout, key, query;  ///< d x d_out; d x m each, no query for a combined matrix
  std::vector<Word> bias;      ///< m, or none
};

/// An entry of J is left[a] right[b] for a head, example and output.
struct Column {
  std::size_t head, left, right;
};

}  // namespace

std::vector<std::vector<Rational>> readout(const Problem& problem, const Weights& whole, std::size_t h) {
  const std::size_t d = problem.d, d_v = whole.value ? whole.value->shape()[2] : d,
                    m = whole.output ? whole.output->shape()[2] : problem.H * d_v;
  std::vector<std::vector<Rational>> result(d, std::vector<Rational>(problem.d_out));
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t v = 0; v < d_v; ++v) {
      const Rational value = whole.value ? whole.value->at((h * d + j) * d_v + v) : Rational(j == v ? 1 : 0);
      for (std::size_t k = 0; value != 0 && k < m; ++k) {
        const Rational through = value * (whole.output ? whole.output->at((h * d_v + v) * m + k)
                                                       : Rational(k == h * d_v + v ? 1 : 0));
        for (std::size_t o = 0; through != 0 && o < problem.d_out; ++o) {
          result[j][o] +=
              through * (whole.readout ? whole.readout->at(k * problem.d_out + o) : Rational(k == o ? 1 : 0));
        }
      }
    }
  return result;
}

Jacobian::Jacobian(const Problem& problem, const Layer& layer) : problem_(problem), layer_(layer) {
  ENSURE(!problem.has_stack(), "a layer that the data enter", "one behind others");
  ENSURE(layer.key != nullptr, "a layer of given or random weights", "another one");
  if (layer.random)
    drawn_.readout = layer.random->draw({problem.H * problem.d, problem.d_out}, stream::readout);
  const Weights& given = whole();
  const std::size_t d_v = given.value ? given.value->shape()[2] : problem.d,
                    m = given.output ? given.output->shape()[2] : problem.H * d_v;
  ENSURE(given.readout || m == problem.d_out, "a layer with a read-out", "one without");
  m_ = layer.key->shape()[2];
  of_keys_ = problem.d * m_;
  of_head_ = of_keys_ * (layer.query ? 2 : 1) + problem.d * problem.d_out;
  checked_size(height(), width());
}

Matrix Jacobian::minor(const Character& character, const std::vector<std::size_t>& rows,
                       const std::vector<std::size_t>& cols) const {
  const std::size_t d = problem_.d, d_out = problem_.d_out, m = m_;
  const Word p = character.p;
  Matrix result(rows.size(), cols.size());
  std::map<std::size_t, HeadMod> heads;
  std::set<std::size_t> used;
  for (const std::size_t col : cols) used.insert(col / of_head_);
  for (const std::size_t h : used) {
    HeadMod& head = heads[h];
    head.readout = readout(problem_, whole(), h, p);
    head.key = part(*layer_.key, h * of_keys_, d, m, p);
    if (layer_.query) head.query = part(*layer_.query, h * of_keys_, d, m, p);
    for (const Rational& entry : layer_.heads[h].query_bias) head.bias.push_back(residue(entry, p));
  }
  // left: C = Cov(x) u_o (d), K^T C (m), z (d); right: Q^T e + b or, for a combined matrix, e (m), e (d), and
  // 1 for the output's own column of the read-out, else 0 (d_out).
  std::vector<Column> places;
  for (const std::size_t col : cols) {
    const std::size_t head =
                          static_cast<std::size_t>(std::distance(heads.begin(), heads.find(col / of_head_))),
                      k = col % of_head_;
    const std::size_t of_weights = of_head_ - d * d_out;
    if (k < of_keys_)
      places.push_back({head, k / m, k % m});
    else if (k < of_weights)
      places.push_back({head, d + k % m, m + (k - of_keys_) / m});
    else
      places.push_back({head, d + m + (k - of_weights) / d_out, m + d + (k - of_weights) % d_out});
  }
  std::map<std::size_t, std::vector<std::size_t>> places_of;  // of the rows, by example
  for (std::size_t r = 0; r < rows.size(); ++r) places_of[rows[r] / d_out].push_back(r);
  std::vector<std::size_t> examples;
  for (const auto& [t, list] : places_of) examples.push_back(t);
  const ArrayResidues queries(problem_.queries(), p);
  const std::size_t lefts = 2 * d + m, rights = m + d + d_out;
  visit_coefficients(
      problem_, layer_, character, used, examples,
      [&](std::size_t first, std::size_t count, const Matrix& coefficients, const Matrix& tokens) {
        const std::size_t n = tokens.rows;
        const Matrix all = product(coefficients, tokens, p);
        std::vector<Matrix> seen;
        for (const auto& [h, head] : heads) seen.push_back(product(tokens, head.readout, p));
        for (std::size_t number = 0; number < count; ++number) {
          const std::size_t t = examples[first + number];
          Matrix left(heads.size() * d_out, lefts), right(heads.size() * d_out, rights), query(1, d);
          queries.copy(t * d, d, query[0]);
          std::size_t k = 0;
          for (const auto& [h, head] : heads) {
            Matrix z(1, d), weighted(d_out, n);
            const double* const coefficient = coefficients[number * heads.size() + k];
            std::copy_n(all[number * heads.size() + k], d, z[0]);
            const Matrix mean = product(z, head.readout, p);
            for (std::size_t o = 0; o < d_out; ++o) {
              for (std::size_t i = 0; i < n; ++i)
                weighted[o][i] = coefficient[i] * (seen[k][i][o] - mean[0][o] + static_cast<double>(p));
              reduce(weighted[o], n, p);
            }
            const Matrix c = product(weighted, tokens, p), kc = product(c, head.key, p);
            Matrix projected = head.query.cols > 0 ? product(query, head.query, p) : query;
            for (std::size_t i = 0; i < head.bias.size(); ++i)
              projected[0][i] += static_cast<double>(head.bias[i]);
            reduce(projected[0], m, p);
            for (std::size_t o = 0; o < d_out; ++o) {
              double *const a = left[k * d_out + o], *const b = right[k * d_out + o];
              std::copy_n(c[o], d, a);
              std::copy_n(kc[o], m, a + d);
              std::copy_n(z[0], d, a + d + m);
              std::copy_n(projected[0], m, b);
              std::copy_n(query[0], d, b + m);
              for (std::size_t other = 0; other < d_out; ++other) b[m + d + other] = other == o ? 1 : 0;
            }
            ++k;
          }
          for (const std::size_t r : places_of.at(t)) {
            const std::size_t o = rows[r] % d_out;
            for (std::size_t c = 0; c < places.size(); ++c) {
              const auto [head, a, b] = places[c];
              result[r][c] = left[head * d_out + o][a] * right[head * d_out + o][b];
            }
            reduce(result[r], result.cols, p);
          }
        }
      });
  return result;
}

bool Jacobian::annihilates(Logits& logits, const std::vector<std::pair<std::size_t, Rational>>& x) const {
  const std::size_t d = problem_.d, d_out = problem_.d_out, of_weights = of_head_ - d * d_out;
  const PowerSums ring{layer_.ring.two};
  std::map<std::size_t, std::vector<std::vector<Rational>>> heads;
  for (const auto& [column, value] : x)
    if (!heads.contains(column / of_head_))
      heads[column / of_head_] = readout(problem_, whole(), column / of_head_);
  for (std::size_t t = 0; t < problem_.T; ++t) {
    const std::vector<Rational> e = entries(problem_.query(t));
    const Context context = problem_.context(t);
    const std::size_t n = context.size();
    // By output: heads with their S^2, and their part of the row times x, times S^2.
    std::vector<std::vector<std::pair<PowerSums::Scalar, PowerSums::Scalar>>> parts(d_out);
    for (const auto& [h, u] : heads) {
      std::vector<Rational> moved(n);  // the logits
      std::vector<std::vector<Rational>> added(d_out, std::vector<Rational>(n));
      for (const auto& [column, value] : x) {
        if (column / of_head_ != h) continue;
        const std::size_t c = column % of_head_, row = c % of_keys_ / m_, k = c % m_, first = h * of_keys_;
        if (c >= of_weights) {
          const std::size_t place = c - of_weights;
          for (std::size_t i = 0; i < n; ++i) added[place % d_out][i] += value * context[i][place / d_out];
        } else if (c < of_keys_) {
          Rational projected = layer_.query ? Rational(0) : e[k];
          for (std::size_t j = 0; layer_.query && j < d; ++j)
            projected += layer_.query->at(first + j * m_ + k) * e[j];
          if (!layer_.heads[h].query_bias.empty()) projected += layer_.heads[h].query_bias[k];
          for (std::size_t i = 0; i < n; ++i) moved[i] += value * context[i][row] * projected;
        } else {
          for (std::size_t i = 0; i < n; ++i) {
            Rational key = 0;
            for (std::size_t j = 0; j < d; ++j) key += layer_.key->at(first + j * m_ + k) * context[i][j];
            moved[i] += value * e[row] * key;
          }
        }
      }
      const Attention<PowerSums> head = attention(ring, entries(logits(h, t)));
      PowerSums::Scalar mean;
      for (std::size_t i = 0; i < n; ++i) ring.add(mean, head.powers[i], moved[i]);
      for (std::size_t o = 0; o < d_out; ++o) {
        PowerSums::Scalar direct, seen;  // sum_i p_i (m_i y_i + w_i) and sum_i p_i y_i, y_i = x_i . u
        for (std::size_t i = 0; i < n; ++i) {
          Rational y = 0;
          for (std::size_t j = 0; j < d; ++j) y += context[i][j] * u[j][o];
          ring.add(direct, head.powers[i], moved[i] * y + added[o][i]);
          ring.add(seen, head.powers[i], y);
        }
        PowerSums::Scalar part = ring.multiply(head.sum, direct);
        ring.add(part, ring.multiply(mean, seen), -1);
        if (!part.empty()) parts[o].emplace_back(ring.multiply(head.sum, head.sum), std::move(part));
      }
    }
    for (const auto& own : parts) {
      PowerSums::Scalar sum;
      for (std::size_t k = 0; k < own.size(); ++k) {
        PowerSums::Scalar term = own[k].second;
        for (std::size_t other = 0; other < own.size(); ++other)
          if (other != k) term = ring.multiply(term, own[other].first);
        ring.add(sum, term, 1);
      }
      if (!sum.empty()) return false;
    }
  }
  return true;
}

}  // namespace attest::kernel
