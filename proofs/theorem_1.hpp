#pragma once

#include "exact/rational.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// Theorem 1 for these labels (T x d_out); without labels, for any.
void memorize(const Case& c, const Effort& effort, const std::optional<RationalMatrix>& labels,
              ClaimProof& proof);

}  // namespace attest
