// Lemma 2. If a_1, ..., a_n are linearly independent, so are a_i + c sum_j a_j, for every c >= 0.
//
// In fact for every c except -1/n, where the sum of the shifted vectors is 0: the map is 1 + c J with J the
// matrix of ones, whose eigenvalues are 1 and 1 + c n.
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"

namespace attest {

void prove_lemma_2(const Case&, const Claim& claim, const Effort&, ClaimProof& proof) {
  const RationalMatrix vectors = rational_matrix(claim.array("vectors"));
  RationalMatrix shifted = vectors;
  for (std::size_t j = 0; j < vectors.cols(); ++j) {
    mpq_class sum = 0;
    for (std::size_t i = 0; i < vectors.rows(); ++i) sum += vectors(i, j);
    for (std::size_t i = 0; i < vectors.rows(); ++i) shifted(i, j) += claim.number("c") * sum;
  }
  add_rank("rank(vectors)", vectors, proof.script);
  add_rank("rank(shifted)", shifted, proof.script);
}

}  // namespace attest
