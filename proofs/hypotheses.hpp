// Assumptions 1 and 2 as hypotheses of a theorem: decided where feasible, with their witnesses.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Adds the steps that decide both; of Assumption 1 none when the budget for it is not enough.
void decide_hypotheses(const Case& c, const Effort& effort, ProofScript& script);

}  // namespace attest
