// Steps about the data alone: queries, contexts, and the sizes of the case.
#include <algorithm>

#include "checker/kruskal.hpp"
#include "checker/steps.hpp"

namespace attest::checker {

/// Checks that `step` gives a vanishing relation between queries with non-zero factors; returns how many.
std::size_t ClaimChecker::dependent_subset(Object& step, std::vector<std::size_t>& subset) const {
  subset = distinct_indices(step["subset"], problem_.T);
  ensure(!subset.empty(), "a subset that is not empty", "an empty one");
  const Relation factors = relation(step["relation"], subset.size());
  std::vector<Rational> rationals;
  std::vector<const Vector*> queries;
  for (std::size_t k = 0; k < subset.size(); ++k) {
    ensure(factors[k] != 0, "factors that are not 0", "a 0");
    rationals.emplace_back(factors[k]);
    queries.push_back(&kruskal_vector(subset[k]));
  }
  ensure(is_zero(combination(rationals, queries)), "a combination of the queries that is 0",
         "another vector");
  return subset.size();
}

/// The same for the tokens of one example, where some factors may be 0; returns the example.
std::size_t ClaimChecker::dependent_context(Object& step) const {
  const std::size_t example = index(step["example"], problem_.T);
  const Relation factors = relation(step["relation"], problem_.n);
  ensure(std::any_of(factors.begin(), factors.end(), [](const Integer& f) { return f != 0; }),
         "a factor that is not 0", "only zeros");
  const auto tokens = problem_.context(example);
  std::vector<const Vector*> rows;
  for (const Vector& row : *tokens) rows.push_back(&row);
  ensure(is_zero(combination({factors.begin(), factors.end()}, rows)),
         "a combination of the tokens that is 0", "another vector");
  return example;
}

// contexts

void ClaimChecker::kruskal_lower(Object& step) {
  const Word k = word(step["k"]), p = prime(step["p"]);
  const std::string& method = string(step["method"]);
  ensure(k <= problem_.T, "k <= " + count(problem_.T), count(k));
  Matrix queries;
  for (std::size_t t = 0; t < problem_.T; ++t)
    queries.push_back(residues(Vector(primitive(kruskal_vector(t)), 1), p));
  Work work(policy_.max_subsets, "the search through subsets of queries", "--max-subsets");
  bool independent = false;
  if (method == "subsets") {
    independent = subsets_independent(queries, k, p, work);
  } else {
    ensure(method == "dual", "the method subsets or dual", method.substr(0, 40));
    independent = subsets_independent_dual(queries, k, p, work);
  }
  ensure(independent, "independent queries mod p in every subset of " + count(k), "a dependent subset");
  facts_.kruskal_lower = std::max<std::size_t>(facts_.kruskal_lower, k);
}

void ClaimChecker::kruskal_upper(Object& step) {
  std::vector<std::size_t> subset;
  facts_.kruskal_upper = std::min(facts_.kruskal_upper, dependent_subset(step, subset) - 1);
}

void ClaimChecker::contexts_full_rank(Object& step) {
  const Word p = prime(step["p"]);
  for (std::size_t t = 0; t < (problem_.shared() ? 1 : problem_.T); ++t) {
    Matrix rows;
    for (const Vector& row : *problem_.context(t)) rows.push_back(residues(row, p));
    ensure(rows_independent(rows, p), "contexts of rank n mod p", "a smaller rank at example " + count(t));
  }
}

void ClaimChecker::context_dependent(Object& step) {
  dependent_context(step);
}

void ClaimChecker::contexts_differ(Object& step) {
  const std::size_t t = index(step["example"], problem_.T), i = index(step["token"], problem_.n),
                    j = index(step["coordinate"], problem_.d);
  const Rational first = (*problem_.context(0))[i][j];
  ensure((*problem_.context(t))[i][j] != first, "an entry that differs from that of context 0", text(first));
}

void ClaimChecker::token_sums_differ(Object& step) {
  const auto sum = [&](const Json& pair) {
    std::shared_ptr<const Context> keep;
    const Vector& entries = token(pair, keep);
    return dot(entries, Vector(std::vector<Integer>(entries.size(), 1), 1));
  };
  const Rational first = sum(step["first"]);
  ensure(first != sum(step["second"]), "tokens with different sums", text(first) + " twice");
}

void ClaimChecker::too_many_examples(Object&) {
  const std::size_t most = problem_.H * (problem_.r - 1) + 1;
  ensure(problem_.T > most, "more than " + count(most) + " examples", count(problem_.T));
}

void ClaimChecker::subset_too_large(Object&) {
  const std::size_t most = claim_.statement == "claim-1" ? problem_.r : problem_.r - 1;
  ensure(claim_.subset->size() > most, "a subset of more than " + count(most), count(claim_.subset->size()));
}

void ClaimChecker::subset_dependent(Object& step) {
  std::vector<std::size_t> subset;
  dependent_subset(step, subset);
  for (std::size_t t : subset) {
    ensure(std::count(claim_.subset->begin(), claim_.subset->end(), t) != 0, "members of the claim's subset",
           count(t));
  }
}

void ClaimChecker::subset_context_dependent(Object& step) {
  const std::size_t t = dependent_context(step);
  ensure(std::count(claim_.subset->begin(), claim_.subset->end(), t) != 0, "an example of the claim's subset",
         count(t));
}

}  // namespace attest::checker
