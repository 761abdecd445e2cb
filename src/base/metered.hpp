// malloc on the meter: what operator new, GMP and FLINT use. Private to the meter.
#pragma once

#include <cstdlib>

#include "base/linux.hpp"
#include "base/meter.hpp"

namespace attest::metered {

/// What malloc spends on a block: its usable bytes and its header.
inline std::int64_t footprint(void* block) noexcept {
  return static_cast<std::int64_t>(system::usable_size(block) + sizeof(std::size_t));
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

// For C libraries, whose functions never return without memory, and through which nothing may be thrown (GMP
// manual, "Custom Allocation").

inline void* allocate_or_end(std::size_t size) noexcept {
  void* const block = allocate(size);
  if (block == nullptr) exhausted_memory(meter().no_room_for(size));
  return block;
}

inline void* reallocate_or_end(void* block, std::size_t size) noexcept {
  if (block == nullptr) return allocate_or_end(size);
  const std::int64_t before = footprint(block);
  const bool grows = static_cast<std::int64_t>(size) > before;
  void* const moved = !grows || meter().room_for(size - static_cast<std::size_t>(before))
                          ? std::realloc(block, size == 0 ? 1 : size)
                          : nullptr;
  if (moved == nullptr) exhausted_memory(meter().no_room_for(size));
  meter().add_bytes(footprint(moved) - before);
  return moved;
}

}  // namespace attest::metered
