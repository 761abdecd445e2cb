// What the facts of a proof amount to, in words, with the reason.
#pragma once

#include <vector>

#include "words/certificate.hpp"
#include "words/words.hpp"

namespace attest {

/// "T = 3 examples, H = 2 heads, ...": the sizes of a case; empty when it has no layer.
Line sizes_in_words(const Case& c);

/// What is to be proved: the claim with its numbers and arguments, and the hypotheses as propositions. One
/// line each.
std::vector<Line> claim_in_words(const Case& c, const Claim& claim);

/// What the facts of the steps prove of the claim: what is known of each hypothesis and of the conclusion,
/// and from which step, and the verdict; `in_short`: with the answer and what was found besides. One line
/// each. Precondition: the steps are proved.
std::vector<Line> conclusion_in_words(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps,
                                      bool in_short);

}  // namespace attest
