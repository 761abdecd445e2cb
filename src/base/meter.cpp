#include "base/meter.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iostream>

#include "base/linux.hpp"
#include "base/parallel.hpp"

namespace attest {
namespace {

void no_room_and_end(const char* message) {
  // The streams may hold what was found out so far; nothing here allocates.
  std::cout.flush();
  std::fflush(stdout);
  std::fprintf(stderr, "attest: %s\n", message);
  ::_exit(3);
}

std::atomic<void (*)(const char*)> handler = no_room_and_end;

}  // namespace

// What was in use when memory was limited: no part of the limit that messages speak of.
static constinit std::atomic<std::uint64_t> in_use_before = 0;

MemoryLimitError::MemoryLimitError(std::uint64_t needed, std::uint64_t limit) noexcept {
  const std::uint64_t before = std::min({in_use_before.load(), needed, limit});
  needed -= before;
  limit -= before;
  if (needed <= limit) {  // the system refused: libraries have memory that the meter does not see
    std::snprintf(text_, sizeof text_,
                  "there is not enough memory; the limit is %" PRIu64
                  " (--memory), of which libraries need some; a larger one may do",
                  limit);
    return;
  }
  std::snprintf(text_, sizeof text_,
                "at least %" PRIu64 " bytes of memory are needed; the limit is %" PRIu64
                " (--memory); a larger one may do",
                needed, limit);
}

void Meter::too_much_work(std::uint64_t needed) const {
  // Pieces come to the meter in any order: what is said and counted does not depend on it.
  if (within_piece()) meter().work_ = needed = work_limit_ + 1;
  throw LimitError("at least " + std::to_string(needed) + " word operations are needed; the limit is " +
                   std::to_string(work_limit_) + " (--work)");
}

Meter& meter() noexcept {
  static constinit Meter instance;
  return instance;
}

void limit_memory(std::uint64_t bytes) {
  in_use_before = meter().in_use();
  meter().limit_bytes(in_use_before + bytes);
#if !defined(__SANITIZE_ADDRESS__)  // its shadow memory needs terabytes
  rlimit limit;
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  // Stacks, and what BLIS takes once on each thread, and aborts without.
  const std::uint64_t packing = (8 + 24 * threads()) << 20;
  const std::uint64_t most = system::data_segment() + bytes + bytes / 8 + packing;
  limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

void on_exhausted_memory(void (*wanted)(const char* message)) {
  handler = wanted;
}

void exhausted_memory(const MemoryLimitError& error) noexcept {
  handler.load()(error.what());
  ::_exit(3);
}

}  // namespace attest
