// The canonical problem as JSON (docs/certificate.md), as scripts/normalize_case.py writes it: a way to a
// case without the readers of src/readers.
#pragma once

#include <string>
#include <string_view>

#include "problem/case.hpp"

namespace attest::kernel {

/// Reads a problem that is written in the canonical form and no other: every number in its one numeral, no
/// key missing or unknown, all that a claim needs there and of its shape. The digest is computed from what
/// was read, and has to be the one that the file says. Throws InputError; `name` is how messages call the
/// file. The case has no title.
Case read_problem(std::string_view bytes, const std::string& name);

}  // namespace attest::kernel
