// `attest verify`: runs every claim of every case, in child processes, and writes one
// certificate per case.
#pragma once

#include <string>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

struct VerifyOptions {
  std::vector<std::string> paths;
  std::string filter;  ///< of the files; empty for all
  std::string out = "certificates";
  unsigned jobs = 1;
  std::string json, junit, report;  ///< files; "-" for standard output; empty for none. At most one is "-".
  std::string shard;                ///< "3/8"; empty for all cases
  bool explain = false;             ///< with --json: the proofs in words too
  bool prune = false;               ///< removes certificates in `out` whose case is gone
  bool quiet = false;               ///< prints only what did not come out as expected, and the totals
  bool verbose = false;             ///< prints every claim, also of several cases or of folders
  CaseOptions each;
};

/// Returns the exit status; a case that cannot be run does not stop the others.
int verify(const VerifyOptions& options);

}  // namespace attest
