// What a question shows beside its answer: floating point, ranks of the first heads, dependent examples, and
// a picture. Nothing is decided by it.
#pragma once

#include <string>
#include <vector>

#include "answer/question.hpp"

namespace attest {

/// Adds to the first of the claims, as printed by --json, what the question asks for, "dependent_examples"
/// when the rank is known and some examples depend on others, and writes the picture of --svg. `steps`: of
/// that claim. Throws InputError and LimitError.
void add_extras(const Question& question, const Case& c, const kernel::NumberedSteps& steps, Json& claims);

/// The same as lines of text.
std::vector<std::string> extras_text(const Json& claim);
/// The capacity by the number of heads, a bar each, from the claims about it.
std::string capacity_bars(const Json& claims);

}  // namespace attest
