#include "problem/case.hpp"

namespace attest {

std::size_t Case::tokens(std::size_t t) const {
  return data.members ? data.members->list(t).size() : layer->context;
}

std::size_t Case::token_row(std::size_t t, std::size_t i) const {
  if (data.members) return data.members->list(t)[i];
  return (data.shared_context ? 0 : t * layer->context) + i;
}

std::vector<std::size_t> Case::token_rows(std::size_t t) const {
  std::vector<std::size_t> rows(tokens(t));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = token_row(t, i);
  return rows;
}

std::size_t Case::key_row(std::size_t t, std::size_t i) const {
  const std::size_t tokens = data.contexts->size() / layer->embed_dim;
  if (weights->projected_keys->shape()[0] == tokens) return token_row(t, i);
  return (data.members ? data.members->starts[t] : t * layer->context) + i;
}

}  // namespace attest
