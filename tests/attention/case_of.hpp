// A case with contexts and nothing else.
#pragma once

#include <utility>

#include "problem/case.hpp"

namespace attest::test {

/// Heads of dimension 1; contexts T x n x d.
inline Case case_of(std::size_t T, std::size_t n, std::size_t d, std::size_t H,
                    ExactArray::Storage contexts) {
  Case c;
  c.layer.emplace();
  c.layer->examples = T;
  c.layer->context = n;
  c.layer->embed_dim = d;
  c.layer->heads = H;
  c.layer->head_dim = 1;
  c.data.contexts = ExactArray({T, n, d}, std::move(contexts));
  return c;
}

}  // namespace attest::test
