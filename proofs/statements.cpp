// The table of statements: what `attest statements` prints and `attest verify` runs.
#include <stdexcept>

#include "proofs/affine_hull_bound.hpp"
#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/propositions.hpp"
#include "proofs/rank.hpp"

namespace attest {

const std::vector<Statement>& statements() {
  static const std::vector<Statement> table = {
      {"rank", "rank(Z) for the given weights is (at least, at most) a number, or is decided", "none",
       "characters mod primes 2q + 1 from below; affine hull, equal and constant heads, kernel vectors in the group ring from above",
       prove_rank},
      {"kruskal-rank", "the Kruskal rank of the queries is (at least, at most) a number, or is decided", "none",
       "all subsets mod a prime, reusing eliminations; a dependent subset with its integer relation", prove_kruskal_rank},
      {"general-position", "the Kruskal rank of the queries is min(d, T), the largest possible", "none", "as kruskal-rank",
       prove_general_position},
      {"assumption-1", "every min(n, T) queries are linearly independent", "none", "as kruskal-rank", prove_assumption_1},
      {"assumption-2", "every context has rank n", "none", "ranks mod a prime, or an integer relation of tokens", prove_assumption_2},
      {"affine-hull-bound", "rank(Z) <= min(T, Hd, H a + 1) for all weights, a the dimension of the affine hull of the tokens", "none",
       "functionals that are constant on all tokens, hence explicit kernel vectors of Z", prove_affine_hull_bound},
      {"claim-1", "coefficients prescribed on at most r examples are exactly those of weights of rank at most r",
       "the subset has at most r members, independent queries, contexts of rank n", "right and left inverses over Q", prove_claim_1},
      {"claim-2", "the same on at most r - 1 examples, all others within epsilon of one-hot vectors that do not depend on them",
       "the subset has at most r - 1 members; Assumptions 1 and 2", "Claim 1, the separator of Lemma 3, and a sufficient lambda",
       prove_claim_2},
      {"proposition-1", "there are weights with rank(Z) >= min(T, H (r - 1) + 1)", "Assumptions 1 and 2",
       "the induction on heads; the rank after each head by a character", prove_proposition_1},
      {"proposition-2", "rank(Z) <= H (n - 1) + 1 for all weights", "all contexts are the same matrix",
       "the affine-hull bound; tight or not for the given or random weights", prove_proposition_2},
      {"proposition-5", "rank(Z) <= H (d - 1) + 1 for all weights", "the entries of every token sum to one constant",
       "the affine-hull bound with the functional (1, ..., 1); tight or not", prove_proposition_5},
      {"theorem-1", "a layer with H heads memorizes the labels (without labels: any labels)",
       "Assumptions 1 and 2; T <= H (r - 1) + 1", "Proposition 1 with T rows; the read-out, exactly or enclosed", prove_theorem_1},
  };
  return table;
}

ClaimProof prove(const Case& c, const Claim& claim, const Effort& effort) {
  for (const Statement& s : statements())
    if (claim.statement == s.name) return s.prove(c, claim, effort);
  throw std::logic_error("unknown statement " + claim.statement);
}

}  // namespace attest
