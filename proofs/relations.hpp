// Relations between the rows of Z that hold for all weights (docs/mathematics.md, Quantities about Z).
#pragma once

#include "proofs/proof.hpp"

namespace attest {

/// Whether relations are looked for in a case of this size.
bool small_enough_for_relations(const Case& c);

/// Bounds `of`, the capacity or largest_rank, by relations with rational coefficients, which hold for any
/// number of heads, as far as they are found and shown.
void add_rational_relations(const Case& c, const std::string& of, ProofScript& script);

/// Bounds the capacity by relations whose coefficients are functions of the weights, sums of c b^<W, X>, as
/// far as these have few terms.
void add_generic_relations(const Case& c, ProofScript& script);

}  // namespace attest
