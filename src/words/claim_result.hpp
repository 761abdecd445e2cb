// What a claim came to, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "theory/statements.hpp"
#include "words/certificate.hpp"

namespace attest {

/// A claim's object in the output of --json: what was claimed, what was found and expected, the answer, and
/// the numbers; `query_bias` says whether the layers that it is about, the given one or all of a shape, have
/// query biases. `facts` are those of `steps`; `reason` says why steps are missing; empty when nothing is.
Json claim_report(const Case& c, const Claim& claim, const FactBase& facts,
                  const kernel::NumberedSteps& steps, const std::string& reason, double seconds);

/// "verified", "refuted", ..., "verified-as-stated".
std::string expectation_text(const Claim& claim);

/// "neurons = 2, labels = given": the arguments of a claim that are short.
std::string arguments_text(const Claim& claim);

/// The name that the case gives the claim, from its report; empty when it has one made of what is claimed.
std::string given_name(const Json& report);
/// What was claimed, from a claim's report, as far as the name of the statement does not say it; may be
/// empty.
std::string describe_claim(const Json& report);
/// What the rank of a Jacobian says about T d_out labels: when it is as many, when it is less, else. Empty
/// for other statements.
std::string meaning_of(const Json& report);
/// What is said after the answer, each thing once: what was found besides, and the numbers of all kinds.
struct Besides {
  std::vector<std::string> findings, numbers;
};
Besides besides_the_answer(const Json& report);
/// "rank(Z) = 3; capacity = 4"
std::string in_a_row(const std::vector<std::string>& parts);
/// The answer, what was claimed where that is something else, what was found besides, and why more was not,
/// from a claim's report; with `numbers` also all numbers, those that nobody asked for too.
std::string describe(const Json& report, bool numbers = false, bool claimed_too = true);

}  // namespace attest
