// The prover's knowledge of computed quantities (docs/certificate.md, Quantities): the kernel's.
#pragma once

#include "problem/case.hpp"
#include "theory/facts.hpp"

namespace attest {

/// Sizes, arguments and what the entries of the data say, computed when it is asked for, once. `heads(given)`
/// and `moving(given)` are known for the given weights only. Refers to case and claim.
Knowledge quantities(const Case& c, const Claim& claim);

}  // namespace attest
