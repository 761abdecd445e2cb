// malloc on the meter: what operator new and GMP use. Private to the meter.
#pragma once

#include <malloc.h>

#include <cstdlib>

#include "input/meter.hpp"

namespace attest::metered {

/// What malloc spends on a block: its usable bytes and its header.
inline std::int64_t footprint(void* block) noexcept {
  return static_cast<std::int64_t>(::malloc_usable_size(block) + sizeof(std::size_t));
}

inline void* counted(void* block) noexcept {
  if (block != nullptr) meter().add_bytes(footprint(block));
  return block;
}

inline void* allocate(std::size_t size) noexcept {
  return meter().room_for(size) ? counted(std::malloc(size == 0 ? 1 : size)) : nullptr;
}

inline void release(void* block) noexcept {
  if (block == nullptr) return;
  meter().add_bytes(-footprint(block));
  std::free(block);
}

}  // namespace attest::metered
