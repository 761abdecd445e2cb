#include "proofs/kruskal_rank.hpp"

#include <algorithm>

namespace attest {

KruskalProof kruskal_rank_of_queries(const Case& c, std::size_t target, double subsets) {
  const Dimensions& dims = *c.layer;
  KruskalProof proof;
  proof.rank = kruskal_rank(rational_rows(*c.data.queries, dims.embed_dim, 0, dims.examples), target, subsets);
  if (proof.rank.lower > 0)
    proof.steps.push_back({{"argument", "kruskal-lower"},
                           {"theorem", "subset-independence"},
                           {"k", proof.rank.lower},
                           {"p", proof.rank.prime},
                           {"method", proof.rank.method == SubsetMethod::dual ? "dual" : "subsets"}});
  if (proof.rank.dependency && proof.rank.upper < std::min(dims.examples, dims.embed_dim))
    proof.steps.push_back({{"argument", "kruskal-upper"},
                           {"theorem", "dependent-subset"},
                           {"subset", to_json(proof.rank.dependency->rows)},
                           {"relation", to_json(proof.rank.dependency->relation)}});
  return proof;
}

namespace {

ClaimProof conclude(const KruskalProof& kruskal, const Claim& question) {
  ClaimProof proof;
  proof.steps = kruskal.steps;
  proof.result["kruskal_rank"] = to_json(kruskal.interval());
  proof.verdict = judge(kruskal.interval(), question);
  if (proof.verdict == Verdict::undecided) {
    proof.limited = true;
    proof.reason = "the search over subsets reached its budget at " + std::to_string(kruskal.rank.lower) +
                   " <= Kruskal rank <= " + std::to_string(kruskal.rank.upper);
  }
  return proof;
}

ClaimProof at_least(const Case& c, std::size_t threshold, const Effort& effort) {
  Claim question;
  question.at_least = static_cast<unsigned long>(threshold);
  return conclude(kruskal_rank_of_queries(c, threshold, effort.subsets), question);
}

}  // namespace

ClaimProof prove_kruskal_rank(const Case& c, const Claim& claim, const Effort& effort) {
  const std::size_t most = std::min(c.layer->examples, c.layer->embed_dim);
  // A claim about a threshold needs no more than the threshold; the question for the number needs everything.
  std::size_t target = most;
  if (claim.at_least && *claim.at_least < most && *claim.at_least >= 0) target = claim.at_least->get_ui();
  if (claim.at_most && *claim.at_most < most && *claim.at_most >= 0) target = claim.at_most->get_ui() + 1;
  return conclude(kruskal_rank_of_queries(c, target, effort.subsets), claim);
}

ClaimProof prove_general_position(const Case& c, const Claim&, const Effort& effort) {
  return at_least(c, std::min(c.layer->embed_dim, c.layer->examples), effort);
}

ClaimProof prove_assumption_1(const Case& c, const Claim&, const Effort& effort) {
  return at_least(c, std::min(c.layer->context, c.layer->examples), effort);
}

}  // namespace attest
