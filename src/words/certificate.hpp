// Certificates as files (docs/certificate.md).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "kernel/certificate.hpp"
#include "problem/case.hpp"

namespace attest {

using Json = nlohmann::ordered_json;

/// The proof of a claim.
struct ClaimSteps {
  Json steps = Json::array();  ///< numbered from 0
  std::string reason;          ///< why steps are missing; may be empty
};

/// The certificate of a case (one entry for each of its claims), as it will lie in `folder`: steps that
/// several claims have stand in it once. `digest` is that of the case's contents (problem/digest.hpp).
Json certificate(const Case& c, const std::string& digest, std::vector<ClaimSteps> claims,
                 const std::filesystem::path& folder);

/// The steps of a claim of a certificate, which outlives them. Throws Failure when it names others, or
/// nlohmann::json::exception when there is no such claim.
kernel::NumberedSteps steps_of(const Json& certificate, std::size_t claim);

/// A step of a certificate and all that it rests on.
std::set<std::size_t> with_premises(const Json& certificate, std::size_t step);

/// JSON of which values that fit go on one line, and short entries of arrays, with `objects` also those of
/// objects, are filled into lines.
std::string filled(const Json& json, bool objects, std::size_t indent = 0);
/// The text of a certificate.
std::string certificate_text(const Json& json);

}  // namespace attest
