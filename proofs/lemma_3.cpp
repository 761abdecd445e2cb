// Lemma 3 (rank-one separator). For full-rank contexts, queries of Kruskal rank at least n and any n - 1
// examples I there is a rank-one W' with W' e_t = 0 on I and pairwise different entries of E_t W' e_t
// elsewhere.
//
// Proof by construction: W' = u v^T with v in the orthogonal complement of the queries of I (no other query
// is orthogonal to a generic such v, because with I it is independent), and u generic, so that the rows of
// E_t, which are different, have different products with u. The paper draws both from a Gaussian and argues
// almost surely; here they are drawn from small integers and every inequality is checked.
#include "proofs/lemma_3.hpp"

#include <algorithm>

#include "proofs/claim_1.hpp"
#include "proofs/hypotheses.hpp"
#include "proofs/provers.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

constexpr int kSeparatorAttempts = 24;

mpz_class random_integer(SplitMix64& random, std::uint64_t bound) {
  return mpz_class(static_cast<unsigned long>(random.below(2 * bound + 1))) -
         mpz_class(static_cast<unsigned long>(bound));
}

bool pairwise_different(std::vector<mpq_class> x) {
  std::sort(x.begin(), x.end());
  return std::adjacent_find(x.begin(), x.end()) == x.end();
}

}  // namespace

TokenOrder::TokenOrder(const Case& c, SplitMix64& random) {
  const std::size_t n = c.layer->context, d = c.layer->embed_dim,
                    count = c.data.shared_context ? 1 : c.layer->examples;
  std::size_t best = 0;
  for (int attempt = 0; attempt < kSeparatorAttempts; ++attempt) {
    RationalVector u;
    for (std::size_t j = 0; j < d; ++j) u.num.push_back(random_integer(random, std::uint64_t{2} << attempt));
    if (std::all_of(u.num.begin(), u.num.end(), [](const mpz_class& x) { return x == 0; })) u.num[0] = 1;
    std::vector<std::vector<mpq_class>> products(count);
    std::vector<bool> distinct(count);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t i = 0; i < n; ++i) {
        mpq_class sum = 0;
        for (std::size_t j = 0; j < d; ++j) sum += u.num[j] * c.data.contexts->at((t * n + i) * d + j);
        products[t].push_back(sum);
      }
      distinct[t] = pairwise_different(products[t]);
    }
    const auto good = static_cast<std::size_t>(std::count(distinct.begin(), distinct.end(), true));
    if (attempt > 0 && good <= best) continue;
    best = good;
    u_ = std::move(u);
    products_ = std::move(products);
    distinct_ = std::move(distinct);
    if (best == count) return;
  }
}

bool TokenOrder::distinct(const std::vector<std::size_t>& examples) const {
  return std::all_of(examples.begin(), examples.end(), [&](std::size_t t) { return distinct(t); });
}

std::vector<std::size_t> other_examples(const Case& c, const std::vector<std::size_t>& subset) {
  std::vector<std::size_t> others;
  for (std::size_t t = 0; t < c.layer->examples; ++t)
    if (std::find(subset.begin(), subset.end(), t) == subset.end()) others.push_back(t);
  return others;
}

std::optional<SeparatingFunctional> separating_functional(const Case& c,
                                                          const std::vector<std::size_t>& subset,
                                                          const std::vector<RationalVector>& left_inverse,
                                                          const std::vector<std::size_t>& others,
                                                          SplitMix64& random) {
  const std::size_t d = c.layer->embed_dim, T = c.layer->examples;
  for (int attempt = 0; attempt < kSeparatorAttempts; ++attempt) {
    std::vector<mpz_class> w;
    for (std::size_t j = 0; j < d; ++j) w.push_back(random_integer(random, std::uint64_t{2} << attempt));
    std::vector<mpq_class> v(w.begin(), w.end());
    for (std::size_t k = 0; k < subset.size(); ++k) {
      mpq_class product = 0;
      for (std::size_t j = 0; j < d; ++j) product += w[j] * c.data.queries->at(subset[k] * d + j);
      if (product == 0) continue;
      for (std::size_t j = 0; j < d; ++j)
        if (left_inverse[k].num[j] != 0) {
          mpq_class entry(left_inverse[k].num[j], left_inverse[k].den);
          entry.canonicalize();
          v[j] -= product * entry;
        }
    }
    if (std::all_of(v.begin(), v.end(), [](const mpq_class& x) { return x == 0; })) continue;
    SeparatingFunctional f{RationalVector(v), {}};
    for (std::size_t t = 0; t < T; ++t) {
      const RationalVector q = RationalVector(*c.data.queries, t * d, d);
      mpz_class sum = 0;
      for (std::size_t j = 0; j < d; ++j) sum += f.v.num[j] * q.num[j];
      f.products.emplace_back(sum, f.v.den * q.den);
      f.products.back().canonicalize();
    }
    if (std::all_of(others.begin(), others.end(), [&](std::size_t t) { return f.products[t] != 0; }))
      return f;
  }
  return std::nullopt;
}

Peak peak(const std::vector<mpq_class>& x, const mpq_class& factor) {
  if (x.size() == 1) return {0, 0};  // n = 1: the coefficient is 1 whatever the weights
  // The order of factor * x is that of x or its reverse.
  std::size_t first = 0, second = 1;
  auto before = [&](std::size_t a, std::size_t b) { return factor > 0 ? x[a] > x[b] : x[a] < x[b]; };
  if (before(second, first)) std::swap(first, second);
  for (std::size_t i = 2; i < x.size(); ++i) {
    if (before(i, first)) {
      second = first;
      first = i;
    } else if (before(i, second)) {
      second = i;
    }
  }
  return {first, factor * (x[first] - x[second])};
}

void prove_lemma_3(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  decide_hypotheses(c, effort, proof.script);
  const std::vector<std::size_t>& subset = claim.subset();
  SplitMix64 random(1, 0);
  const std::vector<std::size_t> others = other_examples(c, subset);
  const TokenOrder order(c, random);
  const auto left = left_inverse_of_queries(c, subset);
  std::optional<SeparatingFunctional> separating;
  if (left && order.distinct(others)) separating = separating_functional(c, subset, *left, others, random);
  if (separating)
    proof.script.add("compare", Fact::at_least("separator", 1), {{"u", order.u()}, {"v", separating->v}});
  else
    proof.reason = "no separator of the subset from the other examples was found";
}

}  // namespace attest
