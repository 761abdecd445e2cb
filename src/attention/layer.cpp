#include "attention/layer.hpp"

#include <algorithm>
#include <utility>

#include "exact/equal_rows.hpp"
#include "input/meter.hpp"

namespace attest {
namespace {

Ring ring_of(const Dimensions& dims, bool scaled) {
  if (dims.base == Base::e) return Ring::exponential;
  return scaled && dims.logit_scale.irrational() ? Ring::irrational_power : Ring::two;
}

}  // namespace

std::size_t head_rank(const Dimensions& dims) {
  return std::min(dims.context, dims.head_dim);
}

std::size_t paper_lower_bound(const Dimensions& dims) {
  return std::min(dims.examples, dims.heads * (head_rank(dims) - 1) + 1);
}

std::size_t distinct_contexts(const Case& c) {
  if (c.data.shared_context) return 1;
  return count_distinct_rows(*c.data.contexts, c.layer->context * c.layer->embed_dim);
}

std::size_t context_offset(const Case& c, std::size_t t) {
  return c.data.shared_context ? 0 : t * c.layer->context * c.layer->embed_dim;
}

RationalMatrix context_matrix(const Case& c, std::size_t t) {
  const Dimensions& dims = *c.layer;
  return rational_rows(*c.data.contexts, dims.embed_dim, c.data.shared_context ? 0 : t * dims.context,
                       dims.context);
}

RationalMatrix query_rows(const Case& c, const std::vector<std::size_t>& examples) {
  const std::size_t d = c.layer->embed_dim;
  RationalMatrix m(examples.size(), d);
  for (std::size_t k = 0; k < examples.size(); ++k)
    for (std::size_t j = 0; j < d; ++j) m(k, j) = c.data.queries->at(examples[k] * d + j);
  return m;
}

AttentionLayer::AttentionLayer(const Case& c, Weights weights)
    : case_(&c), ring_(ring_of(*c.layer, true)), weights_(std::move(weights)) {
  if (ring_ == Ring::two) factor_ = dims().logit_scale.rational;
}

AttentionLayer::AttentionLayer(const Case& c, std::vector<HeadFactors> heads)
    : case_(&c), ring_(ring_of(*c.layer, false)), factors_(std::move(heads)) {}

std::size_t AttentionLayer::token_offset(std::size_t t, std::size_t i) const {
  return context_offset(*case_, t) + i * dims().embed_dim;
}

std::vector<mpq_class> AttentionLayer::token(std::size_t t, std::size_t i) const {
  const std::size_t at = token_offset(t, i);
  std::vector<mpq_class> v;
  for (std::size_t j = 0; j < dims().embed_dim; ++j) v.push_back(data().contexts->at(at + j));
  return v;
}

std::vector<mpq_class> AttentionLayer::query(std::size_t t) const {
  const std::size_t d = dims().embed_dim;
  std::vector<mpq_class> v;
  for (std::size_t j = 0; j < d; ++j) v.push_back(data().queries->at(t * d + j));
  return v;
}

std::vector<mpq_class> AttentionLayer::logits(std::size_t t, std::size_t h) const {
  const std::size_t n = dims().context, d = dims().embed_dim, m = dims().head_dim;
  const std::size_t terms = factors_.empty() ? (weights_->combined ? d : m) : factors_[h].key.size();
  meter().work(16 * d * (2 * terms + n));
  const std::vector<mpq_class> e = query(t);
  std::vector<mpq_class> direction(d);  // W_h e, plus the part of the query bias
  if (!factors_.empty()) {
    // Integers over common denominators: the entries are long, and a gcd for each sum would cost more than
    // the sums.
    const RationalVector q = rational_vector(e);
    std::vector<mpq_class> coefficients;
    for (const RationalVector& w : factors_[h].query) {
      mpz_class sum = 0;
      for (std::size_t j = 0; j < d; ++j)
        if (w.num[j] != 0 && q.num[j] != 0) sum += w.num[j] * q.num[j];
      coefficients.emplace_back(sum, w.den * q.den);
      coefficients.back().canonicalize();
    }
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      if (coefficients[k] == 0) continue;
      const RationalVector& w = factors_[h].key[k];
      for (std::size_t j = 0; j < d; ++j)
        if (w.num[j] != 0) {
          mpq_class term(w.num[j], w.den);
          term.canonicalize();
          direction[j] += coefficients[k] * term;
        }
    }
  } else if (weights_->combined) {
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < d; ++k)
        if (e[k] != 0) direction[j] += weights_->combined->at((h * d + j) * d + k) * e[k];
  } else {
    for (std::size_t k = 0; k < m; ++k) {
      mpq_class coefficient = weights_->query_bias ? weights_->query_bias->at(h * m + k) : mpq_class(0);
      for (std::size_t j = 0; j < d; ++j)
        if (e[j] != 0) coefficient += weights_->query->at((h * d + j) * m + k) * e[j];
      if (coefficient == 0) continue;
      for (std::size_t j = 0; j < d; ++j)
        direction[j] += weights_->key->at((h * d + j) * m + k) * coefficient;
    }
  }
  std::vector<mpq_class> result;
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<mpq_class> x = token(t, i);
    result.push_back(factor_ * dot(x.data(), direction.data(), d));
  }
  return result;
}

}  // namespace attest
