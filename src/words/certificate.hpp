// Certificates as files (docs/certificate.md).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "problem/case.hpp"

namespace attest {

using Json = nlohmann::ordered_json;

/// What a claim's part of a certificate says.
struct ClaimSteps {
  Json steps = Json::array();
  std::string reason;  ///< why steps are missing; may be empty
};

/// The certificate of a case (one entry for each of its claims), as it will lie in `folder`. `digest` is that
/// of the case's contents (problem/digest.hpp).
Json certificate(const Case& c, const std::string& digest, const std::vector<ClaimSteps>& claims,
                 const std::filesystem::path& folder);

/// JSON of which values that fit go on one line, and short entries of arrays, with `objects` also those of
/// objects, are filled into lines.
std::string filled(const Json& json, bool objects, std::size_t indent = 0);
/// The text of a certificate.
std::string certificate_text(const Json& json);

}  // namespace attest
