#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "certificate/certificate.hpp"

namespace attest {

/// A step of a certificate. Lines of `text` after the first are its details.
struct StepInWords {
  std::string text, theorem;
};
std::vector<StepInWords> steps_in_words(const Json& steps, bool full);

/// Prints a certificate as a mathematician would write it: each claim, each step with its numbers and its
/// theorem. Long numbers are shortened unless `full`. Throws InputError when the file is not a certificate of
/// this version.
void explain(const std::string& file, bool full, std::ostream& out);

}  // namespace attest
