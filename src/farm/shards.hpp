// `attest verify --shard` and `attest check --shard`: one part of many cases, with a ledger that remembers
// what is done (docs/clusters.md).
#pragma once

#include <string>
#include <vector>

#include "farm/verify.hpp"

namespace attest {

/// Runs the cases of options.shard; those that the ledger in options.out knows to be unchanged, with the same
/// certificate on the disk, are not run again. Returns the exit status.
int verify_shard(const VerifyOptions& options);

struct CheckShardOptions {
  std::vector<std::string> paths;  ///< certificates, or folders that are searched for *.json
  std::string out, shard;          ///< folder of the ledger; "3/8"
  unsigned jobs = 1;
  bool force = false, allow_outside = false, ignore_expectations = false;
  std::uint64_t memory = std::uint64_t{8} << 30;  ///< bytes per certificate
  std::uint64_t work = 2'000'000'000'000;         ///< counted operations per certificate
};
/// The same for checking certificates.
int check_shard(const CheckShardOptions& options);

}  // namespace attest
