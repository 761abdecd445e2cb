// Readers of numpy's .npy files and of .safetensors files.
#pragma once

#include <filesystem>
#include <string>

#include "input/exact_array.hpp"

namespace attest {

/// Largest number of entries that a single array may have before it is refused (LimitError).
inline constexpr std::size_t kMaxArrayEntries = std::size_t{1} << 28;

/// Reads a .npy file (format 1.0 to 3.0; little-endian float32, float64, int32, int64; C or Fortran order).
/// `name` is how messages call the file. Throws InputError on any defect: unreadable, wrong magic, truncated
/// or oversized header, unsupported dtype, sizes that do not agree, NaN or infinity (with its index).
ExactArray read_npy(const std::filesystem::path& file, const std::string& name);

/// Reads one tensor of a .safetensors file (F64, F32, F16, BF16, I64, I32). Throws InputError as above, and
/// when the header is not JSON, has duplicate keys, or the tensor is missing (the message lists those there
/// are).
ExactArray read_safetensors(const std::filesystem::path& file, const std::string& tensor,
                            const std::string& name);

/// `F` of the command line: a .npy file, or `file.safetensors:tensor`.
ExactArray read_array_argument(const std::string& argument);

}  // namespace attest
