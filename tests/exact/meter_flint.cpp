#include "search/arithmetic/meter_flint.hpp"

#include <doctest/doctest.h>
#include <flint/flint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/meter.hpp"

using namespace attest;

namespace {

constexpr std::size_t kMega = std::size_t{1} << 20;

/// The exit status of a child in which FLINT is on the meter, with a limit of 8 MiB.
int status_of(const std::function<int()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    meter_flint();
    meter().limit_bytes(meter().in_use() + 8 * kMega);
    on_exhausted_memory([](const char*) { ::_exit(3); });
    ::_exit(action());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("what FLINT allocates is counted, and ends at the limit instead of in abort") {
  CHECK(status_of([] {
          const std::uint64_t before = meter().in_use();
          void* block = flint_malloc(kMega);
          const bool counted = meter().in_use() >= before + kMega;
          block = flint_realloc(block, 4 * kMega);
          const bool grown = meter().in_use() >= before + 4 * kMega;
          block = flint_realloc(block, 2 * kMega);
          const bool shrunk = meter().in_use() < before + 3 * kMega;
          flint_free(block);
          auto* zeros = static_cast<char*>(flint_calloc(kMega, 2));
          const bool zero =
              zeros[0] == 0 && zeros[2 * kMega - 1] == 0 && meter().in_use() >= before + 2 * kMega;
          flint_free(zeros);
          return counted && grown && shrunk && zero && meter().in_use() == before ? 0 : 1;
        }) == 0);
  CHECK(status_of([] { return flint_malloc(9 * kMega) == nullptr ? 1 : 2; }) == 3);
  CHECK(status_of([] { return flint_calloc(9, kMega) == nullptr ? 1 : 2; }) == 3);
  CHECK(status_of([] { return flint_calloc(SIZE_MAX, 2) == nullptr ? 1 : 2; }) == 3);
  CHECK(status_of([] { return flint_realloc(flint_malloc(kMega), 9 * kMega) == nullptr ? 1 : 2; }) == 3);
}
