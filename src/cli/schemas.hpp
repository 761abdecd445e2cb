// `attest schema`: JSON Schemas of case files, of certificates, of the output of --json and of surveys, with
// the names of the tables of src/theory.
#pragma once

#include <string>

namespace attest {

/// Of case files.
std::string case_schema();
/// Of certificates.
std::string certificate_schema();
/// docs/verify.schema.json.
std::string verify_schema();
/// Of survey.json, which `attest survey` writes.
std::string survey_schema();

}  // namespace attest
