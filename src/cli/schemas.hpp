// `attest schema`: JSON Schemas of case files, of certificates, of the output of --json and of surveys, with
// the names of the tables of src/theory.
#pragma once

#include <string>

namespace attest {

/// Of "case", "certificate", "survey" (survey.json) or "verify" (docs/verify.schema.json).
std::string schema(const std::string& of);

}  // namespace attest
