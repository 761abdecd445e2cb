// What only Linux and its C library have, of memory (linux.hpp).
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdint>

namespace attest::system {

/// Bytes of the data segment as RLIMIT_DATA counts them; 0 when the system does not say.
std::uint64_t data_segment();
/// Bytes that malloc gave for a block.
inline std::size_t usable_size(void* block) noexcept {
  return ::malloc_usable_size(block);
}
/// Keeps blocks of a few MB in the heap, before the program allocates any.
void prepare_heap();

}  // namespace attest::system
