// Assumptions 1 and 2 as hypotheses of a theorem: decided where feasible, with their witnesses.
#pragma once

#include "proofs/proof.hpp"

namespace attest {

struct Hypotheses {
  enum class Status { holds, fails, undecided };
  Status assumption_1 = Status::undecided;
  Status assumption_2 = Status::undecided;
  bool fails() const { return assumption_1 == Status::fails || assumption_2 == Status::fails; }
};
/// Decides both and appends the steps that do it.
Hypotheses decide_hypotheses(const Case& c, const Effort& effort, Json& steps);

/// "holds", "fails", "undecided", or "sufficient" when Assumption 1 is undecided but the conclusion is
/// proved, hence the instance's sufficient condition holds (F4).
const char* status_name(Hypotheses::Status status, bool conclusion_proved);

/// The end of a theorem whose only hypotheses these are: result and verdict. `open` is the reason when
/// neither a hypothesis fails nor the conclusion is proved.
void conclude(ClaimProof& proof, const Hypotheses& hypotheses, bool proved, const char* open);

}  // namespace attest
