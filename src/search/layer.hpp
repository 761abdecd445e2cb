// The multi-head attention layer of the paper (Eqs. 1 to 7) on the data of a case, with exact weights.
#pragma once

#include <optional>
#include <vector>

#include "kernel/layers/layer.hpp"
#include "problem/case.hpp"
#include "search/arithmetic/character.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

/// W_h = sum_k key_k query_k^T: a d x d matrix of rank at most the number of pairs.
struct HeadFactors {
  std::vector<RationalVector> key, query;
  mpq_class sink = 0;  ///< the logit of the sink, if the layer has sinks
};

/// r = min(n, d_h).
std::size_t head_rank(const Dimensions& dims);
/// The paper's lower bound (Proposition 1): min(T, H (r - 1) + 1).
std::size_t paper_lower_bound(const Dimensions& dims);

/// The powers of b in the coefficients of these examples, and in those of all layers before.
std::size_t powers_in(const Case& c, const std::vector<std::size_t>& examples);
/// Announces to the meter what the kernel takes to enclose the rows of Z of these examples with so many bits:
/// the kernel itself counts nothing.
void announce_enclosures(const Case& c, const std::vector<std::size_t>& examples, std::size_t bits);

/// A layer: the data of a case and the weights of H heads. Refers to the case, which must outlive it. Not for
/// several threads at once: it keeps what it has converted.
/// Preconditions: the case has [layer] and contexts; queries unless the weights are projected.
class AttentionLayer {
public:
  /// With the weights that the case gives, or others of the same shapes (with the case's logit scale).
  AttentionLayer(const Case& c, Weights weights);
  /// With weights of our own making; the logit scale is absorbed in them.
  AttentionLayer(const Case& c, std::vector<HeadFactors> heads);
  AttentionLayer(const AttentionLayer&) = delete;
  AttentionLayer& operator=(const AttentionLayer&) = delete;

  const Case& problem() const { return *case_; }
  const Dimensions& dims() const { return *case_->layer; }
  const Data& data() const { return case_->data; }
  Base base() const { return dims().base; }
  Ring ring() const { return ring_; }
  std::size_t heads() const { return factors_.empty() ? dims().heads : factors_.size(); }
  const std::optional<Weights>& weights() const { return weights_; }
  const std::vector<HeadFactors>& factors() const { return factors_; }

  /// The number of tokens of example t.
  std::size_t tokens(std::size_t t) const { return case_->tokens(t); }
  /// The d entries of token i of example t.
  std::vector<mpq_class> token(std::size_t t, std::size_t i) const;

  /// Whether the case gives projected queries and keys, so that there are no queries and no weight matrices.
  bool projected() const { return weights_ && weights_->projected_keys; }

  /// The logits (one for each token) of head h at example t, exactly, up to a common additive constant (key
  /// biases only add one); multiplied by the logit scale for Ring::two only, because elsewhere the scale does
  /// not matter to the rank.
  /// With a sink its logit comes after those of the tokens.
  std::vector<mpq_class> logits(std::size_t t, std::size_t h) const;
  /// The logit of head h's sink, in their unit; empty when the layer has no sinks.
  std::optional<mpq_class> sink(std::size_t h) const;

  /// What the kernel has of them.
  const kernel::Problem& exact() const { return exact_; }
  kernel::Logits& exact_logits() const { return logits_; }

private:
  const Case* case_;
  Ring ring_;
  std::optional<Weights> weights_;
  std::vector<HeadFactors> factors_;
  kernel::Problem exact_;
  kernel::Layer layer_;
  mutable kernel::Logits logits_;
};

/// E_t as an n x d matrix. Precondition: no `members`.
RationalMatrix context_matrix(const Case& c, std::size_t t);
/// The queries e_t, t in the list, as rows.
RationalMatrix query_rows(const Case& c, const std::vector<std::size_t>& examples);

}  // namespace attest
