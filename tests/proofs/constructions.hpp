// What has to be true of an executed induction, checked from the data alone.
#pragma once

#include <set>

#include "problem/numbers.hpp"
#include "proofs/capacity.hpp"
#include "proofs/proposition_1.hpp"
#include "search/arithmetic/modular.hpp"
#include "tests/proofs/cases.hpp"

namespace attest::test {

inline RationalMatrix dense(const HeadFactors& f, std::size_t d) {
  RationalMatrix w(d, d);
  for (std::size_t k = 0; k < f.key.size(); ++k) {
    const Numbers a = entries(f.key[k]), b = entries(f.query[k]);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) w(i, j) += a[i] * b[j];
  }
  return w;
}

inline std::vector<RationalMatrix> dense(const std::vector<HeadFactors>& heads, std::size_t d) {
  std::vector<RationalMatrix> w;
  for (const HeadFactors& f : heads) w.push_back(dense(f, d));
  return w;
}

/// The weights that a `let` with heads states, as dense matrices.
inline std::vector<RationalMatrix> weights_of(const Json& let, std::size_t d) {
  std::vector<RationalMatrix> w;
  for (const Json& head : let["layer"]["heads"]) {
    RationalMatrix matrix(d, d);
    for (std::size_t k = 0; k < head["key"].size(); ++k) {
      const Numbers a = vector_of(head["key"][k]), b = vector_of(head["query"][k]);
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) matrix(i, j) += a[i] * b[j];
    }
    if (head.contains("separator")) {
      const Numbers u = vector_of(head["separator"]["u"]), v = vector_of(head["separator"]["v"]);
      const mpq_class lambda = parse_number(head["separator"]["lambda"].get<std::string>());
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) matrix(i, j) += lambda * u[i] * v[j];
    }
    w.push_back(std::move(matrix));
  }
  return w;
}

/// Solves Z U = Y on the columns of a read-out with four times the precision; the solution has to lie in the
/// balls of the certificate.
inline void check_enclosure(const Case& c, const Json& let, const Json& readout,
                            const RationalMatrix& exact_labels) {
  const std::size_t T = c.layer->examples, out = c.layer->output_dim;
  const slong precision = 4 * readout["precision"].get<slong>();
  const BallMatrix z = textbook_z(c, textbook_logits(c, weights_of(let, c.layer->embed_dim)), precision);
  BallMatrix minor(T, T), labels(T, out);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t k = 0; k < T; ++k) minor(t, k) = z(t, readout["cols"][k].get<std::size_t>());
    for (std::size_t o = 0; o < out; ++o) labels(t, o) = Ball(exact_labels(t, o), precision);
  }
  const auto u = solve(minor, labels, precision);
  REQUIRE(u.has_value());
  for (std::size_t k = 0; k < T; ++k)
    for (std::size_t o = 0; o < out; ++o) {
      const Json& ball = readout["weights"][k][o];
      const mpq_class mid = parse_number(ball["mid"].get<std::string>()),
                      rad = parse_number(ball["rad"].get<std::string>());
      Ball difference;
      arb_sub(difference.get(), (*u)(k, o).get(), Ball(mid, precision).get(), precision);
      arb_abs(difference.get(), difference.get());
      CHECK(arb_le(difference.get(), Ball(rad, precision).get()) != 0);
    }
  // The balls are small: 90 bits of the largest weight of the output, or of 1.
  for (std::size_t o = 0; o < out; ++o) {
    mpq_class largest = 1, radius = 0;
    for (std::size_t k = 0; k < T; ++k) {
      const Json& ball = readout["weights"][k][o];
      largest = std::max(largest, mpq_class(abs(parse_number(ball["mid"].get<std::string>()))));
      radius = std::max(radius, parse_number(ball["rad"].get<std::string>()));
    }
    CHECK(radius * (mpz_class(1) << 90) <= largest);
  }
}

inline std::size_t rank_of_minor(const Matrix<std::uint64_t>& z, const std::vector<std::size_t>& rows,
                                 const std::vector<std::size_t>& cols, std::uint64_t p) {
  Matrix<std::uint64_t> m(rows.size(), cols.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < cols.size(); ++j) m(i, j) = z(rows[i], cols[j]);
  return textbook_rank_mod(m, p);
}

inline void check_construction(const Case& c, const Construction& construction, std::size_t target) {
  const Dimensions& dims = *c.layer;
  const std::size_t d = dims.embed_dim, r = head_rank(dims);
  REQUIRE(construction.heads.size() == dims.heads);
  const std::vector<RationalMatrix> w = dense(factors_of(construction.heads), d);
  const Logits logits = textbook_logits(c, w);
  const Ring ring = dims.base == Base::e ? Ring::independent : Ring::two;

  std::set<std::size_t> fresh_before, rows_before, cols_before;
  std::vector<std::size_t> rows, cols;
  const Matrix<std::uint64_t> own = textbook_z(c, logits, construction.character);
  std::vector<Matrix<std::uint64_t>> foreign;
  for (std::size_t k = 0; k < 2; ++k) foreign.push_back(textbook_z(c, logits, foreign_character(ring, k)));
  for (std::size_t h = 0; h < dims.heads; ++h) {
    const ConstructedHead& head = construction.heads[h];
    CAPTURE(h);
    CHECK(head.fresh.size() <= (h == 0 ? r : r - 1));
    CHECK(head_factors(head).key.size() <= dims.head_dim);
    CHECK(textbook_rank(w[h]) <= dims.head_dim);
    CHECK(textbook_rank(w[h]) <= r);
    REQUIRE(head.logits.size() == head.fresh.size());
    for (std::size_t k = 0; k < head.fresh.size(); ++k) {
      const std::size_t t = head.fresh[k];
      REQUIRE(t < dims.examples);
      CHECK(fresh_before.insert(t).second);
      CHECK(rows_before.count(t) == 0);
      CHECK(std::find(head.rows.begin(), head.rows.end(), t) != head.rows.end());
      CHECK(logits[t][h] == head.logits[k]);
    }
    CHECK(head.rank_before == rows.size());
    REQUIRE(head.rows.size() == head.cols.size());
    for (std::size_t t : head.rows) CHECK(rows_before.insert(t).second);
    for (std::size_t col : head.cols) {
      CHECK(cols_before.insert(col).second);
      CHECK(col / d == h);
    }
    rows.insert(rows.end(), head.rows.begin(), head.rows.end());
    cols.insert(cols.end(), head.cols.begin(), head.cols.end());
    CHECK(head.rank_after == rows.size());
    // The rank after each head: under the character that the construction names, and (it is a fact about Z)
    // under others.
    CHECK(rank_of_minor(own, rows, cols, construction.character.p) == rows.size());
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(rank_of_minor(foreign[k], rows, cols, foreign_character(ring, k).p) == rows.size());
  }
  CHECK(rows.size() >= target);
  CHECK(construction.minor().rows == rows);
  CHECK(construction.minor().cols == cols);
  std::size_t wrong = 0;
  REQUIRE(construction.z.size() == dims.examples * dims.heads * d);
  for (std::size_t k = 0; k < construction.z.size(); ++k)
    if (blas::unbalanced(construction.z[k], construction.character.p) != own.data()[k]) ++wrong;
  CHECK(wrong == 0);
}

}  // namespace attest::test
