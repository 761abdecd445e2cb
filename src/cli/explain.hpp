#pragma once

#include <iosfwd>
#include <string>

namespace attest {

/// Prints a certificate as a mathematician would write it: each claim, each step with its numbers and its theorem. Long numbers
/// are shortened unless `full`. Throws InputError when the file is not a certificate of this version.
void explain(const std::string& file, bool full, std::ostream& out);

}  // namespace attest
