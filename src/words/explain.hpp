// `attest explain`: a certificate as a mathematician would write it.
#pragma once

#include <iosfwd>
#include <string>

namespace attest {

struct ExplainOptions {
  bool full = false;           ///< long numbers and lists in full
  bool check = true;           ///< run the checker on it first, when its case is there
  bool allow_outside = false;  ///< as in ReadOptions
};

/// Prints what the checker says of the certificate; what is to be proved, each step with its numbers and the
/// theorem that it applies, and, when the checker has accepted them, what the facts amount to; and the
/// theorems that were named. Throws InputError when the file is not a certificate of this version.
void explain(const std::string& file, const ExplainOptions& options, std::ostream& out);

}  // namespace attest
