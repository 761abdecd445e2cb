#include "search/arithmetic/meter_flint.hpp"

#include <flint/flint.h>

#include <algorithm>
#include <cstdint>

#include "base/metered.hpp"

namespace attest {
namespace {

/// Where this returned nothing FLINT would call abort.
void* allocate_zeros(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) exhausted_memory(meter().no_room_for(SIZE_MAX));
  void* const block =
      meter().room_for(bytes) ? metered::counted(std::calloc(1, std::max<std::size_t>(bytes, 1))) : nullptr;
  if (block == nullptr) exhausted_memory(meter().no_room_for(bytes));
  return block;
}

}  // namespace

void meter_flint() {
  __flint_set_memory_functions(metered::allocate_or_end, allocate_zeros, metered::reallocate_or_end,
                               metered::release);
}

}  // namespace attest
