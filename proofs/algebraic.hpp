// Upper bounds for a layer behind networks with relu and one rmsnorm: identities between sums of powers whose
// coefficients and exponents are sums of square roots.
#pragma once

#include <optional>

#include "proofs/proof.hpp"
#include "search/algebraic.hpp"

namespace attest {

/// The layer, if it is of this kind, and small; its limits are those of AlgebraicLayer.
std::optional<AlgebraicLayer> algebraic_layer(const Case& c);

/// rank(Z) is at least this, unless residues modulo a large prime coincide by accident (which a proof never
/// rests on); and no more, if the identities are found.
std::size_t believed_rank(AlgebraicLayer& layer);
/// Steps `algebraic` that bound rank(Z) from above.
void add_algebraic_rank(const Case& c, AlgebraicLayer& layer, ProofScript& script);
/// The same of distinct(Z): returns how many rows are believed to be different.
std::size_t add_algebraic_pairs(AlgebraicLayer& layer, ProofScript& script);

}  // namespace attest
