// Lemma 5 (Weyl). If ||A - B||_2 is less than the smallest non-zero singular value of A then rank B >= rank
// A.
//
// The hypothesis is decided exactly: it holds when a rational mu separates the eigenvalues of (A - B)^T (A -
// B) from the non-zero ones of A^T A, and fails when some mu does the opposite; both are counts of
// eigenvalues of rational symmetric matrices. Equality is met at a rational mu: the conjugates of ||A - B||^2
// are eigenvalues of (A - B)^T (A - B), so none is larger; were it also the smallest non-zero eigenvalue of
// A^T A, none would be smaller, hence there are none.
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/eigenvalues.hpp"

namespace attest {
namespace {

constexpr int kBisections = 400;

mpq_class trace(const RationalMatrix& m) {
  mpq_class sum = 0;
  for (std::size_t i = 0; i < m.rows(); ++i) sum += m(i, i);
  return sum;
}

}  // namespace

void prove_lemma_5(const Case&, const Claim& claim, const Effort&, ClaimProof& proof) {
  const RationalMatrix a = rational_matrix(claim.array("a")), b = rational_matrix(claim.array("b"));
  const std::size_t rank_a = add_rank("rank(a)", a, proof.script);
  add_rank("rank(b)", b, proof.script);
  RationalMatrix difference = a;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) difference(i, j) -= b(i, j);
  const RationalMatrix s = transposed(difference) * difference, g = transposed(a) * a;
  const EigenvalueCounter perturbation(s), gram(g);
  // Both conditions are monotone in mu, in opposite directions: bisection between 0 and a power of two
  // beyond everything, with the simplest rational of the interval every other time, so that equality at a
  // simple number is met.
  mpq_class low = 0, high = 1;
  while (high <= trace(s) || high <= trace(g)) high *= 2;
  for (int k = 0; k < kBisections; ++k) {
    const mpq_class mu = k % 2 == 0 ? mpq_class((low + high) / 2) : simplest_between(low, high);
    const bool below = perturbation.at_least(mu) == 0, above = gram.above(mu) == rank_a;
    if (below != above) {
      (below ? high : low) = mu;
      continue;
    }
    proof.script.add("compare", below ? Fact::at_least("perturbation", 1) : Fact::at_most("perturbation", 0),
                     {{"mu", mu}, {"side", below ? "holds" : "fails"}});
    return;
  }
  proof.reason = "the norm and the singular value are too close to be told apart";
}

}  // namespace attest
