// Readers of numpy's .npy and .npz files and of .safetensors files, from their bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/exact_array.hpp"

namespace attest {

/// Called with the bytes of memory that a reader is about to allocate, whatever a file claims to contain;
/// throws LimitError when that is too much.
using Reserve = std::function<void(std::uint64_t bytes)>;

/// What keeps the bytes of a file where they are. Readers that are given one use entries in place that are
/// binary64, binary32 or 64-bit integers, little-endian, in row-major order and aligned; the array keeps it.
using Owner = std::shared_ptr<const void>;

/// What a file is, by its name.
enum class ArrayFormat { npy, npz, safetensors };

/// The format of a file of this name, if it is one that can be read.
std::optional<ArrayFormat> array_format(const std::string& file);

/// What is wrong with a file name of another format, and what would be right (for an InputError). Says how a
/// pickle of PyTorch is converted.
std::pair<std::string, std::string> format_defect(const std::string& file);

/// A .npy file (format 1.0 to 3.0; f8 f4 f2 i8 i4 i2 i1 u1 b1 in either byte order; C or Fortran order).
/// `name` is how messages call the file. Throws InputError on any defect: wrong magic, truncated or oversized
/// header, unsupported dtype, sizes that do not agree, NaN or infinity (with its index).
ExactArray parse_npy(std::string_view bytes, const std::string& name, const Reserve& reserve,
                     const Owner& owner = nullptr);

/// One tensor of a .safetensors file (F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL). Throws InputError as above,
/// and when the header is not JSON, has duplicate keys, or the tensor is missing (the message lists those
/// there are).
ExactArray parse_safetensors(std::string_view bytes, const std::string& tensor, const std::string& name,
                             const Reserve& reserve, const Owner& owner = nullptr);

/// One array of a .npz file: the member `array`.npy, or `array` if that is a member's name. Throws InputError
/// as parse_npy, and when the archive is damaged, encrypted, compressed otherwise than by deflate, names a
/// member twice, or a member is not as long as it says.
ExactArray parse_npz(std::string_view bytes, const std::string& array, const std::string& name,
                     const Reserve& reserve);

/// The names that parse_npz takes, sorted. Throws InputError when the archive is damaged.
std::vector<std::string> npz_names(std::string_view bytes, const std::string& name);

/// The names of the arrays of a file; none for .npy. Throws InputError when the file is not well-formed.
std::vector<std::string> array_names(ArrayFormat format, std::string_view bytes, const std::string& name);

/// One array of a file of any format; `array` is not used for .npy.
ExactArray parse_array(ArrayFormat format, std::string_view bytes, const std::string& array,
                       const std::string& name, const Reserve& reserve, const Owner& owner = nullptr);

/// An array that the command line names: FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME, of at most 8 GiB.
ExactArray read_array_argument(const std::string& argument);

/// Its shape alone. Reads no more than the header of .npy and .safetensors files, so that entries that are
/// not finite go unnoticed. Throws InputError as read_array_argument.
std::vector<std::size_t> shape_of_array_argument(const std::string& argument);

/// An array in the memory of this process, which readers find as if it were in a file.
struct MemoryArray {
  std::string header;      ///< as in a .npy file: {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }
  std::string_view bytes;  ///< its entries; where they are used in place they must stay as they are
};

/// From here on the name FILE.npy stands for an array (under the name ""), FILE.safetensors for several, in
/// this process and for every folder. Throws InputError when a header is not valid or does not agree with the
/// number of bytes.
void hold_in_memory(const std::string& file, std::map<std::string, MemoryArray> arrays);

/// Whether a name (its last component) stands for arrays in memory.
bool is_in_memory(const std::string& file);

/// The names of its arrays. Precondition: is_in_memory(file).
std::vector<std::string> memory_array_names(const std::string& file);

/// One of them. Entries that are binary64, binary32 or 64-bit integers in row-major order are used in place,
/// all others are converted. Throws InputError as parse_npy. Precondition: is_in_memory(file).
ExactArray memory_array(const std::string& file, const std::string& array, const std::string& name,
                        const Reserve& reserve);

/// The content of the file that it stands for. Precondition: is_in_memory(file).
std::string memory_file_content(const std::string& file);

/// FILE and NAME of such an argument; NAME is empty for .npy. Throws InputError as read_array_argument.
std::pair<std::string, std::string> split_array_argument(const std::string& argument);

}  // namespace attest
