// Lemma 1. rank [A B; 0 C] >= rank A + rank C.
//
// Executed by exact ranks of the three matrices, each with a minor from below and a kernel from above.
#include "proofs/lemmas.hpp"

namespace attest {

std::size_t append_rank(const RationalMatrix& a, const std::string& name, ClaimProof& proof) {
  const RankWitness witness = rank_with_witness(a);
  Json step = {
      {"argument", "matrix-rank"}, {"theorem", "minor-and-kernel"}, {"matrix", name}, {"p", witness.prime}};
  step["rows"] = to_json(witness.minor.rows);
  step["cols"] = to_json(witness.minor.cols);
  step["kernel"] = Json::array();
  for (const auto& x : witness.kernel) step["kernel"].push_back(to_json(x));
  proof.steps.push_back(std::move(step));
  proof.result["ranks"][name] = witness.rank();
  return witness.rank();
}

ClaimProof prove_lemma_1(const Case&, const Claim& claim, const Effort&) {
  ClaimProof proof;
  const RationalMatrix a = rational_matrix(claim.matrices.at("a")),
                       b = rational_matrix(claim.matrices.at("b")),
                       c = rational_matrix(claim.matrices.at("c"));
  RationalMatrix block(a.rows() + c.rows(), a.cols() + c.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) block(i, j) = a(i, j);
    for (std::size_t j = 0; j < c.cols(); ++j) block(i, a.cols() + j) = b(i, j);
  }
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.cols(); ++j) block(a.rows() + i, a.cols() + j) = c(i, j);
  const std::size_t rank_a = append_rank(a, "a", proof), rank_c = append_rank(c, "c", proof);
  proof.verdict =
      append_rank(block, "block", proof) >= rank_a + rank_c ? Verdict::verified : Verdict::refuted;
  return proof;
}

}  // namespace attest
