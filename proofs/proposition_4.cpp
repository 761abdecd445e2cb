// Proposition 4 (one attention layer makes Assumption 1 true). Self-attention with one head, a skip
// connection, zero key and query weights and identity value weights maps e to e + mean(E) and each token E_i
// to E_i + mean(E). Under Assumptions 2 and 3 the outputs satisfy Assumptions 1 and 2.
//
// Assumption 3 says of the data what Assumption 1 says of the outputs; that the tokens stay independent is
// Lemma 2 with c = 1/n.
#include <algorithm>

#include "attention/layer.hpp"
#include "exact/modular.hpp"
#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/propositions.hpp"

namespace attest {
namespace {

constexpr std::size_t kPrimes = 8;

// E_t + 1 mean(E_t)^T.
RationalMatrix mixed_context(const Case& c, std::size_t t) {
  RationalMatrix m = context_matrix(c, t);
  for (std::size_t j = 0; j < m.cols(); ++j) {
    mpq_class sum = 0;
    for (std::size_t i = 0; i < m.rows(); ++i) sum += m(i, j);
    for (std::size_t i = 0; i < m.rows(); ++i) m(i, j) += sum / static_cast<unsigned long>(m.rows());
  }
  return m;
}

// A prime mod which every output context has rank n.
std::optional<std::uint64_t> prime_of_full_rank(const Case& c) {
  const std::size_t count = c.data.shared_context ? 1 : c.layer->examples;
  for (std::size_t k = 0; k < kPrimes; ++k) {
    const std::uint64_t p = large_prime(k);
    bool full = true;
    for (std::size_t t = 0; t < count && full; ++t) {
      const RationalMatrix m = mixed_context(c, t);
      ModularMatrix r(m.rows(), m.cols());
      for (std::size_t i = 0; i < m.rows() && full; ++i)
        for (std::size_t j = 0; j < m.cols() && full; ++j) {
          const auto x = residue(m(i, j), p);
          full = x.has_value();
          r(i, j) = x.value_or(0);
        }
      full = full && rank_profiles(r, p).rank() == m.rows();
    }
    if (full) return p;
  }
  return std::nullopt;
}

}  // namespace

ClaimProof prove_proposition_4(const Case& c, const Claim&, const Effort& effort) {
  ClaimProof proof;
  const bool assumption_2_holds = assumption_2(c, proof.steps);
  const std::size_t threshold = std::min(c.layer->context, c.layer->examples);
  const KruskalProof kruskal = prove_kruskal_rank_of(mixed_queries(c), threshold, effort.subsets);
  for (const Json& step : kruskal.steps) proof.steps.push_back(step);
  const bool holds = kruskal.rank.lower >= threshold, fails = kruskal.rank.upper < threshold;
  const auto prime = prime_of_full_rank(c);
  if (prime)
    proof.steps.push_back({{"argument", "outputs-full-rank"}, {"theorem", "modular-rank"}, {"p", *prime}});
  const bool proved = holds && prime;
  proof.result["hypotheses"] = {{"assumption-2", assumption_2_holds ? "holds" : "fails"},
                                {"assumption-3", holds   ? "holds"
                                                 : fails ? "fails"
                                                         : "undecided"}};
  proof.result["conclusion"] = proved ? "proved" : "open";
  proof.verdict = !assumption_2_holds || fails ? Verdict::inapplicable
                  : proved                     ? Verdict::verified
                                               : Verdict::undecided;
  if (proof.verdict == Verdict::undecided) {
    proof.reason = "the search over subsets reached its budget before Assumption 3 was decided";
    proof.limited = true;
  }
  return proof;
}

}  // namespace attest
