#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace attest {
namespace {

std::size_t wanted = 1;
thread_local bool within = false;

// Operations that take several times as long as starting a thread.
constexpr std::size_t kWorthAThread = 1 << 17;

std::size_t threads_for(std::size_t count, std::size_t cost) {
  return within ? 1 : std::max<std::size_t>(std::min({wanted, count, cost / kWorthAThread}), 1);
}

}  // namespace

void use_threads(std::size_t count) noexcept {
  wanted = std::clamp<std::size_t>(count, 1, 64);
}

std::size_t threads() noexcept {
  return wanted;
}

std::size_t all_cores() noexcept {
  return std::max(1u, std::thread::hardware_concurrency());
}

bool within_piece() noexcept {
  return within;
}

void in_parallel(std::size_t count, std::size_t cost, const std::function<void(std::size_t k)>& piece) {
  if (count == 1) return piece(0);
  std::atomic<std::size_t> next = 0, failed = count;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    const bool before = std::exchange(within, true);
    // Pieces are started in their order, so all before the one that fails are done in the end.
    for (std::size_t k; (k = next++) < failed;) {
      try {
        piece(k);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (k < failed) failed = k, error = std::current_exception();
      }
    }
    within = before;
  };
  {
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < threads_for(count, cost)) others.emplace_back(work);
    } catch (const std::system_error&) {  // no more threads are to be had: fewer do it
    }
    work();
  }
  if (error) std::rethrow_exception(error);
}

void in_ranges(std::size_t count, std::size_t cost,
               const std::function<void(std::size_t first, std::size_t end)>& range) {
  const std::size_t pieces = threads_for(count, cost);
  in_parallel(pieces, cost, [&](std::size_t k) { range(count * k / pieces, count * (k + 1) / pieces); });
}

}  // namespace attest
