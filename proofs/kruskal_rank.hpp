// Kruskal rank of the queries, and the statements that are thresholds of it: general position and Assumption 1.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// The Kruskal rank of the queries as far as `target` and `subsets` go, with its steps.
struct KruskalProof {
  KruskalRank rank;
  Json steps = Json::array();
  Interval interval() const { return {rank.lower, rank.upper}; }
};
KruskalProof kruskal_rank_of_queries(const Case& c, std::size_t target, double subsets);

ClaimProof prove_kruskal_rank(const Case& c, const Claim& claim, const Effort& effort);

/// Definition 2: the Kruskal rank of the queries is min(d, T), the largest possible.
ClaimProof prove_general_position(const Case& c, const Claim& claim, const Effort& effort);

/// Assumption 1: every subset of min(n, T) queries is linearly independent (for T >= n: Kruskal rank at least n).
ClaimProof prove_assumption_1(const Case& c, const Claim& claim, const Effort& effort);

}  // namespace attest
