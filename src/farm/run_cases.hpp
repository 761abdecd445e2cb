// Many cases, each in a child process: what verify, shards and explore have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "answer/run_case.hpp"

namespace attest {

/// What a case's child has said, or why it has said nothing.
struct CaseEnding {
  std::string answer;
  std::string error;  ///< one line; empty when there is an answer
  int status = kAsExpected;
};

struct CaseRuns {
  std::size_t count = 0;
  unsigned jobs = 1;      ///< at the same time
  bool progress = false;  ///< is shown also when standard error is no terminal
  const char* what = "cases";
  std::function<std::filesystem::path(std::size_t)> file;  ///< of a case, for messages
  /// The answer on a case, in a child process. `shared`: in one that others use; then empty when it wants one
  /// of its own.
  std::function<std::optional<std::string>(std::size_t, bool shared)> run;
  std::function<void(std::size_t, const CaseEnding&)> done;  ///< in this process, in the order of the ends
};
void run_cases(const CaseRuns& runs);

/// run_case in a process of its own, or run_small_case in a `shared` one.
std::optional<CaseOutcome> verify_case(bool shared, const std::filesystem::path& file,
                                       const std::filesystem::path& certificate, const CaseOptions& options);

}  // namespace attest
