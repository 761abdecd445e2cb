// The digest of a case's exact contents, which binds a certificate to the problem and not to files. The
// canonical text that is hashed is defined in docs/certificate.md.
#pragma once

#include <string>

#include "input/case_file.hpp"

namespace attest {

/// 64 hexadecimal digits: SHA-256 of the canonical text of the layer, the data, the weights and the claims.
/// Equal exact contents have equal digests, however and in whatever files they are written.
std::string problem_digest(const Case& source);

/// `shape CLASS SHA256` of an array, as in the canonical text: "2x3 f4 1f0a...".
std::string array_digest(const ExactArray& array);

}  // namespace attest
