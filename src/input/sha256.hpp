#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attest {

/// SHA-256 as 64 lower-case hexadecimal digits (OpenSSL).
std::string sha256_hex(std::string_view bytes);
/// SHA-256 of a file's bytes. Throws InputError when it cannot be read.
std::string sha256_file(const std::filesystem::path& file);

}  // namespace attest
