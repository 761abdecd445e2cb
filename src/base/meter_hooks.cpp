// Puts all memory of operator new and of GMP on the meter. Linked into programs, not into libraries.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/linux_memory.hpp"
#include "base/metered.hpp"

namespace {

using attest::meter;
using attest::metered::allocate;
using attest::metered::counted;
using attest::metered::release;

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  if (!meter().room_for(size)) return nullptr;
  void* block = nullptr;
  const auto bytes = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
  return ::posix_memalign(&block, bytes, size == 0 ? 1 : size) == 0 ? counted(block) : nullptr;
}

/// Before main and before any number exists.
__attribute__((constructor(101))) void install() {
  attest::meter_gmp();
  attest::system::prepare_heap();
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
