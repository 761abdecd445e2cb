// Numerals of files, which the meter counts.
#pragma once

#include <string_view>

#include "base/integers.hpp"

namespace attest {

/// parse_number, on the meter.
mpq_class read_numeral(std::string_view text);

/// Bytes that a rational number occupies, with its limbs.
std::size_t rational_bytes(const mpq_class& value);

}  // namespace attest
