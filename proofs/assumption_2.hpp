// Assumption 2: every context has rank n.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Whether Assumption 2 holds; the step that shows it is added: the rows of every context are independent, or
/// a dependency of one. Throws LimitError when all primes that are tried divide a denominator or mislead.
bool add_assumption_2(const Case& c, ProofScript& script);

}  // namespace attest
