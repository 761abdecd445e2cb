// What the readers of .npy, .npz and .safetensors files share: where an array lies in a file, of what type
// its entries are, and how they become an ExactArray. Private to src/readers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/regular_file.hpp"
#include "readers/array_files.hpp"

namespace attest {

/// The bytes of a file; errors name it.
struct File {
  std::string_view bytes;
  std::string name;

  [[noreturn]] void fail(const std::string& place, const std::string& wrong, const std::string& right) const;
};

struct Layout;

/// A type of entries.
struct EntryType {
  const char *npy, *tensor;   ///< as .npy (empty: not there) and .safetensors files call it
  std::size_t width, stored;  ///< bytes of an entry in a file and in an ExactArray
  /// The entries that lie at `bytes`, in row-major order. Null: such tensors are known but cannot be read.
  ExactArray::Storage (*load)(const char* bytes, std::size_t count, const Layout& layout) = nullptr;
  /// The same where they are, if they are aligned. Null: an ExactArray has no such entries.
  ExactArray::Storage (*lend)(const char* bytes, std::size_t count) = nullptr;
};

/// The type of this name; null when there is none.
const EntryType* npy_type(std::string_view name);
const EntryType* tensor_type(std::string_view name);
/// That of MemoryArray's numerals, which have no width.
const EntryType* numerals_type();

/// What is known of an array once its header was read.
struct Layout {
  const EntryType* type = nullptr;  ///< one that can be read, or null
  std::string type_name;            ///< as the file has it
  bool big_endian = false, fortran = false;
  std::vector<std::size_t> shape;
  std::string_view bytes;  ///< the entries
  std::string place;       ///< "tensor NAME", or empty
};

/// The number of entries times `width`; nothing when that is 2^64 or more.
std::optional<std::uint64_t> byte_count(const std::vector<std::size_t>& shape, std::size_t width);

/// Reads the entries, in place if `in_place` and possible, and then kept by `owner`. Precondition: there are
/// as many bytes as the layout says.
ExactArray read_entries(const File& file, const Layout& layout, const Reserve& reserve, bool in_place,
                        const Owner& owner = nullptr);

/// The array of a .npy file.
Layout npy_layout(const File& file);
/// An array of these bytes that such a header describes.
Layout npy_layout(const File& file, std::string header, std::string_view bytes);

/// The tensors of a .safetensors file, which is well-formed.
std::map<std::string, Layout> tensor_layouts(const File& file);

/// A zip archive as numpy writes it: its members lie one behind the other from the first byte on, in the
/// order of the directory, which follows them and is followed by its end record alone. Both headers of a
/// member say the same. So whoever reads it, from whichever end, sees the same members.
class Archive {
public:
  explicit Archive(const File& file);

  std::vector<std::string> names() const;  ///< of all members, in order
  bool contains(const std::string& name) const { return members_.contains(name); }
  /// The content of a member, in the archive or in `storage`. Precondition: contains(name).
  std::string_view content(const std::string& name, FileBytes& storage, const Reserve& reserve) const;

private:
  struct Member {
    unsigned flags, method;
    std::uint64_t crc, size;
    std::string_view data;  ///< as it is stored
  };
  void read_directory();

  const File& file_;
  std::map<std::string, Member> members_;
};

}  // namespace attest
