// Which steps belong to which statement, and the verdict that they lead to.
#pragma once

#include <string>

#include "checker/steps.hpp"

namespace attest::checker {

/// Whether a claim of this statement may have such a step.
bool step_belongs(const std::string& statement, const std::string& argument);
/// Whether a claim of this statement may be about the layer "given", "random" or "construction".
bool layer_belongs(const std::string& statement, const std::string& layer);

struct Conclusion {
  Verdict verdict = Verdict::undecided;
  Json result = Json::object();
};

/// The verdict and the result that follow from the facts. Throws Failure when the facts do not fit together
/// or a step that the statement requires is missing.
Conclusion conclude(const Problem& problem, const Claim& claim, const Facts& facts);

}  // namespace attest::checker
