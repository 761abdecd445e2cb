// Which examples can be memorized together, and with which of them each other one conflicts.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Adds the parts and the step that prove it. When it is not found, the reason. Precondition: the capacity is
/// decided.
std::string add_circuits(const Case& c, const Claim& claim, ProofScript& script);

}  // namespace attest
