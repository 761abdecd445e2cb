// Proposition 5 (general position does not help). If the entries of every token of every context sum to one
// constant c, then rank(Z) <= H (d - 1) + 1 for any weights.
//
// Proof, as an instance of the affine-hull bound: the functional v = (1, ..., 1) has E_t v = c 1 for all t,
// so a <= d - 1 (and the hull contains 0 when c = 0).
#include "proofs/affine_hull_bound.hpp"
#include "proofs/capacity.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

// Precondition: the sum is the same for all tokens.
void add_constant_sum(const Case& c, ProofScript& script) {
  const std::size_t d = c.layer->embed_dim;
  SparseRational functional;
  mpq_class sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    functional.emplace_back(j, 1);
    sum += c.data.contexts->at(j);
  }
  const Span span = sum == 0 ? Span::linear : Span::affine;
  if (sum != 0) functional.emplace_back(d, -sum);
  script.label("the entries of every token sum to " + sum.get_str());
  for (std::size_t k = 0;; ++k) {
    if (!residue(sum, small_prime(k))) continue;
    script.zero(rank_of_tokens(span), ProofScript::Side::right, std::vector<SparseRational>{functional},
                sum == 0 ? d : d + 1, small_prime(k));
    break;
  }
  derive(script, sum == 0 ? "linear-hull" : "affine-hull");
}

}  // namespace

void prove_proposition_5(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  if (proof.script.of("distinct(token-sums)").lower == 1) add_constant_sum(c, proof.script);
  AffineHull hull(c);
  add_bounds_for_all_weights(c, hull, proof.script);
  add_weights_for_capacity(c, proof.script, weights_found(effort));
}

}  // namespace attest
