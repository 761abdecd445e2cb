// `attest export --coq`: one claim of a certificate as a Coq file that proves it again
// (proofs/formal/REPLAY.md).
#pragma once

#include <optional>
#include <string>

namespace attest {

struct ExportOptions {
  std::string certificate;
  std::optional<std::size_t> claim;  ///< index; the first claim that can be exported when absent
  std::string out;                   ///< file; standard output when empty
  bool coq = false;
  bool allow_outside = false;
};

/// Writes the file. Throws InputError, which says why, when the certificate, its case or the claim is not one
/// that Coq can replay.
void export_coq(const ExportOptions& options);

}  // namespace attest
