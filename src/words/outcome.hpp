// What running one case came to.
#pragma once

#include <filesystem>
#include <string>

#include "words/certificate.hpp"

namespace attest {

/// Exit statuses (docs: README). A bad file's status wins over the others'.
enum ExitStatus { kAsExpected = 0, kUnexpected = 1, kBadInput = 2, kLimit = 3 };
/// The status of a run in which both occurred.
int worse(int a, int b);

/// What one case gave. `report` is its object in the output of --json.
struct CaseOutcome {
  Json report = {};
  int status = kAsExpected;
  std::string error = {};  ///< one line, when the case could not be run
  Json explained = {};     ///< its proofs in words, when they were asked for
  /// Something is undecided because a limit was hit, or one was hit: other limits may lead to more.
  bool limited = false;
  bool cut_off = false;          ///< a limit of --timeout, --memory or --work was hit
  std::string digest = {};       ///< of the contents
  std::string certificate = {};  ///< its text, when it was written
};

/// The outcome of a case that could not be run.
CaseOutcome not_run(const std::filesystem::path& file, int status, const std::string& error);

}  // namespace attest
