#include "proofs/hypotheses.hpp"

#include <algorithm>

#include "proofs/assumption_2.hpp"
#include "proofs/kruskal_rank.hpp"

namespace attest {

Hypotheses decide_hypotheses(const Case& c, const Effort& effort, Json& steps) {
  Hypotheses result;
  result.assumption_2 = assumption_2(c, steps) ? Hypotheses::Status::holds : Hypotheses::Status::fails;
  const std::size_t threshold = std::min(c.layer->context, c.layer->examples);
  const KruskalProof kruskal = kruskal_rank_of_queries(c, threshold, effort.hypothesis_subsets);
  if (kruskal.rank.lower >= threshold)
    result.assumption_1 = Hypotheses::Status::holds;
  else if (kruskal.rank.upper < threshold)
    result.assumption_1 = Hypotheses::Status::fails;
  else
    return result;  // undecided: its partial steps decide nothing
  // Only the step that decides is of use to the theorem.
  const char* decisive = result.assumption_1 == Hypotheses::Status::holds ? "kruskal-lower" : "kruskal-upper";
  for (const Json& step : kruskal.steps)
    if (step["argument"] == decisive) steps.push_back(step);
  return result;
}

const char* status_name(Hypotheses::Status status, bool conclusion_proved) {
  switch (status) {
    case Hypotheses::Status::holds:
      return "holds";
    case Hypotheses::Status::fails:
      return "fails";
    case Hypotheses::Status::undecided:
      break;
  }
  return conclusion_proved ? "sufficient" : "undecided";
}

void conclude(ClaimProof& proof, const Hypotheses& hypotheses, bool proved, const char* open) {
  proof.result["hypotheses"] = {{"assumption-1", status_name(hypotheses.assumption_1, proved)},
                                {"assumption-2", status_name(hypotheses.assumption_2, false)}};
  proof.result["conclusion"] = proved ? "proved" : "open";
  proof.verdict = hypotheses.fails() ? Verdict::inapplicable
                  : proved           ? Verdict::verified
                                     : Verdict::undecided;
  if (proof.verdict == Verdict::undecided) proof.reason = open;
}

}  // namespace attest
