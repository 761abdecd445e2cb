// rank(Z) <= min(T, Hd, H a + 1) for all weights, a the dimension of the affine hull of the tokens
// (docs/mathematics.md, Ranks from above): the common generalization of Propositions 2 and 5. Verified by
// the functionals that are constant on the tokens.
#include "proofs/affine_hull_bound.hpp"

#include <algorithm>

#include "proofs/capacity.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "search/layer.hpp"

namespace attest {

const char* rank_of_tokens(Span span) {
  return span == Span::linear ? "rank(tokens)" : "rank(affine-tokens)";
}

namespace {

const char* const kAny = "rank(Z(any))";

// Independent functionals that vanish on all tokens, as many as there are.
std::vector<SparseRational> vanishing(AffineHull& hull) {
  std::vector<std::vector<mpz_class>> kernel = hull.kernel();
  if (hull.best() == Span::affine) {  // (v, -c) with v . x = c for all tokens x: combinations with c = 0
    const auto found =
        std::find_if(kernel.begin(), kernel.end(), [](const auto& x) { return x.back() != 0; });
    if (found != kernel.end()) {
      const std::vector<mpz_class> pivot = *found;
      kernel.erase(found);
      for (std::vector<mpz_class>& x : kernel) {
        const mpz_class factor = x.back();
        for (std::size_t j = 0; j < x.size(); ++j) x[j] = x[j] * pivot.back() - factor * pivot[j];
      }
    }
    for (std::vector<mpz_class>& x : kernel) x.pop_back();
  }
  return sparse(kernel);
}

}  // namespace

void add_rank_of_tokens(AffineHull& hull, ProofScript& script) {
  const std::size_t d = hull.problem().layer->embed_dim, tokens = std::min(hull.best_rank(), d);
  if (tokens >= upper_bound_of(script, "rank(tokens)")) return;
  const std::vector<SparseRational> functionals = vanishing(hull);
  script.label("functionals that vanish on all tokens");
  script.zero("rank(tokens)", ProofScript::Side::right, functionals, d, prime_of_independence(functionals));
}

namespace {

// By the affine hulls of the single contexts, when that is less.
void add_context_hulls(AffineHull& hull, ProofScript& script) {
  const Case& c = hull.problem();
  const std::size_t H = c.layer->heads, d = c.layer->embed_dim, known = upper_bound_of(script, kAny);
  if (!c.layer->convex() || H == 1 || script.of(kAny).decided() || c.data.shared_context) return;
  const std::size_t tokens = std::min(hull.best_rank(), d);  // of the linear span
  if (known <= tokens) return;
  // (H - 1) v + tokens is less than what is known for every v below this.
  const std::size_t enough = (known - tokens + H - 2) / (H - 1);
  const std::vector<SparseRational> vectors = sparse(kernel_of_differences(c, enough));
  if (vectors.empty()) return;
  add_rank_of_tokens(hull, script);
  script.label("functionals that are constant on the tokens of each context");
  script.zero("rank(differences)", ProofScript::Side::right, vectors, d, prime_of_independence(vectors));
  derive(script, "context-hulls");
}

// By the hull of all tokens.
void add_hull_of_all(AffineHull& hull, ProofScript& script) {
  const std::size_t known = upper_bound_of(script, kAny);
  if (hull.bound(known) >= known) return;
  if (hull.best_rank() < upper_bound_of(script, rank_of_tokens(hull.best()))) {
    const std::vector<SparseRational> vectors = sparse(hull.kernel());
    const Span span = hull.best();
    script.label(span == Span::linear
                     ? "functionals that vanish on all tokens"
                     : "functionals that are constant on all tokens: (v, -c) with E_t v = c 1");
    script.zero(rank_of_tokens(span), ProofScript::Side::right, vectors, hull.columns(span),
                prime_of_independence(vectors));
  }
  derive(script, hull.best() == Span::linear ? "linear-hull" : "affine-hull");
}

}  // namespace

void add_affine_hull(AffineHull& hull, ProofScript& script) {
  add_hull_of_all(hull, script);
  add_context_hulls(hull, script);
}

void add_bounds_for_all_weights(const Case& c, AffineHull& hull, ProofScript& script) {
  add_affine_hull(hull, script);
  derive(script, "any-weights");
  if (c.data.queries) derive(script, "equal-examples");
}

void prove_affine_hull_bound(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  AffineHull hull(c);
  FoundWeights* const found = weights_found(effort);
  // Where another claim's weights reach all examples, nothing bounds them.
  const bool all = found != nullptr && std::ranges::any_of(found->of_layers, [&](const auto& of) {
                     return of.second.minor.rows.size() == c.layer->examples;
                   });
  if (all) add_weights_for_capacity(c, proof.script, found);
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
  if (!all) add_weights_for_capacity(c, proof.script, found);
}

}  // namespace attest
