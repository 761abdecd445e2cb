#include "search/layer.hpp"

#include <algorithm>
#include <utility>

#include "base/meter.hpp"

namespace attest {
namespace {

Ring ring_of(const Dimensions& dims, bool absorbed) {
  return kernel::Ring::of(dims, absorbed).two ? Ring::two : Ring::independent;
}

std::vector<kernel::Head> exact_heads(const std::vector<HeadFactors>& factors) {
  std::vector<kernel::Head> heads;
  for (const HeadFactors& each : factors) heads.push_back({each.key, each.query, {}, {}});
  return heads;
}

}  // namespace

std::size_t head_rank(const Dimensions& dims) {
  return std::min(dims.context, dims.head_dim);
}

std::size_t paper_lower_bound(const Dimensions& dims) {
  return std::min(dims.examples, dims.heads * (head_rank(dims) - 1) + 1);
}

std::size_t powers_in(const Case& c, const std::vector<std::size_t>& examples) {
  std::size_t count = 0;
  for (const std::size_t t : examples) count += c.layer->heads * c.tokens(t) * (1 + c.stack.size());
  return count;
}

void announce_enclosures(const Case& c, const std::vector<std::size_t>& examples, std::size_t bits) {
  const std::size_t words = bits / 64 + 2;
  meter().work(powers_in(c, examples) * (100 * (40 + words * words) + c.layer->embed_dim * (4 + 2 * words)));
}

RationalMatrix context_matrix(const Case& c, std::size_t t) {
  const Dimensions& dims = *c.layer;
  return rational_rows(*c.data.contexts, dims.embed_dim, c.token_row(t, 0), dims.context);
}

RationalMatrix query_rows(const Case& c, const std::vector<std::size_t>& examples) {
  const std::size_t d = c.layer->embed_dim;
  RationalMatrix m(examples.size(), d);
  for (std::size_t k = 0; k < examples.size(); ++k)
    for (std::size_t j = 0; j < d; ++j) m(k, j) = c.data.queries->at(examples[k] * d + j);
  return m;
}

AttentionLayer::AttentionLayer(const Case& c, Weights weights)
    : case_(&c),
      ring_(ring_of(*c.layer, false)),
      weights_(std::move(weights)),
      exact_(c),
      layer_(kernel::layer_of(exact_, *weights_)),
      logits_(exact_, layer_) {}

AttentionLayer::AttentionLayer(const Case& c, std::vector<HeadFactors> heads)
    : case_(&c),
      ring_(ring_of(*c.layer, true)),
      factors_(std::move(heads)),
      exact_(c),
      layer_{kernel::Ring::of(*c.layer, true), exact_heads(factors_)},
      logits_(exact_, layer_) {}

std::vector<mpq_class> AttentionLayer::token(std::size_t t, std::size_t i) const {
  const std::size_t at = case_->token_row(t, i) * dims().embed_dim;
  std::vector<mpq_class> v;
  for (std::size_t j = 0; j < dims().embed_dim; ++j) v.push_back(data().contexts->at(at + j));
  return v;
}

std::optional<mpq_class> AttentionLayer::sink(std::size_t h) const {
  if (!dims().sink) return std::nullopt;
  if (!factors_.empty()) return factors_[h].sink;
  const mpq_class logit = weights_->sink->at(h);  // 0 beside an irrational scale
  return ring_ == Ring::two ? logit : mpq_class(logit / dims().logit_scale.rational);
}

std::vector<mpq_class> AttentionLayer::logits(std::size_t t, std::size_t h) const {
  meter().work(tokens(t) * (20 + 4 * dims().embed_dim));
  std::vector<mpq_class> result = entries(logits_.of_tokens(h, t));
  if (const auto of_sink = sink(h)) result.push_back(*of_sink);
  return result;
}

}  // namespace attest
