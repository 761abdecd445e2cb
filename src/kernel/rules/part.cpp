// The rule `part`.
#include <algorithm>

#include "kernel/proof.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// capacity(k) >= or <= the bound that the steps give of the capacity of a part of the problem, k the
/// step's number: the same data with this number of heads, and these examples only.
Fact rules::part(const Step& step) {
  ENSURE(step.problem.source.layer && step.problem.source.data.contexts && step.problem.source.data.queries,
         "a case with a layer, contexts and queries", "another");
  const Word heads = step.has("heads") ? word(step["heads"]) : step.problem.H;
  const std::size_t most = std::max(step.problem.H, step.problem.T);  // more heads add nothing
  ENSURE(heads > 0 && heads <= most, "1 to " + count(most) + " heads", count(heads));
  const Part part{heads, step.has("examples") ? distinct_indices(step["examples"], step.problem.T)
                                              : all_below(step.problem.T)};
  ENSURE(!part.examples->empty(), "an example", "none");
  const Case its_case = part_of(step.problem.source, step.has("examples") ? part : Part{heads});
  const Problem problem(its_case);
  Proof inner(problem);
  inner.check_all(all_steps(step["steps"]));
  const Bounds capacity = inner.facts().of("capacity");
  const std::string name = "capacity(" + step.number + ")";
  step.define(part);
  return choice(step["side"], "above", "below") ? Fact::at_least(name, capacity.lower)
                                                : Fact::at_most(name, capacity.upper);
}

}  // namespace attest::kernel
