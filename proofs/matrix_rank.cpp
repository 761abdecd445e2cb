#include "proofs/matrix_rank.hpp"

#include <algorithm>

#include "proofs/provers.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {

SparseRational sparse(const RowRelation& relation) {
  SparseRational v;
  for (std::size_t k = 0; k < relation.rows.size(); ++k)
    v.emplace_back(relation.rows[k], mpq_class(relation.relation[k]));
  return v;
}

SparseRational sparse(const std::vector<mpz_class>& vector) {
  SparseRational v;
  for (std::size_t i = 0; i < vector.size(); ++i)
    if (vector[i] != 0) v.emplace_back(i, mpq_class(vector[i]));
  return v;
}

std::vector<SparseRational> sparse(const std::vector<std::vector<mpz_class>>& vectors) {
  std::vector<SparseRational> result;
  for (const std::vector<mpz_class>& v : vectors) result.push_back(sparse(v));
  return result;
}

std::uint64_t prime_of_independence(const std::vector<SparseRational>& vectors) {
  std::size_t length = 0;
  for (const SparseRational& v : vectors)
    if (!v.empty()) length = std::max(length, v.back().first + 1);
  for (std::size_t k = 0;; ++k) {
    const std::uint64_t p = small_prime(k);
    IndependentVectors chosen(p);
    const bool independent = std::all_of(vectors.begin(), vectors.end(), [&](const SparseRational& v) {
      std::vector<std::uint64_t> row(length);
      for (const auto& [i, value] : v) {
        const auto r = residue(value, p);
        if (!r) return false;
        row[i] = *r;
      }
      return chosen.add(std::move(row));
    });
    if (independent) return p;
  }
}

bool independent_rows_mod(const RationalMatrix& a, std::uint64_t p) {
  const std::optional<ModularMatrix> r = residues(a, p);
  return r && rank_profiles(*r, p).rank() == a.rows();
}

std::size_t add_rank(const std::string& of, const RationalMatrix& a, ProofScript& script) {
  const RankWitness witness = rank_with_witness(a);
  const std::size_t rank = witness.rank();
  if (rank > 0) script.minor(of, {witness.prime, 0, witness.minor.rows, witness.minor.cols});
  if (rank < std::min(a.rows(), a.cols()))
    script.zero(of, ProofScript::Side::right, sparse(witness.kernel), a.cols(), witness.prime);
  return rank;
}

void add_dependency(const std::string& of, const RowRelation& relation, std::size_t rows, std::size_t member,
                    ProofScript& script) {
  const std::vector<SparseRational> vectors = {sparse(relation)};
  script.zero(of, ProofScript::Side::left, vectors, rows, prime_of_independence(vectors),
              member == 0 ? Json::object() : Json{{"member", member}});
}

void prove_matrix_rank(const Case&, const Claim& claim, const Effort&, ClaimProof& proof) {
  add_rank("rank(matrix)", rational_matrix(claim.array("matrix")), proof.script);
}

}  // namespace attest
