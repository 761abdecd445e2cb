#include "base/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

std::string reason() {
  return std::string(" (") + std::strerror(errno) + ")";
}

}  // namespace

void Journal::refuse(const std::string& wrong, const std::string& right) const {
  throw InputError(one_line(file_, 600), "", wrong, right);
}

Journal::Journal(const std::filesystem::path& file, Use use) : file_(file.string()) {
  const bool adds = use == Use::add;
  if (adds) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) refuse("its folder cannot be made (" + error.message() + ")", "a writable folder by --out");
    // A limit on the size of files is to be an error of `add`, and not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
  }
  // Links, devices and FIFOs are refused before anything is read.
  descriptor_ = Descriptor(
      ::open(file_.c_str(),
             (adds ? O_RDWR | O_APPEND | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (descriptor_.number() < 0 && errno == ELOOP) refuse("is a symbolic link", "a regular file of its own");
  if (descriptor_.number() < 0)
    refuse("cannot be opened" + reason(), "a file that attest may read and write");
  struct stat status;
  if (::fstat(descriptor_.number(), &status) != 0 || !S_ISREG(status.st_mode))
    refuse("is not a regular file", "a regular file of its own");
  if (use != Use::look && ::flock(descriptor_.number(), (adds ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      refuse("is in use by another process", "the end of that run, or another folder by --out");
    refuse("cannot be locked" + reason(), "a file system with locks (flock)");
  }
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n;
       (n = ::pread(descriptor_.number(), buffer, sizeof buffer, static_cast<off_t>(text.size()))) != 0;) {
    if (n < 0 && errno != EINTR) refuse("cannot be read" + reason(), "a readable file");
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  }
  for (std::size_t end; (end = text.find('\n', size_)) != std::string::npos; size_ = end + 1)
    lines_.push_back(text.substr(size_, end - size_));
  torn_ = text.size() - size_;
}

void Journal::drop_torn() {
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(size_)) != 0)
    refuse("cannot be shortened by its torn last line" + reason(), "a writable file");
}

void Journal::add(std::string line) {
  line += '\n';
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = ::write(descriptor_.number(), line.data() + at, line.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const std::string why = reason();
      if (at > 0) drop_torn();
      refuse("cannot be written" + why, "room on the disk; then the same command goes on");
    }
    at += static_cast<std::size_t>(n);
  }
  size_ += line.size();
}

void Journal::sync() {
  if (::fdatasync(descriptor_.number()) != 0)
    refuse("cannot be written to the disk" + reason(), "a disk with room that works");
}

}  // namespace attest
