#include "base/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/errors.hpp"
#include "base/parallel.hpp"

namespace attest {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a folder";
  if (S_ISFIFO(mode)) return "it is not a regular file but a FIFO";
  if (S_ISSOCK(mode)) return "it is not a regular file but a socket";
  return "it is not a regular file but a device";
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

RegularFile::RegularFile(int folder, const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO returns at once, to be refused below. It means nothing for regular files.
  descriptor_ = Descriptor(::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (descriptor_.number() < 0) {
    if (errno == ENOENT) throw FileError("there is no such file");
    // A socket, or a device without a driver.
    throw FileError(errno == ENXIO ? "it is not a regular file" : std::strerror(errno));
  }
  struct stat status;
  if (::fstat(descriptor_.number(), &status) != 0) throw FileError(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw FileError(kind_of(status.st_mode));
  size_ = static_cast<std::uint64_t>(status.st_size);
  identity_ = {status.st_dev, status.st_ino};
}

FileBytes RegularFile::read(std::uint64_t most) {
  FileBytes bytes(std::min(most, size_));
  fill(bytes.data(), bytes.view().size());
  return bytes;
}

void RegularFile::fill(char* to, std::uint64_t size) const {
  // What is there of these bytes. read(2) transfers less than 2^31 bytes at a time.
  const auto get = [&](char* bytes, std::uint64_t count, std::uint64_t at) {
    std::uint64_t done = 0;
    while (done < count) {
      const ssize_t got =
          ::pread(descriptor_.number(), bytes + done, count - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw FileError(std::strerror(errno));
      if (got == 0) break;
      done += static_cast<std::uint64_t>(got);
    }
    return done;
  };
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 22;
  const auto changes = [] { throw FileError("its size changes while it is read"); };
  in_parallel((size + kPiece - 1) / kPiece, size / 8, [&](std::size_t k) {
    const std::uint64_t at = k * kPiece, count = std::min(kPiece, size - at);
    if (get(to + at, count, at) < count) changes();
  });
  char beyond = 0;
  if (size >= size_ && get(&beyond, 1, size) > 0) changes();
}

FileBytes read_regular_file(const std::filesystem::path& path, const std::string& name, std::uint64_t limit) {
  try {
    RegularFile file(AT_FDCWD, path);
    if (file.size() > limit) {
      throw LimitError(name + ": the file has " + std::to_string(file.size()) +
                       " bytes; the memory limit allows " + std::to_string(limit));
    }
    return file.read();
  } catch (const FileError& error) {
    throw InputError(name, "", std::string("cannot be read: ") + error.what(),
                     "give an existing, readable file");
  }
}

}  // namespace attest
