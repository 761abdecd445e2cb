// The steps of a certificate as sentences: one for each rule, quantity and theorem schema, whatever statement
// they prove.
#pragma once

#include <string>
#include <vector>

#include "words/certificate.hpp"

namespace attest {

/// One step of a claim, or several that say the same for many numbers. Lines of `text` after the first are
/// its details; `source` names the theorem or principle that it applies.
struct StepInWords {
  std::size_t first = 0, last = 0;  ///< numbers in the certificate
  std::string text, source;
  std::vector<std::string> facts;  ///< the propositions that `text` quotes
};

/// The steps of a claim. Long numbers and lists are shortened unless `full`. Throws nlohmann::json::exception
/// or std::exception when they are not steps of this version's format; they need not have been checked.
std::vector<StepInWords> steps_in_words(const kernel::NumberedSteps& steps, bool full);

/// A principle that a step names, in a sentence; empty for an unknown name.
std::string source_in_words(const std::string& source);

/// Comparisons and Greek letters as mathematicians write them: ">=" becomes a sign.
std::string formulas(const std::string& text);

}  // namespace attest
