#include "proofs/kruskal_rank.hpp"

#include <algorithm>

#include "attention/layer.hpp"
#include "exact/sampled_ranks.hpp"
#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"

namespace attest {
namespace {

constexpr double kSampledEffort = 1e10;  // operations that may go into relations of dependent samples

// Draws random subsets of `size` vectors; a dependent one bounds the Kruskal rank from above.
void sample_subsets(const std::string& of, const RationalMatrix& vectors, std::size_t size,
                    const Effort& effort, ClaimProof& proof) {
  const Matrix<mpz_class> rows = primitive_rows(vectors);  // has the same dependent subsets
  std::vector<mpq_class> entries(rows.data(), rows.data() + rows.rows() * rows.cols());
  const SampledRanks found = sampled_ranks(ExactArray({rows.rows(), rows.cols()}, std::move(entries)),
                                           effort.samples, size, effort.seed, kSampledEffort);
  proof.sampled =
      SampledSubsets{size,
                     effort.samples,
                     effort.seed,
                     found.independent,
                     found.dependent,
                     found.open,
                     clopper_pearson(found.dependent, found.dependent + found.open, effort.samples)};
  if (!found.witness) return;
  RationalMatrix dependent(found.witness->rows.size(), vectors.cols());
  for (std::size_t i = 0; i < dependent.rows(); ++i)
    std::copy_n(vectors.row(found.witness->rows[i]), vectors.cols(), dependent.row(i));
  KruskalRank rank;
  rank.dependency = row_relation(dependent);
  for (std::size_t& row : rank.dependency->rows) row = found.witness->rows[row];
  add_kruskal_upper(of, rank, proof.script);
}

// A question about `of`: everything that the search finds is of interest.
void bound_kruskal_rank(const std::string& of, const RationalMatrix& vectors, std::size_t target,
                        const Effort& effort, ClaimProof& proof) {
  const KruskalRank rank = kruskal_rank(vectors, target, effort.subsets);
  add_kruskal_lower(of, rank, proof.script);
  add_kruskal_upper(of, rank, proof.script);
  if (rank.lower < std::min(rank.upper, target)) {
    proof.limited = true;
    proof.reason = "the search over subsets reached its budget at " + std::to_string(rank.lower) +
                   " <= Kruskal rank <= " + std::to_string(rank.upper);
    if (effort.samples > 0) sample_subsets(of, vectors, std::min(rank.upper, target), effort, proof);
  }
}

}  // namespace

RationalMatrix all_queries(const Case& c) {
  return rational_rows(*c.data.queries, c.layer->embed_dim, 0, c.layer->examples);
}

RationalMatrix mixed_queries(const Case& c) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  RationalMatrix vectors = all_queries(c);
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    for (std::size_t j = 0; j < d; ++j) {
      mpq_class sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += c.data.contexts->at(context_offset(c, t) + i * d + j);
      vectors(t, j) += sum / static_cast<unsigned long>(n);
    }
  return vectors;
}

void add_kruskal_lower(const std::string& of, const KruskalRank& rank, ProofScript& script) {
  if (rank.lower > 0)
    script.subsets(of, rank.lower, rank.prime, rank.method == SubsetMethod::dual ? "dual" : "subsets");
}

void add_kruskal_upper(const std::string& of, const KruskalRank& rank, ProofScript& script) {
  if (!rank.dependency) return;
  const std::vector<SparseRational> vectors = {sparse(*rank.dependency)};
  script.zero(of, ProofScript::Side::left, vectors, rank.dependency->rows.size(),
              prime_of_independence(vectors));
}

bool decide_kruskal_threshold(const std::string& of, const RationalMatrix& vectors, std::size_t threshold,
                              double subsets, ProofScript& script) {
  const KruskalRank rank = kruskal_rank(vectors, threshold, subsets);
  if (rank.lower >= threshold)
    add_kruskal_lower(of, rank, script);
  else if (rank.upper < threshold)
    add_kruskal_upper(of, rank, script);
  else
    return false;
  return true;
}

void prove_kruskal_rank(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  const std::size_t most = std::min(c.layer->examples, c.layer->embed_dim);
  // A claim about a threshold needs no more than the threshold; the question for the number needs everything.
  std::size_t target = most;
  const auto lower_target = [&](const char* argument, std::size_t above) {
    if (!claim.has(argument)) return;
    const mpz_class& k = claim.integer(argument);
    if (k >= 0 && k < static_cast<unsigned long>(most)) target = k.get_ui() + above;
  };
  lower_target("at_least", 0);
  lower_target("at_most", 1);
  bound_kruskal_rank("kruskal(queries)", all_queries(c), target, effort, proof);
}

// Definition 2: the Kruskal rank of the queries is min(d, T), the largest possible.
void prove_general_position(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  bound_kruskal_rank("kruskal(queries)", all_queries(c), std::min(c.layer->embed_dim, c.layer->examples),
                     effort, proof);
}

// Every subset of min(n, T) queries is linearly independent (for T >= n: Kruskal rank at least n).
void prove_assumption_1(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  bound_kruskal_rank("kruskal(queries)", all_queries(c), std::min(c.layer->context, c.layer->examples),
                     effort, proof);
}

// The same for the vectors e_t + (1/n) sum_i E_{t,i}.
void prove_assumption_3(const Case& c, const Claim&, const Effort& effort, ClaimProof& proof) {
  bound_kruskal_rank("kruskal(mixed-queries)", mixed_queries(c),
                     std::min(c.layer->context, c.layer->examples), effort, proof);
}

}  // namespace attest
