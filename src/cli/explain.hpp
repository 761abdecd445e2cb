#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "certificate/certificate.hpp"

namespace attest {

/// A step of a proof, in words: one step of a certificate, or several that say the same for many numbers.
/// Lines of `text` after the first are its details.
struct StepInWords {
  std::string text, theorem;
};
/// The steps of a certificate's claim.
std::vector<StepInWords> steps_in_words(const Json& claim, bool full);

/// What a statement is called in the paper: "Theorem 1" for theorem-1.
std::string statement_in_words(const std::string& statement);

/// What the verdict of a certificate's claim rests on and says, as the last sentence of its proof.
std::string conclusion_in_words(const Json& claim);

/// The theorem that a step names, stated in a sentence or two; empty for a name that is not known.
std::string theorem_in_words(const std::string& theorem);

/// Prints a certificate as a mathematician would write it: each claim with what is to be proved, each step
/// with its numbers and its theorem, the conclusion, and at the end the theorems that were named. Long
/// numbers are shortened unless `full`. Throws InputError when the file is not a certificate of this version.
void explain(const std::string& file, bool full, std::ostream& out);

}  // namespace attest
