#include "search/layer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/meter.hpp"
#include "search/arithmetic/equal_rows.hpp"

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

std::vector<std::size_t> first_equal_contexts(const Case& c, bool ordered) {
  const std::size_t T = c.layer->examples, d = c.layer->embed_dim;
  if (c.data.shared_context) return std::vector<std::size_t>(T);
  if (ordered && !c.data.members) return first_equal_rows(*c.data.contexts, c.layer->context * d);
  // Lists of tokens, equal tokens being one.
  const std::vector<std::size_t> token = first_equal_rows(*c.data.contexts, d);
  std::map<std::vector<std::size_t>, std::size_t> first;
  std::vector<std::size_t> result;
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::size_t> tokens;
    for (std::size_t i = 0; i < c.tokens(t); ++i) tokens.push_back(token[c.token_row(t, i)]);
    if (!ordered) std::sort(tokens.begin(), tokens.end());
    result.push_back(first.emplace(std::move(tokens), t).first->second);
  }
  return result;
}

std::size_t distinct_contexts(const Case& c) {
  if (c.data.shared_context) return 1;
  const std::vector<std::size_t> first = first_equal_contexts(c);
  std::size_t count = 0;
  for (std::size_t t = 0; t < first.size(); ++t) count += first[t] == t ? 1 : 0;
  return count;
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

std::vector<mpq_class> AttentionLayer::token(std::size_t t, std::size_t i) const {
  const std::size_t at = case_->token_row(t, i) * dims().embed_dim;
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

const std::vector<RationalVector>& AttentionLayer::context(std::size_t t) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < tokens(t); ++i) rows.push_back(case_->token_row(t, i));
  if (rows == last_rows_) return last_context_;
  const std::size_t d = dims().embed_dim;
  last_rows_.clear();
  last_context_.clear();
  for (const std::size_t row : rows) last_context_.push_back(rational_vector(*data().contexts, row * d, d));
  last_rows_ = std::move(rows);
  return last_context_;
}

const AttentionLayer::Terms& AttentionLayer::terms(std::size_t h) const {
  terms_.resize(heads());
  if (terms_[h]) return *terms_[h];
  Terms& result = terms_[h].emplace();
  const std::size_t d = dims().embed_dim, m = dims().head_dim;
  if (!factors_.empty()) {
    result.key = factors_[h].key;
    result.query = factors_[h].query;
  } else if (weights_->combined) {
    for (std::size_t k = 0; k < d; ++k)
      result.key.push_back(rational_vector(*weights_->combined, h * d * d + k, d, d));
  } else {
    for (std::size_t k = 0; k < m; ++k) {
      result.key.push_back(rational_vector(*weights_->key, h * d * m + k, d, m));
      result.query.push_back(rational_vector(*weights_->query, h * d * m + k, d, m));
      if (weights_->query_bias) result.bias.push_back(weights_->query_bias->at(h * m + k));
    }
  }
  return result;
}

std::optional<mpq_class> AttentionLayer::sink(std::size_t h) const {
  if (!dims().sink) return std::nullopt;
  if (!factors_.empty()) return factors_[h].sink;
  const mpq_class logit = weights_->sink->at(h);  // 0 beside an irrational scale
  return ring_ == Ring::two ? logit : mpq_class(logit / dims().logit_scale.rational);
}

std::vector<mpq_class> AttentionLayer::logits(std::size_t t, std::size_t h) const {
  std::vector<mpq_class> result = logits_of_tokens(t, h);
  if (const auto of_sink = sink(h)) result.push_back(*of_sink);
  return result;
}

// Integers over common denominators: a greatest common divisor for each sum would cost more than the sums.
std::vector<mpq_class> AttentionLayer::logits_of_tokens(std::size_t t, std::size_t h) const {
  const std::size_t n = tokens(t), d = dims().embed_dim;
  std::vector<mpq_class> result;
  if (projected()) {
    const ExactArray &keys = *weights_->projected_keys, &queries = *weights_->projected_queries;
    const std::size_t groups = keys.shape()[1], m = keys.shape()[2], group = h * groups / heads();
    meter().work(16 * m * n);
    const RationalVector query = rational_vector(queries, (t * heads() + h) * m, m);
    for (std::size_t i = 0; i < n; ++i)
      result.push_back(factor_ *
                       dot(query, rational_vector(keys, (case_->key_row(t, i) * groups + group) * m, m)));
    return result;
  }
  const Terms& head = terms(h);
  if (head.key.empty()) return std::vector<mpq_class>(n);
  meter().work(16 * d * (2 * head.key.size() + n));
  const RationalVector e = rational_vector(*data().queries, t * d, d);
  std::vector<mpq_class> coefficients;
  for (std::size_t k = 0; k < head.key.size(); ++k) {
    coefficients.push_back(head.query.empty() ? data().queries->at(t * d + k) : dot(head.query[k], e));
    if (!head.bias.empty()) coefficients.back() += head.bias[k];
    coefficients.back() *= factor_;
  }
  const RationalVector direction = combination(coefficients, head.key);  // W_h e, and the query bias
  for (const RationalVector& token : context(t)) result.push_back(dot(token, direction));
  return result;
}

}  // namespace attest
