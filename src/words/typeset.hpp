// Formulas of pages as MathML.
#pragma once

#include <string>

#include "words/words.hpp"

namespace attest {

/// HTML of a line with its propositions as MathML; all else is text, with signs as mathematicians write them.
std::string typeset(const Line& line);

}  // namespace attest
