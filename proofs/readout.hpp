// The read-out of Theorem 1: Z U = Y for a layer of full row rank.
#pragma once

#include "proofs/proposition_1.hpp"

namespace attest {

/// Adds U, supported on the T columns of the construction's minor, for these labels (T x d_out), enclosed.
/// Nothing when no precision that is tried suffices. `layer` is the construction's number. Precondition: its
/// rank is T.
void add_readout(const Case& c, const Construction& construction, ProofScript::Number layer,
                 const RationalMatrix& labels, ProofScript& script);

}  // namespace attest
