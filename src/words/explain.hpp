// `attest explain`: a certificate as a mathematician would write it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

#include "words/outcome.hpp"

namespace attest {

struct ExplainOptions {
  bool full = false;                                ///< long numbers and lists in full
  std::optional<std::size_t> claim = std::nullopt;  ///< only this one, counted from 0
  bool check = true;                                ///< run the checker on it first, when its case is there
  bool allow_outside = false;                       ///< as in ReadOptions
  std::optional<std::filesystem::path> case_path = std::nullopt;  ///< where the case is, when it has moved
};

/// Prints what the checker says of the certificate; what is to be proved, each step with its numbers and the
/// theorem that it applies, and, when the checker has accepted them, what the facts amount to; and the
/// theorems that were named. Returns the exit status of `attest check`; kAsExpected without the checker.
/// Throws InputError when the file is not a certificate of this version.
ExitStatus explain(const std::string& file, const ExplainOptions& options, std::ostream& out);

/// A certificate that the checker accepts, as data from which theorems are typeset (tools/latex.py): the keys
/// of `explained` (explained.hpp), "certificate" and "case" (paths), "sha256" (of the certificate), "digest"
/// (of the case), "attest", "title", "as_expected", "data": [{"name", "shape", "entries": texts, null when
/// they are many}], and in each claim "index", "name" and "verdict". Throws as kernel::check_file.
Json certified_proofs(const std::string& file, const ExplainOptions& options);

}  // namespace attest
