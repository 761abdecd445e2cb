// `attest merge`: the ledgers of all shards as one manifest, whose root commits to what was proved of which
// contents (docs/guide.md).
#pragma once

#include <string>
#include <vector>

namespace attest {

struct MergeOptions {
  std::vector<std::string> ledgers;
  std::string out;  ///< the manifest; empty: manifest.jsonl beside the first ledger
};

/// Throws InputError, which says what is missing, double or contradictory, unless the ledgers are those of
/// all shards of one run and every certificate is the one that its line is about. Returns the exit status of
/// the verdicts: as expected or not.
int merge(const MergeOptions& options);

}  // namespace attest
