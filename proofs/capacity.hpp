// Relations of the examples that hold for all weights.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Bounds `capacity`, or `independent_examples`, by rational vectors y with sum_t y_t z_t(W) = 0 for every W,
/// as far as they are found and shown, and if that is less than what is known.
void add_relations(const Case& c, const std::string& of, ProofScript& script);

}  // namespace attest
