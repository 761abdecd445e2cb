// Kruskal rank of the queries, and the statements that are thresholds of it: general position and
// Assumptions 1 and 3.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "kernel/quantities/saturation.hpp"
#include "proofs/capacity.hpp"
#include "proofs/proof.hpp"

namespace attest {

/// All queries as rows (T x d), and the vectors e_t + (1/n) sum_i E_{t,i} of Assumption 3.
RationalMatrix all_queries(const Case& c);
RationalMatrix mixed_queries(const Case& c);

/// Random subsets, and a dependent one of them, if there is one.
struct DrawnSubsets {
  SampledSubsets counts;
  KruskalRank dependent;
};

/// What claims of one case found out about the same vectors, about weights and about coefficients.
class VectorSearches {
public:
  FoundWeights weights;
  /// By threshold and bits: of each example the sides of its largest coefficients, by head, if they were
  /// asked for. A claim about all heads saves those about one all of their work.
  std::map<std::pair<mpq_class, std::size_t>, std::vector<std::vector<kernel::Sides>>> saturated;

  /// `of` is "kruskal(queries)" or "kruskal(mixed-queries)".
  KruskalSearch& search(const Case& c, const std::string& of);
  const DrawnSubsets& drawn(const Case& c, const std::string& of, std::size_t size, const Effort& effort);

private:
  std::map<std::string, KruskalSearch> searches_;
  std::map<std::pair<std::string, std::size_t>, DrawnSubsets> drawn_;
};

/// The steps for `of`, "kruskal(queries)" or "kruskal(mixed-queries)", that show a search's result.
void add_kruskal_lower(const std::string& of, const KruskalRank& rank, ProofScript& script);
void add_kruskal_upper(const std::string& of, const KruskalRank& rank, ProofScript& script);

/// Decides, as far as a budget of `subsets` goes, whether `of` is at least `threshold`, and adds the step
/// that does: partial steps decide nothing. Whether it was decided.
bool decide_kruskal_threshold(const std::string& of, const RationalMatrix& vectors, std::size_t threshold,
                              double subsets, ProofScript& script);

}  // namespace attest
