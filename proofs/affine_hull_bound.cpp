// rank(Z) <= min(T, Hd, H a + 1) for all weights, a the dimension of the affine hull of the tokens
// (docs/mathematics.md, Ranks from above): the common generalization of Propositions 2 and 5. Verified by
// the functionals that are constant on the tokens.
#include "proofs/affine_hull_bound.hpp"

#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/tightness.hpp"

namespace attest {

const char* rank_of_tokens(Span span) {
  return span == Span::linear ? "rank(tokens)" : "rank(affine-tokens)";
}

void add_affine_hull(AffineHull& hull, ProofScript& script) {
  if (hull.bound() >= upper_bound_of(script, "rank(Z(any))")) return;
  if (hull.best_rank() < upper_bound_of(script, rank_of_tokens(hull.best()))) {
    std::vector<SparseRational> vectors;
    for (const std::vector<mpz_class>& x : hull.kernel()) vectors.push_back(sparse(x));
    const Span span = hull.best();
    script.label(span == Span::linear
                     ? "functionals that vanish on all tokens"
                     : "functionals that are constant on all tokens: (v, -c) with E_t v = c 1");
    script.zero(rank_of_tokens(span), ProofScript::Side::right, vectors, hull.columns(span),
                prime_of_independence(vectors));
  }
  derive(script, hull.best() == Span::linear ? "linear-hull" : "affine-hull");
}

void add_bounds_for_all_weights(const Case& c, AffineHull& hull, ProofScript& script) {
  add_affine_hull(hull, script);
  derive(script, "any-weights");
  if (c.data.queries) derive(script, "equal-examples");
}

void prove_affine_hull_bound(const Case& c, const Claim&, const Effort&, ClaimProof& proof) {
  AffineHull hull(c);
  add_affine_hull(hull, proof.script);
  // The hull is no smaller: a + 1 affinely independent tokens, linearly independent ones when it does not
  // contain 0.
  for (const Span span : {Span::affine, Span::linear}) {
    const AffineHull::TokenRank rank = hull.rank(span);
    if (rank.minor.rank() == 0) continue;
    proof.script.label(span == Span::linear ? "as many linearly independent tokens"
                                            : "as many affinely independent tokens");
    proof.script.minor(rank_of_tokens(span), {rank.prime, 0, rank.minor.rows, rank.minor.cols});
  }
  show_tightness(c, hull, proof.script);
}

}  // namespace attest
