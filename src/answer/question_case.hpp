// A question as a case: the sizes that its arrays show, and the claims that are asked for.
#pragma once

#include <string>
#include <vector>

#include "answer/question.hpp"
#include "readers/case_values.hpp"

namespace attest {

/// The values of the case file that `out` keeps; there and then the arrays are copied to its folder, unless
/// they lie below it. A numerical rank without a tolerance has the tolerance 1. Throws InputError for arrays
/// that cannot be read or do not fit each other, LimitError.
CaseValues case_of(const Question& question);

/// What the answer to the question of this case takes for granted or leaves out.
std::vector<std::string> notes_of(const Question& question, const CaseValues& values);

}  // namespace attest
