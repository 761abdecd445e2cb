#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/text.hpp"
#include "readers/array_layout.hpp"

namespace attest {
namespace {

constexpr const char* kRewrite = "write it with numpy.savez";

/// Why this is not an archive as it should be.
struct Defect {
  const char* what;
};

void require(bool holds, const char* otherwise) {
  if (!holds) throw Defect{otherwise};
}

/// The fields of a record, one after the other; numbers are little-endian.
class Fields {
public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  std::string_view text(std::uint64_t size) {
    require(size <= rest_.size(), "a record ends too early");
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, text(bytes).data(), bytes);
    return value;
  }
  std::size_t left() const { return rest_.size(); }

private:
  std::string_view rest_;
};

/// What a header of a member says, its own or that of the directory.
struct Header {
  std::string_view common;  ///< version, flags, method, time and CRC
  std::uint64_t packed, size, offset = 0;
  std::string_view name;
};

constexpr unsigned kEncrypted = 1, kLevel = 6, kUtf8 = 1 << 11;
constexpr std::uint64_t kWide = 0xFFFFFFFF;  ///< a number of 32 bits that stands for one of 64 elsewhere

/// The extra fields of a header: 64-bit numbers for those of `numbers` that are kWide, in this order, and
/// times and owners of files (of Info-ZIP), which mean nothing here. There are others that rename a member.
void read_extra(std::string_view extra, std::initializer_list<std::uint64_t*> numbers, bool both) {
  std::set<std::uint64_t> kinds;
  for (Fields fields(extra); fields.left() > 0;) {
    const std::uint64_t kind = fields.number(2);
    Fields field(fields.text(fields.number(2)));
    require(kinds.insert(kind).second, "an extra field is there twice");
    if (kind == 0x5455 || kind == 0x7875) continue;
    require(kind == 1, "an extra field is none that numpy writes");
    require(field.left() > 0, "an extra field is empty");
    // Python up to 3.11 gives the sizes in a member's own header as numbers of 32 bits too.
    for (std::uint64_t* const number : numbers) {
      if (*number != kWide && !both) continue;
      const std::uint64_t wide = field.number(8);
      require(*number == kWide || *number == wide, "a header contradicts itself");
      *number = wide;
    }
    require(field.left() == 0, "an extra field has too many numbers");
  }
  for (const std::uint64_t* const number : numbers)
    require(*number != kWide || kinds.contains(1), "a number of 64 bits is missing");
}

Header read_header(Fields& in, bool of_directory) {
  require(in.text(4) == (of_directory ? "PK\1\2" : "PK\3\4"), "a header does not begin where it should");
  if (of_directory) in.text(2);  // who made it
  Header header;
  header.common = in.text(14);
  header.packed = in.number(4);
  header.size = in.number(4);
  const std::uint64_t name_size = in.number(2), extra_size = in.number(2);
  if (of_directory) {
    require(in.number(2) == 0, "a member has a comment");
    require(in.number(2) == 0, "it is one of several parts");
    in.text(6);  // attributes of the file
    header.offset = in.number(4);
  }
  header.name = in.text(name_size);
  const std::string_view extra = in.text(extra_size);
  if (of_directory)
    read_extra(extra, {&header.size, &header.packed, &header.offset}, false);
  else
    read_extra(extra, {&header.size, &header.packed}, true);
  return header;
}

/// A name that every reader takes for the same: ASCII, or UTF-8 that says so.
void check_name(std::string_view name, bool utf8) {
  for (std::size_t at = 0; at < name.size();) {
    std::uint32_t code = 0;
    const std::size_t length = utf8_character(name, at, code);
    require(code != 0 && length > 0 && (length == 1 || utf8), "a name has a NUL or is not ASCII");
    at += length;
  }
}

/// Where the directory is, and how many members it has.
struct Directory {
  std::uint64_t start, size, count;
};

Directory read_end(std::string_view bytes) {
  require(bytes.size() >= 22, "it is too short");
  std::uint64_t end = bytes.size() - 22;
  Fields last(bytes.substr(end));
  require(last.text(4) == "PK\5\6", "it does not end with an end record");
  require(last.number(4) == 0, "it is one of several parts");
  const std::uint64_t here = last.number(2), count = last.number(2), size = last.number(4),
                      start = last.number(4);
  require(last.number(2) == 0, "it has a comment");
  Directory directory{start, size, count};
  require(here == count, "it contradicts itself");
  if (end >= 20 && bytes.substr(end - 20, 4) == "PK\6\7") {  // with numbers of 64 bits
    require(end >= 76, "it is too short");
    end -= 76;
    Fields wide(bytes.substr(end, 76));
    require(wide.text(4) == "PK\6\6" && wide.number(8) == 44, "its end record of 64 bits is damaged");
    wide.text(4);  // versions
    const std::uint64_t parts = wide.number(8), wide_here = wide.number(8);
    directory.count = wide.number(8);
    directory.size = wide.number(8);
    directory.start = wide.number(8);
    wide.text(4);
    require(parts == 0 && wide.number(4) == 0 && wide.number(8) == end && wide.number(4) == 1,
            "its end record of 64 bits is damaged");
    require(wide_here == directory.count && count == std::min<std::uint64_t>(directory.count, 0xFFFF) &&
                size == std::min(directory.size, kWide) && start == std::min(directory.start, kWide),
            "it contradicts itself");
  }
  require(directory.start <= end && directory.size == end - directory.start,
          "its directory does not end where its end record begins");
  return directory;
}

/// Decompresses into exactly these bytes. What is wrong, or nothing.
std::string inflate_into(std::string_view from, char* to, std::uint64_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;  // zlib counts in 32 bits
  std::uint64_t taken = 0, made = 0;
  unsigned char beyond = 0;
  int status = Z_OK;
  while (status == Z_OK && made <= size) {
    const auto in = static_cast<uInt>(std::min<std::uint64_t>(from.size() - taken, kMost));
    const auto out = static_cast<uInt>(made < size ? std::min(size - made, kMost) : 1);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data() + taken));
    stream.next_out = made < size ? reinterpret_cast<Bytef*>(to + made) : &beyond;
    stream.avail_in = in;
    stream.avail_out = out;
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status == Z_DATA_ERROR || status == Z_NEED_DICT)
    return "cannot be read: its compressed bytes are damaged";
  if (status != Z_STREAM_END || taken != from.size() || made != size)
    return "does not have the " + std::to_string(size) + " bytes that it says";
  return "";
}

}  // namespace

Archive::Archive(const File& file) : file_(file) {
  try {
    read_directory();
  } catch (const Defect& defect) {
    file.fail("", std::string("this is not a well-formed zip archive: ") + defect.what, kRewrite);
  }
}

void Archive::read_directory() {
  const std::string_view bytes = file_.bytes;
  const Directory directory = read_end(bytes);
  meter().work(20 * directory.size);
  Fields headers(bytes.substr(directory.start, directory.size)), content(bytes.substr(0, directory.start));
  while (headers.left() > 0) {
    const Header header = read_header(headers, true);
    require(header.offset == directory.start - content.left(),
            "a member is not where the one before it ends");
    const Header own = read_header(content, false);
    require(header.common == own.common && header.name == own.name && header.packed == own.packed &&
                header.size == own.size,
            "a member's header contradicts the directory");
    Fields common(header.common);
    require(common.number(2) <= 63, "a member needs a later version of the format");
    const auto flags = static_cast<unsigned>(common.number(2)),
               method = static_cast<unsigned>(common.number(2));
    common.text(4);  // time
    require((flags & 8) == 0,
            "the sizes of a member come after it, as in an archive that went through a pipe");
    require((flags & ~(kEncrypted | kLevel | kUtf8)) == 0,
            "a member is stored in a way that numpy does not know");
    check_name(header.name, (flags & kUtf8) != 0);
    const Member member{flags, method, common.number(4), header.size, content.text(header.packed)};
    require(members_.emplace(header.name, member).second, "two members have the same name");
  }
  require(content.left() == 0, "bytes that belong to no member stand before the directory");
  require(members_.size() == directory.count, "its directory has another number of members than it says");
}

std::vector<std::string> Archive::names() const {
  std::vector<std::string> out;
  for (const auto& [name, member] : members_) out.push_back(name);
  return out;
}

std::string_view Archive::content(const std::string& name, FileBytes& storage, const Reserve& reserve) const {
  const Member& member = members_.at(name);
  const auto fail = [&](const std::string& wrong, const std::string& right = kRewrite) {
    file_.fail("array " + one_line(name, 60), "it " + wrong, right);
  };
  if ((member.flags & kEncrypted) != 0) fail("is encrypted", "give an archive without a password");
  if (member.method != 0 && member.method != Z_DEFLATED) {
    file_.fail("array " + one_line(name, 60),
               "its compression method " + std::to_string(member.method) + " is not supported",
               "numpy.savez stores, numpy.savez_compressed deflates; both are supported");
  }
  std::string_view bytes = member.data;
  if (member.method == Z_DEFLATED) {
    reserve(member.size);
    meter().work(2 * (member.size + member.data.size()));
    storage = FileBytes(member.size);
    const std::string wrong = inflate_into(member.data, storage.data(), member.size);
    if (!wrong.empty()) fail(wrong);
    bytes = storage.view();
  }
  if (bytes.size() != member.size)
    fail("does not have the " + std::to_string(member.size) + " bytes that it says");
  meter().work(bytes.size() / 4);
  if (::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != member.crc)
    fail("cannot be read: CRC error");
  return bytes;
}

}  // namespace attest
