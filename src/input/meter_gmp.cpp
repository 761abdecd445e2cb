#include <gmp.h>

#include "input/metered.hpp"

namespace attest {
namespace {

using metered::allocate;
using metered::footprint;

// GMP's functions never return without memory, and nothing may be thrown through them (GMP manual,
// "Custom Allocation").

void* gmp_allocate(std::size_t size) {
  void* const block = allocate(size);
  if (block == nullptr) exhausted_memory(meter().no_room_for(size));
  return block;
}

void* gmp_reallocate(void* block, std::size_t, std::size_t size) {
  const std::int64_t before = footprint(block);
  const bool grows = static_cast<std::int64_t>(size) > before;
  void* const moved = !grows || meter().room_for(size - static_cast<std::size_t>(before))
                          ? std::realloc(block, size)
                          : nullptr;
  if (moved == nullptr) exhausted_memory(meter().no_room_for(size));
  meter().add_bytes(footprint(moved) - before);
  return moved;
}

void gmp_release(void* block, std::size_t) {
  metered::release(block);
}

}  // namespace

void meter_gmp() {
  mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_release);
}

}  // namespace attest
