// Files that are opened once and read once: what is parsed, hashed and decided on are the same bytes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace attest {

/// A file descriptor that is closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int number() const { return number_; }

private:
  int number_;
};

/// The bytes of a file, in memory or mapped. Copies share them.
class FileBytes {
public:
  FileBytes() = default;
  /// Bytes to be written, aligned for every type.
  explicit FileBytes(std::size_t size) : bytes_(new char[size]), size_(size) {}
  /// Bytes that lie somewhere; `owner` lets go of them.
  FileBytes(std::shared_ptr<char[]> owner, std::size_t size) : bytes_(std::move(owner)), size_(size) {}
  /// Precondition: made by size.
  char* data() { return bytes_.get(); }
  std::string_view view() const { return {bytes_.get(), size_}; }
  /// Keeps the bytes where they are.
  std::shared_ptr<const void> owner() const { return bytes_; }

private:
  std::shared_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

/// Why a file cannot be read, to follow "cannot be read: " in an InputError of the caller's.
class FileError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A regular file, open for reading.
class RegularFile {
public:
  /// Opens `path`; a relative one is below the open folder `folder` (AT_FDCWD: the working directory).
  /// Never blocks: a FIFO, device, socket or folder is a FileError, as is a file that cannot be opened.
  RegularFile(int folder, const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  /// Equal for two open files exactly when they are the same file.
  std::pair<dev_t, ino_t> identity() const { return identity_; }
  /// The whole content; check size() against the limits first. Call once. Throws FileError when reading
  /// fails or the file changes its size meanwhile.
  FileBytes read() { return read(size_); }
  /// Its first `most` bytes, or the whole content.
  FileBytes read(std::uint64_t most);
  /// Copies its first `size` bytes, as read.
  void fill(char* to, std::uint64_t size) const;
  int descriptor() const { return descriptor_.number(); }

private:
  Descriptor descriptor_;
  std::uint64_t size_ = 0;
  std::pair<dev_t, ino_t> identity_;
};

/// The content of a regular file of at most `limit` bytes. Throws InputError when it cannot be read, and
/// LimitError, before reading, when it is larger; `name` is how messages call it.
FileBytes read_regular_file(const std::filesystem::path& file, const std::string& name, std::uint64_t limit);

}  // namespace attest
