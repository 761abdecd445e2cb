// Certificates to try the checker with: every claim of the shipped cases and of the checker's samples, each
// as a case with that claim alone, so that one claim is checked at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/check_file.hpp"

namespace attest::test {

using Json = nlohmann::json;

constexpr double kQuickCheck = 0.01;  ///< processor seconds of a check that can be made again and again

/// A proved claim. The problem keeps what the checker has converted, so it is made once.
struct Sheet {
  std::string name;  ///< "rank/four-heads.toml claim 0 (rank)"
  std::unique_ptr<Case> source;
  std::unique_ptr<kernel::Problem> problem;
  Json steps;
  kernel::ClaimReport report;  ///< of these steps
  bool quick = false;          ///< a check of them takes at most kQuickCheck

  const Claim& claim() const { return source->claims.front(); }
  /// The certificate with these steps in place of its own.
  Json certificate(const Json& changed) const;
};

/// Proves and checks the claims of all cases (of those in the folder ATTEST_CASES, when it is given) with
/// T H n d <= largest, and checks the samples. Takes the proofs from the certificates in the folder
/// ATTEST_CERTIFICATES, where they are for the cases as they are now. Throws when the checker rejects one.
std::vector<Sheet> corpus(std::size_t largest = SIZE_MAX);

}  // namespace attest::test
