#include "proofs/kruskal_rank.hpp"

#include <algorithm>

#include "proofs/matrix_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/stack.hpp"
#include "search/arithmetic/sampled_ranks.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

constexpr double kSampledEffort = 1e10;  // operations that may go into relations of dependent samples

// Draws random subsets of `size` vectors; a dependent one bounds the Kruskal rank from above.
DrawnSubsets draw_subsets(const KruskalSearch& search, std::size_t size, const Effort& effort) {
  const Matrix<mpz_class>& rows = search.integers();
  std::vector<mpq_class> entries(rows.data(), rows.data() + rows.rows() * rows.cols());
  const SampledRanks found = sampled_ranks(ExactArray({rows.rows(), rows.cols()}, std::move(entries)),
                                           effort.samples, size, effort.seed, kSampledEffort);
  DrawnSubsets result;
  result.counts = {size,
                   effort.samples,
                   effort.seed,
                   found.independent,
                   found.dependent,
                   found.open,
                   clopper_pearson(found.dependent, found.dependent + found.open, effort.samples)};
  if (!found.witness) return result;
  result.dependent.dependency = row_relation(search.vectors(), found.witness->rows);
  return result;
}

const std::string kQueries = "kruskal(queries)", kMixedQueries = "kruskal(mixed-queries)";

// Queries (1, x, ..., x^(d-1)) need no search.
bool add_moment_curve(const std::string& of, ProofScript& script) {
  if (of != kQueries || script.of("off_moment_curve").upper != 0) return false;
  script.theorem("moment-curve", {});
  return true;
}

// A question about `of`: everything that the search finds is of interest.
void bound_kruskal_rank(const Case& c, const std::string& of, std::size_t target, const Effort& effort,
                        ClaimProof& proof) {
  if (add_moment_curve(of, proof.script)) return;
  VectorSearches own;
  VectorSearches& searches = effort.searches ? *effort.searches : own;
  const KruskalRank rank = searches.search(c, of).up_to(target, effort.subsets);
  add_kruskal_lower(of, rank, proof.script);
  add_kruskal_upper(of, rank, proof.script);
  if (rank.lower < std::min(rank.upper, target)) {
    proof.limited = true;
    proof.reason = "the search over subsets reached its budget at " + std::to_string(rank.lower) +
                   " <= Kruskal rank <= " + std::to_string(rank.upper);
    if (effort.samples == 0 || rank.upper < target) return;  // a dependent subset is known already
    const DrawnSubsets& drawn = searches.drawn(c, of, target, effort);
    proof.sampled = drawn.counts;
    add_kruskal_upper(of, drawn.dependent, proof.script);
  }
}

}  // namespace

KruskalSearch& VectorSearches::search(const Case& c, const std::string& of) {
  const auto found = searches_.find(of);
  if (found != searches_.end()) return found->second;
  return searches_.emplace(of, KruskalSearch(of == kQueries ? all_queries(c) : mixed_queries(c)))
      .first->second;
}

const DrawnSubsets& VectorSearches::drawn(const Case& c, const std::string& of, std::size_t size,
                                          const Effort& effort) {
  const auto found = drawn_.find({of, size});
  if (found != drawn_.end()) return found->second;
  return drawn_.emplace(std::pair(of, size), draw_subsets(search(c, of), size, effort)).first->second;
}

RationalMatrix all_queries(const Case& c) {
  return rational_rows(*c.data.queries, c.layer->embed_dim, 0, c.layer->examples);
}

RationalMatrix mixed_queries(const Case& c) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim;
  RationalMatrix vectors(c.layer->examples, d);
  RationalVector mean;
  for (std::size_t t = 0; t < c.layer->examples; ++t) {
    if (t == 0 || !c.data.shared_context) {
      std::vector<RationalVector> tokens;
      for (std::size_t i = 0; i < n; ++i)
        tokens.push_back(RationalVector(*c.data.contexts, c.token_row(t, i) * d, d));
      mean = kernel::mean(tokens);
    }
    const std::vector<mpq_class> sum =
        entries(kernel::combination({1, 1}, {RationalVector(*c.data.queries, t * d, d), mean}));
    std::copy(sum.begin(), sum.end(), vectors.row(t));
  }
  return vectors;
}

void add_kruskal_lower(const std::string& of, const KruskalRank& rank, ProofScript& script) {
  if (rank.lower > 0)
    script.add("subsets", Fact::at_least(of, rank.lower),
               {{"k", rank.lower},
                {"p", rank.prime},
                {"method", rank.method == SubsetMethod::dual ? "dual" : "subsets"}});
}

void add_kruskal_upper(const std::string& of, const KruskalRank& rank, ProofScript& script) {
  if (!rank.dependency) return;
  const std::vector<SparseRational> vectors = {sparse(*rank.dependency)};
  script.zero(of, ProofScript::Side::left, vectors, rank.dependency->rows.size(),
              prime_of_independence(vectors));
}

bool decide_kruskal_threshold(const std::string& of, const RationalMatrix& vectors, std::size_t threshold,
                              double subsets, ProofScript& script) {
  if (add_moment_curve(of, script)) return true;
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
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
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
  bound_kruskal_rank(c, kQueries, target, effort, proof);
}

// Definition 2: the Kruskal rank of the queries is min(d, T), the largest possible.
void prove_general_position(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  bound_kruskal_rank(c, kQueries, std::min(c.layer->embed_dim, c.layer->examples), effort, proof);
}

// Every subset of min(n, T) queries is linearly independent (for T >= n: Kruskal rank at least n).
void prove_assumption_1(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  bound_kruskal_rank(c, kQueries, std::min(c.layer->context, c.layer->examples), effort, proof);
}

// The same for the vectors e_t + (1/n) sum_i E_{t,i}.
void prove_assumption_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  if (!c.stack.empty()) return prove_behind_stack(c, claim, effort, proof);
  bound_kruskal_rank(c, kMixedQueries, std::min(c.layer->context, c.layer->examples), effort, proof);
}

}  // namespace attest
