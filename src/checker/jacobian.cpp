#include "checker/jacobian.hpp"

#include <algorithm>
#include <map>

namespace attest::checker {
namespace {

/// Entries first .. first + rows * cols - 1 of the array as a matrix mod p.
Matrix part(const ExactArray& array, std::size_t first, std::size_t rows, std::size_t cols, Word p) {
  Matrix result(rows, cols);
  ArrayResidues(array, p).copy(first, rows * cols, result.data.data());
  return result;
}

/// U_h = W_V W_O R (d x d_out) of head h; a matrix that is not there is the identity.
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

Jacobian::Jacobian(const Problem& problem, const Layer& layer) : problem_(problem), layer_(layer) {
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
  Matrix left(heads.size() * d_out, lefts), right(heads.size() * d_out, rights), query(1, d);
  visit_coefficients(
      problem_, layer_, character, used, examples,
      [&](std::size_t number, const Matrix& coefficients, const Matrix& tokens) {
        const std::size_t t = examples[number], n = tokens.rows;
        queries.copy(t * d, d, query[0]);
        const Matrix z = product(coefficients, tokens, p);
        std::size_t k = 0;
        for (const auto& [h, head] : heads) {
          Matrix own(1, d), weighted(d_out, n);
          std::copy_n(z[k], d, own[0]);
          const Matrix seen = product(tokens, head.readout, p), mean = product(own, head.readout, p);
          for (std::size_t o = 0; o < d_out; ++o) {
            for (std::size_t i = 0; i < n; ++i)
              weighted[o][i] = coefficients[k][i] * (seen[i][o] - mean[0][o] + static_cast<double>(p));
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
            std::copy_n(z[k], d, a + d + m);
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
          meter().work(result.cols * 4);
        }
      });
  return result;
}

}  // namespace attest::checker
