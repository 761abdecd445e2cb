// What a claim came to, answer first, and what was found in its proof, for all outputs alike.
#pragma once

#include <string>

#include "theory/statements.hpp"
#include "words/certificate.hpp"

namespace attest {

/// The answer to a claim in one sentence: "rank(Z) = 12 of 12", "every context has rank n = 3". `facts` are
/// those of the claim's proof, `findings` what findings_of says of it.
std::string answer_in_words(const Case& c, const Claim& claim, const FactBase& facts, const Json& findings);

/// What is concluded, and no number above what it is of.
Finding concluded(const Claim& claim, const FactBase& facts);

/// What is concluded, of its numbers those of which more is proved than sizes say.
Finding what_is_known(const Case& c, const Claim& claim, const FactBase& facts);

/// What the steps of a claim show beyond its numbers: a lambda that is enough, labels, equal and constant
/// heads, an example that breaks an assumption, examples that depend on each other. A list of objects:
/// "kind", "says" (a sentence) and what it is about (docs/guide.md, Results as JSON). Precondition: the steps
/// are proved.
Json findings_of(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps);

}  // namespace attest
