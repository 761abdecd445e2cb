#include "base/linux.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <system_error>

namespace attest::system {

static std::filesystem::path proc_link(const std::string& name) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/" + name, error);
}

std::filesystem::path program_folder() {
  return proc_link("exe").parent_path();
}

std::filesystem::path file_of(int descriptor) {
  return proc_link("fd/" + std::to_string(descriptor));
}

std::map<std::uintptr_t, std::uintptr_t> foreign_memory() {
  std::map<std::uintptr_t, std::uintptr_t> ranges;
  std::ifstream maps("/proc/self/maps");
  std::string range, permissions, offset, device, inode;
  while (maps >> range >> permissions >> offset >> device >> inode) {
    maps.ignore(1 << 16, '\n');
    if (inode == "0" && permissions.back() != 's') continue;
    const std::size_t dash = range.find('-');
    ranges[std::stoull(range.substr(0, dash), nullptr, 16)] =
        std::stoull(range.substr(dash + 1), nullptr, 16);
  }
  return ranges;
}

std::uint64_t data_segment() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages[6] = {};
  for (std::uint64_t& field : pages) statm >> field;
  return statm ? pages[5] * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

bool die_with(pid_t parent) {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
}

void close_from(int first) {
  ::close_range(static_cast<unsigned>(first), ~0u, 0);
}

int unnamed_file() {
  return ::memfd_create("attest", MFD_CLOEXEC);
}

int watch(pid_t process) {
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
}

}  // namespace attest::system
