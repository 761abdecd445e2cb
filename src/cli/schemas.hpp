// `attest schema`: JSON Schemas of case files, of certificates and of the output of --json, with the names of
// the tables of src/statements.
#pragma once

#include <string>

namespace attest {

/// Of case files.
std::string case_schema();
/// Of certificates.
std::string certificate_schema();
/// docs/verify.schema.json.
std::string verify_schema();

}  // namespace attest
