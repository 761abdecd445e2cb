#include "check/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/parallel.hpp"

namespace attest::kernel {
namespace {

struct NoMemory : std::bad_alloc {
  const char* what() const noexcept override {
    return "there is not enough memory (--memory); a larger limit may do";
  }
};

// GMP and BLIS, through which nothing can be thrown, abort, after a message of their own.
void aborted(int) {
  constexpr char kText[] = "attest-check: a library has ended it, mostly for want of memory (--memory)\n";
  ::_exit(::write(STDERR_FILENO, kText, sizeof kText - 1) < 0 ? 2 : 3);
}

}  // namespace

void limit_process_memory(std::uint64_t bytes) {
  std::set_new_handler([] { throw NoMemory(); });
#if !defined(__SANITIZE_ADDRESS__)  // its shadow memory needs terabytes
  std::signal(SIGABRT, aborted);
  rlimit limit;
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t beside = (32 + 24 * threads())
                               << 20;  // stacks, and what BLIS takes once on each thread
  limit.rlim_cur = std::min<rlim_t>(bytes + beside, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

}  // namespace attest::kernel
