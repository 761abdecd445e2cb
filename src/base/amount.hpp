// Amounts of memory and work, as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace attest {

/// The value of an option like --memory or --work: a whole number, or a decimal with one of the suffixes K,
/// M, G, T for powers of `unit` (1024 for bytes, 1000 for operations): "8G", "1.5G", "500M", "1000000".
/// Throws InputError, which names `option`, for anything else: signs, nan, zero, values that are not whole or
/// are beyond 2^63 - 1.
std::uint64_t parse_amount(const std::string& text, const std::string& option, std::uint64_t unit);

}  // namespace attest
