// Running one case in this process: every claim is decided, and the certificate written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "certificate/certificate.hpp"
#include "input/case_file.hpp"

namespace attest {

/// Exit statuses (docs: README). A bad file's status wins over the others'.
enum ExitStatus { kAsExpected = 0, kUnexpected = 1, kBadInput = 2, kLimit = 3 };
/// The status of a run in which both occurred.
int worse(int a, int b);

struct CaseOptions {
  double timeout = 0;                             ///< seconds per claim, 0 for none
  std::uint64_t memory = std::uint64_t{8} << 30;  ///< bytes per case
  std::uint64_t work = 0;                         ///< counted operations on words per case, 0 for no limit
  bool allow_outside = false;
  std::size_t readout_limit = 0;  ///< 0: the default effort
  bool page = false;              ///< also the case's part of the HTML page
};

/// What one case gave. `report` is its object in the output of --json.
struct CaseOutcome {
  Json report;
  int status = kAsExpected;
  std::string error;  ///< one line, when the case could not be run
  std::string html;   ///< its part of the page, when there will be one
};

/// The outcome of a case that could not be run.
CaseOutcome not_run(const std::filesystem::path& file, int status, const std::string& error);

/// Limits this process to the memory and work of a case.
void limit_process(const CaseOptions& options);

/// What the claims of a case come to, and its certificate as it will lie in `folder`.
struct ProvedCase {
  Json claims = Json::array();  ///< as in the output of --json
  Json certificate;
  int status = kAsExpected;
};

/// Decides every claim of a case, in this process. Writes nothing.
ProvedCase prove_case(const Case& c, const std::filesystem::path& folder, const CaseOptions& options);

/// Reads and runs one case and writes its certificate. Bad input and limits end up in the outcome; anything
/// else is thrown.
CaseOutcome run_case(const std::filesystem::path& file, const std::filesystem::path& certificate,
                     const CaseOptions& options);

}  // namespace attest
