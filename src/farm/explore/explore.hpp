// `attest explore`: the capacity and the ranks over a grid of layers and data sets (docs/explore.md).
#pragma once

#include <string>

#include "answer/run_case.hpp"

namespace attest {

struct ExploreOptions {
  std::string sweep, out = "atlas";
  unsigned jobs = 1;
  std::string shard;      ///< "i/N"; empty for all cells
  std::string cell;       ///< write the cases and certificates of this cell only
  bool keep = false;      ///< write those of all cells
  bool progress = false;  ///< also when standard error is no terminal
  CaseOptions each;
};

/// Returns the exit status.
int explore(const ExploreOptions& options);

}  // namespace attest
