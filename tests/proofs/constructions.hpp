// What has to be true of an executed induction, checked from the data alone.
#pragma once

#include <set>

#include "problem/numbers.hpp"
#include "proofs/capacity.hpp"
#include "proofs/proposition_1.hpp"
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

inline void check_construction(const Case& c, const Construction& construction, std::size_t target) {
  const Dimensions& dims = *c.layer;
  const std::size_t d = dims.embed_dim, r = head_rank(dims);
  REQUIRE(construction.heads.size() == dims.heads);
  const std::vector<RationalMatrix> w = dense(factors_of(construction.heads), d);
  const Logits logits = textbook_logits(c, w);
  std::set<std::size_t> fresh_before, rows_before, cols_before;
  std::vector<std::size_t> rows, cols;
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
  }
  CHECK(rows.size() >= target);
  CHECK(construction.minor().rows == rows);
  CHECK(construction.minor().cols == cols);
}

}  // namespace attest::test
