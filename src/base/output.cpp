#include "base/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "base/errors.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// An open file; closing reports what only then turns out.
class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }
  bool close() { return ::close(release()) == 0; }

private:
  int descriptor_;
};

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(descriptor, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Where the links of a name lead. It may not exist.
fs::path target_of(fs::path file) {
  for (int links = 0; links < 40; ++links) {
    std::error_code error;
    const fs::path target = fs::read_symlink(file, error);
    if (error) return file;
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  errno = ELOOP;
  return {};
}

// A file beside `file` that only one process writes at a time. Its name is always the same, so that what a
// killed run has left is used by the next. -1 and errno on failure.
int open_temporary(const fs::path& temporary) {
  while (true) {
    File out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
    if (out.descriptor() < 0) return -1;
    struct stat opened, named;
    if (::fstat(out.descriptor(), &opened) != 0) return -1;
    if (!S_ISREG(opened.st_mode)) {
      errno = EEXIST;
      return -1;
    }
    // File systems without locks lose nothing but the protection against two runs with the same outputs.
    while (::flock(out.descriptor(), LOCK_EX) != 0 && errno == EINTR) {
    }
    // Whoever had the lock before may have renamed it.
    if (::stat(temporary.c_str(), &named) != 0 || !same_file(opened, named)) continue;
    if (::ftruncate(out.descriptor(), 0) != 0) return -1;
    return out.release();
  }
}

// False and errno on failure; then nothing has changed.
bool replace(const fs::path& file, const std::string& text, const struct stat* existing, Sync sync) {
  const fs::path temporary =
      file.parent_path() / std::string(".").append(file.filename().string()).append(".attest-tmp");
  File out(open_temporary(temporary));
  if (out.descriptor() < 0) return false;
  const bool written = write_all(out.descriptor(), text) &&
                       (existing == nullptr || ::fchmod(out.descriptor(), existing->st_mode & 07777) == 0) &&
                       (sync == Sync::later || ::fsync(out.descriptor()) == 0) &&
                       ::rename(temporary.c_str(), file.c_str()) == 0;
  if (!written) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
  }
  return written;
}

bool write_through(const fs::path& file, const std::string& text) {
  const auto open = [&] { return ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); };
  int descriptor = open();
  // Nobody reads the FIFO yet.
  for (int waits = 0; descriptor < 0 && errno == ENXIO && waits < 100; ++waits) {
    ::usleep(10000);
    descriptor = open();
  }
  File out(descriptor);
  return out.descriptor() >= 0 && ::fcntl(out.descriptor(), F_SETFL, 0) == 0 &&
         write_all(out.descriptor(), text) && out.close();
}

}  // namespace

bool is_standard_output(const fs::path& where) {
  if (where == "-") return true;
  struct stat named, open;
  return ::stat(where.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &open) == 0 && same_file(named, open);
}

void write_output(const fs::path& where, const std::string& text, const std::string& right, Sync sync) {
  if (is_standard_output(where)) {
    std::cout << text;
    return;
  }
  const auto check = [&](bool done) {
    if (done) return;
    throw InputError(where.string(), "", std::string("cannot be written (") + std::strerror(errno) + ")",
                     right);
  };
  const fs::path file = target_of(where);
  check(!file.empty());
  struct stat status;
  const bool exists = ::stat(file.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    check(write_through(file, text));
    return;
  }
  if (!exists && file.has_parent_path()) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    errno = error.value();
    check(!error);
  }
  check(replace(file, text, exists ? &status : nullptr, sync));
}

void require_regular(const fs::path& where) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(where, error);
  if (!fs::exists(status) || fs::is_regular_file(status)) return;
  throw InputError(where.string(), "", "is not a regular file",
                   "what is kept is written into regular files only: remove it, or another folder by --out",
                   "out");
}

void sync_outputs(const fs::path& folder) {
  File open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.descriptor() < 0 || ::syncfs(open.descriptor()) == 0) return;
  throw InputError(folder.string(), "",
                   std::string("cannot be written to the disk (") + std::strerror(errno) + ")",
                   "a disk with room that works");
}

void finish_standard_output() {
  errno = 0;
  std::cout.flush();
  if (std::cout.good()) return;
  throw InputError("standard output", "",
                   std::string("cannot be written") +
                       (errno == 0 ? std::string() : std::string(" (") + std::strerror(errno) + ")") +
                       ", so that what was printed is not complete",
                   "a place with room for it");
}

}  // namespace attest
