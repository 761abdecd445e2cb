// The facts that the steps of a certificate say they prove.
#pragma once

#include <optional>

#include "theory/statements.hpp"
#include "words/certificate.hpp"

namespace attest {

/// The fact of a step; none for a layer. Throws nlohmann::json::exception or std::invalid_argument when the
/// step has none.
std::optional<Fact> fact_of(const Json& step);

/// The facts of all steps, with what the case itself says. Refers to case and claim. Throws also
/// std::logic_error when they contradict each other.
FactBase facts_of(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps);

/// Where the steps of one claim narrow what another one is about, that claim names them too. The claims of
/// which this is so.
std::vector<std::size_t> share_facts(const Case& c, Json& certificate);

}  // namespace attest
