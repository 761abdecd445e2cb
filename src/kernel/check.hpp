// The kernel's entry points: a certificate against a problem (docs/certificate.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/certificate.hpp"
#include "kernel/proof.hpp"

namespace attest::kernel {

/// What a certificate proves of a claim.
struct ClaimReport {
  Finding finding;
  std::vector<Fact> facts;  ///< of the steps that it names
  std::string reason;       ///< why steps are missing, as the certificate says
};

/// What a certificate proves: one report for each claim of the case.
using CheckReport = std::vector<ClaimReport>;

/// Checks a certificate in memory; `name` is how messages call it. Returns normally only when every step of
/// every claim is proved. Throws Failure, with the place ("claim 0 (rank): step 2 (minor): "); InputError
/// (not JSON, another format); LimitError.
CheckReport check(const Problem& problem, std::string_view certificate,
                  const std::string& name = "certificate");

/// The same in two parts: the certificate with its own keys checked (throws InputError for another format),
/// and its claims.
Json read_certificate(std::string_view bytes, const std::string& name);
CheckReport check_claims(const Problem& problem, const Json& certificate);

}  // namespace attest::kernel
