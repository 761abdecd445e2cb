// Lemma 1. rank [A B; 0 C] >= rank A + rank C.
//
// Executed by exact ranks of the three matrices, each with a minor from below and a kernel from above.
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"

namespace attest {

void prove_lemma_1(const Case&, const Claim& claim, const Effort&, ClaimProof& proof) {
  const RationalMatrix a = rational_matrix(claim.array("a")), b = rational_matrix(claim.array("b")),
                       c = rational_matrix(claim.array("c"));
  RationalMatrix block(a.rows() + c.rows(), a.cols() + c.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) block(i, j) = a(i, j);
    for (std::size_t j = 0; j < c.cols(); ++j) block(i, a.cols() + j) = b(i, j);
  }
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.cols(); ++j) block(a.rows() + i, a.cols() + j) = c(i, j);
  add_rank("rank(a)", a, proof.script);
  add_rank("rank(c)", c, proof.script);
  add_rank("rank(block)", block, proof.script);
}

}  // namespace attest
