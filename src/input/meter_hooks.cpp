// Puts all memory of operator new and of GMP on the meter. Linked into programs, not into libraries.
#include <gmp.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "input/meter.hpp"

namespace {

using attest::meter;

/// What malloc spends on a block: its usable bytes and its header.
std::int64_t footprint(void* block) noexcept {
  return static_cast<std::int64_t>(::malloc_usable_size(block) + sizeof(std::size_t));
}

void* counted(void* block) noexcept {
  if (block != nullptr) meter().add_bytes(footprint(block));
  return block;
}

void* allocate(std::size_t size) noexcept {
  return meter().room_for(size) ? counted(std::malloc(size == 0 ? 1 : size)) : nullptr;
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  if (!meter().room_for(size)) return nullptr;
  void* block = nullptr;
  const auto bytes = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
  return ::posix_memalign(&block, bytes, size == 0 ? 1 : size) == 0 ? counted(block) : nullptr;
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  meter().add_bytes(-footprint(block));
  std::free(block);
}

// GMP's functions never return without memory, and nothing may be thrown through them (GMP manual,
// "Custom Allocation").

void* gmp_allocate(std::size_t size) {
  void* const block = allocate(size);
  if (block == nullptr) attest::exhausted_memory(meter().no_room_for(size));
  return block;
}

void* gmp_reallocate(void* block, std::size_t, std::size_t size) {
  const std::int64_t before = footprint(block);
  const bool grows = static_cast<std::int64_t>(size) > before;
  void* const moved = !grows || meter().room_for(size - static_cast<std::size_t>(before))
                          ? std::realloc(block, size)
                          : nullptr;
  if (moved == nullptr) attest::exhausted_memory(meter().no_room_for(size));
  meter().add_bytes(footprint(moved) - before);
  return moved;
}

void gmp_release(void* block, std::size_t) {
  release(block);
}

/// Before main and before any number exists.
__attribute__((constructor(101))) void install() {
  mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_release);
}

template <typename... Alignment>
void* allocate_or_throw(std::size_t size, Alignment... alignment) {
  void* const block = allocate(size, alignment...);
  if (block == nullptr) throw meter().no_room_for(size);
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate_or_throw(size);
}
void* operator new[](std::size_t size) {
  return allocate_or_throw(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void operator delete(void* block) noexcept {
  release(block);
}
void operator delete[](void* block) noexcept {
  release(block);
}
void operator delete(void* block, std::size_t) noexcept {
  release(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  release(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
  release(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  release(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  release(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  release(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  release(block);
}
