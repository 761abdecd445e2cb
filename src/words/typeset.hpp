// Sentences with formulas as HTML with MathML.
#pragma once

#include <string>

namespace attest {

/// HTML for a sentence of attest's own: what reads as a formula (comparisons, sums and products of letters,
/// numbers and functions, subscripts, powers) becomes MathML, all else is escaped. The text of the result is
/// that of the sentence but for blanks, the marks _ ^ { }, and other signs for - * . ' sum.
std::string typeset(const std::string& text);

}  // namespace attest
