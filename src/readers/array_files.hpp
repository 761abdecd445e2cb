// Readers of numpy's .npy and .npz files and of .safetensors files, from their bytes.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problem/exact_array.hpp"

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

/// What is wrong with a file name of another format, and what would be right (for an InputError): for those
/// of PyTorch, ONNX, HDF5, GGUF and CSV and for pickles two lines of Python that convert the file. It may be
/// a pointer of Git LFS, below the open `folder`.
std::pair<std::string, std::string> format_defect(const std::string& file, int folder = AT_FDCWD);

/// A .npy, .npz or .safetensors file whose header or directory was read, once for all of its arrays. Copies
/// share it.
///
/// .npy: format 1.0 to 3.0; f8 f4 f2 i8 i4 i2 i1 u1 b1 in either byte order; C or Fortran order; the name of
/// the array is not used. .npz: as numpy writes it, deflated or not; an array is the member of its name, or
/// else that with .npy behind it. .safetensors: F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL.
class ArrayFile {
public:
  /// `name` is how messages call the file; the bytes outlive this unless `owner` keeps them. Throws
  /// InputError on any defect but those of entries and of single members of an archive: wrong magic, a
  /// truncated, oversized or damaged header, sizes that do not agree, duplicate keys or names, bytes that
  /// belong to no array.
  ArrayFile(ArrayFormat format, std::string_view bytes, const std::string& name,
            const Owner& owner = nullptr);
  /// The arrays in the memory of this process that this name stands for. Precondition: is_in_memory(file).
  static ArrayFile in_memory(const std::string& file, const std::string& name);
  /// A file that the command line names, in memory or of at most 8 GiB. `mapped`: for its shapes alone, so
  /// that nothing but its header is read.
  static ArrayFile open(const std::string& file, bool mapped = false);

  /// Of the arrays, sorted; none for .npy.
  std::vector<std::string> names() const;
  /// Throws InputError, which lists the arrays there are when this is none of them.
  std::vector<std::size_t> shape(const std::string& array) const;
  /// The same, and for unsupported dtypes, NaN or infinity (with its index).
  ExactArray read(const std::string& array, const Reserve& reserve) const;

private:
  struct Contents;
  ArrayFile() = default;
  std::shared_ptr<const Contents> contents_;
};

/// Allows so many bytes for the arrays of a file.
Reserve reserve_at_most(std::uint64_t limit, const std::string& file);

/// An array that the command line names: FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME, of at most 8 GiB.
ExactArray read_array_argument(const std::string& argument);

/// Its shape alone; entries that are not finite go unnoticed. Throws InputError as read_array_argument.
std::vector<std::size_t> shape_of_array_argument(const std::string& argument);

/// An array in the memory of this process, which readers find as if it were in a file. One whose 'descr' is
/// 'numerals' has exact numbers that no type of a file holds: numerals (numbers.hpp), one a line.
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

/// Whether this name stands for an array of numerals: a case file has its entries inline.
bool is_inline(const std::string& file);

/// One of its arrays. Entries that are binary64, binary32 or 64-bit integers in row-major order are used in
/// place, all others are converted. Throws InputError as ArrayFile::read. Precondition: is_in_memory(file).
ExactArray memory_array(const std::string& file, const std::string& array, const std::string& name,
                        const Reserve& reserve);

/// The content of the file that it stands for. Precondition: is_in_memory(file), and not is_inline(file).
std::string memory_file_content(const std::string& file);

/// The transposed matrix. Precondition: two dimensions.
ExactArray transposed(const ExactArray& array);

/// FILE and NAME of such an argument; NAME is empty for .npy. Throws InputError as read_array_argument.
std::pair<std::string, std::string> split_array_argument(const std::string& argument);

}  // namespace attest
