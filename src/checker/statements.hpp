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
/// or a step that the statement requires is missing. `cut_short`: the claim is undecided and has no steps.
Conclusion conclude(const Problem& problem, const Claim& claim, const Facts& facts, bool cut_short);

/// What is known of a statement with hypotheses and a conclusion.
struct Findings {
  std::map<std::string, std::string> hypotheses;
  bool proved = false, refuted = false;  ///< the conclusion
  Json result = Json::object();          ///< further keys
};
/// Lemmas 2 to 5 and Proposition 4 (without the assumptions, which `conclude` adds).
void conclude_lemma(const Problem& problem, const Claim& claim, const Facts& facts, Findings& findings);
/// Proposition 3, likewise.
void conclude_network(const Problem& problem, const Claim& claim, const Facts& facts, Findings& findings);
/// The result's `sweep` without its informative numbers. Throws Failure without a step for the claim's
/// lambda.
Json conclude_sweep(const Claim& claim, const Facts& facts, std::size_t upper);
/// Takes over what a certificate may state freely. Throws Failure when it is out of range.
void adopt_informative(const Problem& problem, const Json& stated, Json& result);
/// A hypothesis that the case decides; when it fails, the certificate must hold the witness.
std::string decided(const Facts& facts, bool holds, const char* witness);
/// A count below 2^63, otherwise a LimitError.
Json number(const Integer& value);

}  // namespace attest::checker
