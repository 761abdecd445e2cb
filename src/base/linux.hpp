// What only Linux and its C library have, of files, processes and memory; the heap is in linux_memory.hpp.
// Another system needs these two and their sources written anew, and nothing else.
#pragma once

#include <malloc.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>

namespace attest::system {

/// The folder of this program; empty when the system does not say.
std::filesystem::path program_folder();
/// The file that an open descriptor is of; empty likewise.
std::filesystem::path file_of(int descriptor);

/// Address ranges, first to end, that somebody else can change: shared memory and mapped files.
std::map<std::uintptr_t, std::uintptr_t> foreign_memory();
/// Bytes of the data segment as RLIMIT_DATA counts them; 0 when the system does not say.
std::uint64_t data_segment();
/// Bytes that malloc gave for a block.
inline std::size_t usable_size(void* block) noexcept {
  return ::malloc_usable_size(block);
}
/// From here on this process is killed when its parent ends; false when `parent` is not its parent any more.
bool die_with(pid_t parent);
/// Closes all descriptors from this one on.
void close_from(int first);
/// A descriptor of a new file without a name, in memory, or -1 and errno.
int unnamed_file();
/// A descriptor that can be read from when the process has ended, or -1 and errno.
int watch(pid_t process);

}  // namespace attest::system
