#include "input/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "input/errors.hpp"

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

std::filesystem::path Descriptor::path() const {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(number_), error);
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
  const std::uint64_t size = std::min(most, size_);
  FileBytes bytes(size);
  constexpr std::size_t kMost = std::size_t{1} << 30;  // read(2) transfers less than 2^31 bytes at a time
  char beyond = 0;
  std::size_t done = 0;
  for (;;) {
    const bool end = done == size;
    if (end && size < size_) return bytes;
    const ssize_t got = end ? ::read(descriptor_.number(), &beyond, 1)
                            : ::read(descriptor_.number(), bytes.data() + done, std::min(size - done, kMost));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(std::strerror(errno));
    if (end && got == 0) return bytes;
    if (end || got == 0) throw FileError("its size changes while it is read");
    done += static_cast<std::size_t>(got);
  }
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
