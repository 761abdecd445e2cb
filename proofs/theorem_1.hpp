#pragma once

#include "proofs/proof.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

/// Theorem 1 by the schema `all_labels`, and a read-out for these labels (T x d_out) when there are any.
void memorize(const Case& c, const Effort& effort, const std::optional<RationalMatrix>& labels,
              const std::string& all_labels, ClaimProof& proof);

}  // namespace attest
