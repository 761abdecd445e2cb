// Small certificates made by hand: every rule, theorem and kind of verdict at least once. They are files:
// tests/checker/samples/NAME has a case, its certificate, and changes of this that are rejected (samples.py
// runs them by hand).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/check_file.hpp"
#include "tests/support/case_text.hpp"
#include "tests/support/text.hpp"

namespace attest::test {

using Json = nlohmann::json;

/// What a certificate is changed by, and what the rejection says.
struct Rejection {
  Json patch;  ///< a JSON Patch (RFC 6902)
  std::string about, says;
};

struct Sample {
  std::string name;
  std::string toml;  ///< the case
  Json certificate;  ///< its claims share no steps
  std::vector<Rejection> rejections;
  Json claims;  ///< each with its own steps, numbered from 0
};

const std::vector<Sample>& samples();
const Sample& sample(const std::string& name);
/// JSON in which v(1 -2 / 3) stands for the Vector (1/3, -2/3), and ' for ".
Json json_of(std::string text);

/// The certificate of claims each of which has steps of its own, numbered from 0: none are shared.
Json certificate_of(const kernel::Problem& problem, Json claims);

/// "valid: verified, refuted, ..." or what was thrown: "rejected: ...", "bad input: ...", "limit: ...".
std::string verdict(const kernel::Problem& problem, const std::string& bytes);
/// ... of a case and what its certificate claims,
std::string verdict_of(const std::string& toml, const Json& claims);
/// ... of a sample whose claims were changed,
std::string verdict_after(const std::string& sample, const std::function<void(Json& claims)>& change);
/// ... at a JSON pointer ("/0/steps/1/p"),
std::string verdict_with(const std::string& sample, const std::string& pointer, const Json& value);
/// ... whose case was changed: the first occurrence of `from` in the TOML text becomes `to`.
std::string verdict_with_case(const std::string& sample, const std::string& from, const std::string& to);

}  // namespace attest::test
