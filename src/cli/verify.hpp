// `attest verify`: runs every claim of every case, each case in a process of its own, and writes one certificate per case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "certificate/certificate.hpp"

namespace attest {

/// Exit statuses (docs: README). A bad file's status wins over the others'.
enum ExitStatus { kAsExpected = 0, kUnexpected = 1, kBadInput = 2, kLimit = 3 };
/// The status of a run in which both occurred.
int worse(int a, int b);

struct VerifyOptions {
  std::vector<std::string> paths;
  std::string out = "certificates";
  unsigned jobs = 1;
  std::string json, junit;  ///< files; "-" for standard output; empty for none
  double timeout = 0;       ///< seconds per claim, 0 for none
  double memory_gib = 8;    ///< per case
  bool allow_outside = false;
  std::size_t readout_limit = 0;  ///< 0: the default effort
};

int verify(const VerifyOptions& options);

/// What one case gave. `report` is its object in the output of --json.
struct CaseOutcome {
  Json report;
  int status = kAsExpected;
  std::string error;  ///< one line, when the case could not be run
};

/// Reads and runs one case in this process and writes its certificate.
CaseOutcome run_case(const std::filesystem::path& file, const std::filesystem::path& certificate, const VerifyOptions& options);

/// "rank(Z) = 9; 3 <= Kruskal rank <= 5; ..." from the `result` of a claim.
std::string describe_result(const Json& result);

}  // namespace attest
