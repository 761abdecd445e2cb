#include "base/metered.hpp"

#ifdef ATTEST_BOOST
// Numbers of cpp_int.hpp are on the meter by operator new.
void attest::meter_gmp() {}
#else
#include <gmp.h>

namespace attest {
namespace {

void* gmp_reallocate(void* block, std::size_t, std::size_t size) {
  return metered::reallocate_or_end(block, size);
}

void gmp_release(void* block, std::size_t) {
  metered::release(block);
}

}  // namespace

void meter_gmp() {
  mp_set_memory_functions(metered::allocate_or_end, gmp_reallocate, gmp_release);
}

}  // namespace attest
#endif
