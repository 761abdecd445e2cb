// The steps of one claim, checked in order by the rules, and what follows from their facts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "kernel/certificate.hpp"
#include "kernel/quantities/saturation.hpp"
#include "theory/statements.hpp"

namespace attest::kernel {

/// What a certificate proves of a claim.
struct ClaimReport {
  Finding finding;
  std::vector<Fact> facts;  ///< of the steps
  std::string reason;       ///< why steps are missing, as the certificate says
};

/// What the claims of one problem have in common: kept by the first that needs it.
struct Shared {
  std::optional<Layer> given;
  /// By head, threshold and bits: halves the time of a question, which asks for all heads and for each.
  std::map<std::tuple<std::size_t, Rational, std::size_t>, Sides> saturated;
};

/// Checks the certificate's object for a claim. Throws Failure when it is not well-formed, or a step does not
/// prove its fact. `shared` is of this problem only.
ClaimReport check_claim(const Json& value, const Problem& problem, const Claim& claim, Shared& shared);

/// Puts the place before the message of a Failure or LimitError.
template <class Check>
auto located(const std::string& place, Check check) {
  try {
    return check();
  } catch (const Failure& failure) {
    throw Failure(place + failure.what());
  } catch (const LimitError& limit) {
    throw LimitError(place + limit.what());
  }
}

}  // namespace attest::kernel
