#pragma once

#include "exact/rational.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// Theorem 1 for these labels (T x d_out); without labels, for any.
ClaimProof memorize(const Case& c, const Claim& claim, const Effort& effort,
                    const std::optional<RationalMatrix>& labels);

}  // namespace attest
