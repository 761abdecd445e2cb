#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace attest {
namespace {

void lost_file_and_end(const char* message) {
  for (const char* part : {"attest: ", message, "\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  ::_exit(2);
}

std::atomic<void (*)(const char*)> lost_file_handler = lost_file_and_end;

void bus_error(int) {
  lost_file_handler.load()("a file was shortened, or its disk failed, while it was read");
  ::_exit(2);
}

// Writing goes to the file.
FileBytes mapped(int descriptor, std::uint64_t size, int protection) {
  void* const bytes = ::mmap(nullptr, size, protection, MAP_SHARED, descriptor, 0);
  if (bytes == MAP_FAILED) throw FileError(std::string("it cannot be mapped: ") + std::strerror(errno));
  return FileBytes(std::shared_ptr<char[]>(static_cast<char*>(bytes), [size](char* p) { ::munmap(p, size); }),
                   size);
}

}  // namespace

FileBytes map_file(const RegularFile& file) {
  if (file.size() == 0) return {};
  const FileBytes bytes = mapped(file.descriptor(), file.size(), PROT_READ);
  std::signal(SIGBUS, bus_error);
  return bytes;
}

FileBytes map_copy(const RegularFile& file) {
  const std::uint64_t size = file.size();
  if (size == 0) return {};
  const char* const wanted = std::getenv("TMPDIR");
  const std::string folder = wanted != nullptr && *wanted != 0 ? wanted : "/var/tmp";
  const auto fail = [&](int reason) {
    throw FileError("it is too large for the limit on memory, and its " + std::to_string(size) +
                    " bytes cannot be copied to " + folder + ": " + std::strerror(reason) +
                    " (TMPDIR names another folder, --memory raises the limit)");
  };
  std::string name = folder + "/attest-XXXXXX";
  const Descriptor copy(::mkostemp(name.data(), O_CLOEXEC));
  if (copy.number() < 0) fail(errno);
  ::unlink(name.c_str());
  // Room for all of it first: without, writing to the mapped file would end the process.
  if (const int reason = ::posix_fallocate(copy.number(), 0, static_cast<off_t>(size))) fail(reason);
  FileBytes bytes = mapped(copy.number(), size, PROT_READ | PROT_WRITE);
  file.fill(bytes.data(), size);
  ::mprotect(bytes.data(), size, PROT_READ);
  return bytes;
}

void on_lost_file(void (*handler)(const char* message)) {
  lost_file_handler = handler;
}

}  // namespace attest
