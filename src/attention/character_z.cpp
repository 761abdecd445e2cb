#include "attention/character_z.hpp"

#include "exact/modular.hpp"

namespace attest {
namespace {

using blas::balanced;
using blas::unbalanced;

std::optional<std::vector<double>> balanced_residues(const ExactArray& array, std::uint64_t p) {
  const auto r = residues(array, p);
  if (!r) return std::nullopt;
  std::vector<double> result(r->size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = balanced((*r)[i], p);
  return result;
}

// d x k balanced residues of the columns `vectors`.
std::optional<std::vector<double>> columns_mod(const std::vector<RationalVector>& vectors, std::size_t d,
                                               std::uint64_t q) {
  std::vector<double> result(d * vectors.size());
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const std::uint64_t den = mpz_fdiv_ui(vectors[k].den.get_mpz_t(), q);
    if (den == 0) return std::nullopt;
    const std::uint64_t inverse = inverse_mod(den, q);
    for (std::size_t j = 0; j < d; ++j)
      result[j * vectors.size() + k] =
          balanced(multiply_mod(mpz_fdiv_ui(vectors[k].num[j].get_mpz_t(), q), inverse, q), q);
  }
  return result;
}

}  // namespace

CharacterData::CharacterData(const Case& c, const Character& character)
    : case_(&c), character_(character), powers_(std::make_shared<PowerTable>(character)) {
  auto tokens_p = balanced_residues(*c.data.contexts, character.p);
  auto tokens_q = balanced_residues(*c.data.contexts, character.q);
  auto queries_q = balanced_residues(*c.data.queries, character.q);
  if (!tokens_p || !tokens_q || !queries_q) return;
  tokens_p_ = std::move(*tokens_p);
  tokens_q_ = std::move(*tokens_q);
  queries_q_ = std::move(*queries_q);
  valid_ = true;
}

// T x n balanced residues mod q.
std::optional<std::vector<double>> CharacterData::logits(const AttentionLayer& layer, std::size_t h) const {
  const Dimensions& dims = layer.dims();
  const std::size_t T = dims.examples, n = dims.context, d = dims.embed_dim;
  const std::uint64_t q = character_.q;

  // W_h = K Q^T with m columns; for combined weights K = W_h and Q = 1. The query bias is added to Q^T e.
  std::vector<double> key, query, bias;
  std::size_t m = 0;
  if (!layer.factors().empty()) {
    const HeadFactors& f = layer.factors()[h];
    m = f.key.size();
    if (m == 0) return std::vector<double>(T * n, 0.0);
    auto k = columns_mod(f.key, d, q), w = columns_mod(f.query, d, q);
    if (!k || !w) return std::nullopt;
    key = std::move(*k);
    query = std::move(*w);
  } else {
    const Weights& weights = *layer.weights();
    auto head = [&](const ExactArray& array, std::size_t size) -> std::optional<std::vector<double>> {
      std::vector<double> part(size);
      const std::size_t first = h * size;
      const auto slice = [&]<typename Float>(const std::vector<Float>& entries) {
        return ExactArray({size},
                          std::vector<Float>(entries.begin() + first, entries.begin() + first + size));
      };
      if (const auto* doubles = std::get_if<std::vector<double>>(&array.storage()))
        return balanced_residues(slice(*doubles), q);
      if (const auto* floats = std::get_if<std::vector<float>>(&array.storage()))
        return balanced_residues(slice(*floats), q);
      for (std::size_t i = 0; i < size; ++i) {
        const auto r = residue(array.at(first + i), q);
        if (!r) return std::nullopt;
        part[i] = balanced(*r, q);
      }
      return part;
    };
    m = weights.combined ? d : dims.head_dim;
    auto k = head(weights.combined ? *weights.combined : *weights.key, d * m);
    if (!k) return std::nullopt;
    key = std::move(*k);
    if (!weights.combined) {
      auto w = head(*weights.query, d * m);
      if (!w) return std::nullopt;
      query = std::move(*w);
      if (weights.query_bias) {
        auto b = head(*weights.query_bias, m);
        if (!b) return std::nullopt;
        bias = std::move(*b);
      }
    }
    if (layer.ring() == Ring::two && dims.logit_scale.rational != 1) {
      const auto scale = residue(dims.logit_scale.rational, q);
      if (!scale) return std::nullopt;
      for (double& x : key) x = balanced(multiply_mod(unbalanced(x, q), *scale, q), q);
    }
  }

  std::vector<double> projected;  // T x m: Q^T e + b
  const double* right = queries_q_.data();
  if (!query.empty()) {
    projected.resize(T * m);
    blas::multiply(q, T, m, d, queries_q_.data(), d, query.data(), m, false, projected.data(), m);
    if (!bias.empty())
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t k = 0; k < m; ++k)
          projected[t * m + k] =
              balanced((unbalanced(projected[t * m + k], q) + unbalanced(bias[k], q)) % q, q);
    right = projected.data();
  }

  std::vector<double> result(T * n);
  if (case_->data.shared_context) {
    std::vector<double> keys(n * m);
    blas::multiply(q, n, m, d, tokens_q_.data(), d, key.data(), m, false, keys.data(), m);
    blas::multiply(q, T, n, m, right, m, keys.data(), m, true, result.data(), n);
  } else {
    std::vector<double> direction(T * d);  // K (Q^T e + b)
    blas::multiply(q, T, d, m, right, m, key.data(), m, true, direction.data(), d);
    for (std::size_t t = 0; t < T; ++t)
      blas::multiply(q, n, 1, d, tokens_q_.data() + t * n * d, d, direction.data() + t * d, 1, false,
                     result.data() + t * n, 1);
  }
  return result;
}

bool CharacterData::block(const AttentionLayer& layer, std::size_t h, double* out, std::size_t ld,
                          std::vector<double>* coefficients) const {
  const Dimensions& dims = layer.dims();
  const std::size_t T = dims.examples, n = dims.context, d = dims.embed_dim;
  const std::uint64_t p = character_.p, q = character_.q;
  auto alpha = logits(layer, h);
  if (!alpha) return false;
  std::vector<std::uint64_t> row(n);
  for (std::size_t t = 0; t < T; ++t) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += row[i] = (*powers_)(unbalanced((*alpha)[t * n + i], q));
    sum %= p;
    if (sum == 0) return false;
    const std::uint64_t inverse = inverse_mod(sum, p);
    for (std::size_t i = 0; i < n; ++i) (*alpha)[t * n + i] = balanced(row[i] * inverse % p, p);
  }
  if (case_->data.shared_context) {
    blas::multiply(p, T, d, n, alpha->data(), n, tokens_p_.data(), d, false, out, ld);
  } else {
    for (std::size_t t = 0; t < T; ++t)
      blas::multiply(p, 1, d, n, alpha->data() + t * n, n, tokens_p_.data() + t * n * d, d, false,
                     out + t * ld, ld);
  }
  if (coefficients) *coefficients = std::move(*alpha);
  return true;
}

std::optional<std::vector<double>> character_z(const CharacterData& data, const AttentionLayer& layer) {
  const Dimensions& dims = layer.dims();
  const std::size_t width = dims.heads * dims.embed_dim;
  std::vector<double> z(dims.examples * width);
  if (!data.valid()) return std::nullopt;
  for (std::size_t h = 0; h < dims.heads; ++h)
    if (!data.block(layer, h, z.data() + h * dims.embed_dim, width)) return std::nullopt;
  return z;
}

}  // namespace attest
