// Certificates to try the checker with: every claim of the shipped cases and of the checker's samples, each
// as a case with that claim alone, so that one claim is checked at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checker/check.hpp"

namespace attest::test {

using Json = nlohmann::json;

/// A proved claim. The problem keeps what the checker has converted, so it is made once.
struct Sheet {
  std::string name;  ///< "rank/four-heads.toml claim 0 (rank)"
  std::unique_ptr<Case> source;
  std::unique_ptr<checker::Problem> problem;
  Json steps;
  checker::ClaimReport report;  ///< of these steps
  std::uint64_t work = 0;       ///< that the checker announces for them

  const Claim& claim() const { return source->claims.front(); }
  /// The certificate with these steps in place of its own.
  Json certificate(const Json& changed) const;
};

/// Proves and checks the claims of all cases, or of those with T H n d <= largest, and checks the samples.
/// Throws when the checker rejects one of them.
std::vector<Sheet> corpus(std::size_t largest = SIZE_MAX);

}  // namespace attest::test
