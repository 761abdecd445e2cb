// For how many examples is the exact output of the whole layer right?
#include "kernel/quantities/accuracy.hpp"

#include "base/meter.hpp"
#include "base/progress.hpp"
#include "proofs/provers.hpp"
#include "proofs/told.hpp"

namespace attest {

void prove_accuracy(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  const kernel::Problem problem(c);
  const kernel::Layer given = kernel::given_layer(problem);
  const auto [sides, used] = told(c, 1, [&](const std::vector<std::size_t>& examples, std::size_t bits) {
    meter().work(examples.size() * problem.H * problem.d * problem.d_out / 4);  // values and outputs
    return kernel::sides_of_examples(problem, claim, given, examples, bits, [&](std::size_t done) {
      report_progress("outputs", done, examples.size());
    });
  });
  if (sides.above > 0) proof.script.counted("accurate", true, sides.above, problem.T, used);
  if (sides.below > 0) proof.script.counted("accurate", false, sides.below, problem.T, used);
  proof.reason =
      "some examples are too close to a tie, or to a distance of epsilon, to be told right or wrong";
}

}  // namespace attest
