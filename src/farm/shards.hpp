// One part of many cells of a sweep, with a ledger that remembers what is done (docs/explore.md).
#pragma once

#include <string>
#include <vector>

#include "farm/ledger.hpp"
#include "farm/verify.hpp"

namespace attest {

/// What a child says of its case.
struct CaseWord {
  LedgerLine line;
  bool kept = false;  ///< nothing was run: the line is the ledger's
  int status = kAsExpected;
  std::string text = {};  ///< for standard output
};

/// What is run of one shard, and how.
struct ShardRun {
  std::string by, effort, limits;  ///< as in LedgerHeader
  std::string out;                 ///< folder of the ledger
  std::string shard;               ///< "3/8"
  unsigned jobs = 1;
  bool force = false;              ///< nothing is known
  bool progress = false;           ///< as in CaseRuns
  std::vector<std::string> names;  ///< of the cases of all shards, as ledgers have them
  std::function<std::filesystem::path(std::size_t)> file;
  /// The word on a case, of which the ledger may know something (nullptr: nothing). `shared`: as in CaseRuns.
  std::function<std::optional<CaseWord>(std::size_t, const LedgerLine* known, bool shared)> run;
  /// A line that stands without a child's looking at the case; by default none does.
  std::function<const LedgerLine*(std::size_t, const LedgerLine* known)> stands = nullptr;
  std::function<void(const LedgerLine&)> told = nullptr;  ///< each line that the ledger has now
};

struct ShardTotals {
  int status = kAsExpected;
  std::size_t cases = 0, unchanged = 0, unexpected = 0, not_run = 0;
  std::map<std::string, std::size_t> verdicts;
};
/// Runs the cases that fall to the shard, and writes what they come to into its ledger.
ShardTotals run_shard(const ShardRun& run);

/// The line on a case whose certificate has this name below the folder of the ledger.
LedgerLine ledger_line_of(const CaseOutcome& outcome, const std::string& name);

/// What of a run's options its ledger remembers: `effort` and `limits`.
void set_options(ShardRun& run, const CaseOptions& options);

}  // namespace attest
