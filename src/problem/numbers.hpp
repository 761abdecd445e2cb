// Exact numerals: the strings that stand for numbers in case files and certificates.
#pragma once

#include <string>
#include <string_view>

#include "base/integers.hpp"

namespace attest {

/// Reads `p`, `p/q`, a decimal ("-0.25", "1e-3": one thousandth) or a hexadecimal float ("-0x1.8p-3": the
/// binary value) exactly, of any length. Throws std::invalid_argument, whose text says what is wrong and what
/// would be right (empty, stray characters, zero denominator, exponent beyond +-100000).
mpq_class parse_number(std::string_view text);

/// `p` or `p/q` in lowest terms.
std::string number_text(const mpq_class& value);

}  // namespace attest
