// Figure 3 with every comparison proved: the largest softmax coefficient of head h at example t is
// 1 / sum_i b^(s (l_i - l_max)), enclosed until it is on one side of the threshold.
#include <algorithm>

#include "base/progress.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/provers.hpp"
#include "proofs/told.hpp"

namespace attest {

void prove_saturation(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  const kernel::Problem problem(c);
  const kernel::Layer given = kernel::given_layer(problem);
  const std::vector<std::size_t> heads =
      claim.has("head") ? std::vector{claim.size("head")} : kernel::all_below(problem.H);
  const std::size_t pairs = problem.T * heads.size();
  const Tell tell = [&](const std::vector<std::size_t>& examples, std::size_t bits) {
    const mpq_class threshold = claim.number("threshold");
    // Behind other layers what is told of an example depends on the others.
    auto* const known =
        effort.searches && c.stack.empty() ? &effort.searches->saturated[{threshold, bits}] : nullptr;
    if (known != nullptr) known->resize(problem.T);
    std::vector<std::vector<kernel::Sides>> found;
    if (known != nullptr &&
        std::ranges::none_of(examples, [&](std::size_t t) { return (*known)[t].empty(); })) {
      for (const std::size_t t : examples) {
        std::vector<kernel::Sides>& own = found.emplace_back();
        for (const std::size_t h : heads) own.push_back((*known)[t][h]);
      }
    } else {
      const auto reached = [&](std::size_t done) { report_progress("coefficients", done, examples.size()); };
      reached(0);
      found =
          kernel::sides_of_largest_coefficients(problem, given, heads, examples, threshold, bits, reached);
      for (std::size_t k = 0; known != nullptr && !claim.has("head") && k < examples.size(); ++k)
        (*known)[examples[k]] = found[k];
    }
    std::vector<kernel::Sides> result;
    for (const std::vector<kernel::Sides>& of_heads : found) {
      kernel::Sides& sum = result.emplace_back();
      for (const kernel::Sides& each : of_heads) sum += each;
    }
    return result;
  };
  // Mostly none is above where none of a sample is.
  constexpr std::size_t kMany = 1024, kEvery = 16;
  if (effort.guess && c.stack.empty() && problem.T >= kMany) {
    std::vector<std::size_t> sample;
    for (std::size_t t = 0; t < problem.T; t += kEvery) sample.push_back(t);
    if (std::ranges::all_of(tell(sample, kFewestBits),
                            [&](const kernel::Sides& each) { return each.below == heads.size(); })) {
      proof.script.counted("saturated", false, pairs, pairs, kFewestBits + kMoreBits);
      return;
    }
  }
  const auto [sides, used] = told(c, heads.size(), tell);
  if (sides.above > 0) proof.script.counted("saturated", true, sides.above, pairs, used);
  // Without this step the upper bound is T H, for the pairs of one head too.
  if (sides.below > 0 || claim.has("head"))
    proof.script.counted("saturated", false, sides.below, pairs, used);
  proof.reason =
      "some coefficients are too close to the threshold to be told from it, or logits too large to be "
      "enclosed";
}

}  // namespace attest
