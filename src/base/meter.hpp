// One meter of memory and work per process: what a run may use, whatever its input claims to need.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include "base/errors.hpp"

namespace attest {

/// The memory limit was hit by an allocation (exit status 3, as for LimitError). A std::bad_alloc, because
/// that is what operator new may throw; making one allocates nothing.
class MemoryLimitError : public std::bad_alloc {
public:
  MemoryLimitError(std::uint64_t needed, std::uint64_t limit) noexcept;
  /// "at least 9000000000 bytes of memory are needed; the limit is 8589934592 (--memory)"
  const char* what() const noexcept override { return text_; }

private:
  char text_[128];
};

/// Counts bytes and word operations of this process, from all threads. Bytes are counted by programs that
/// link attest_meter: everything from operator new and from GMP (and so MPFR), of provers also from FLINT.
class Meter {
public:
  /// Limits; 0 is none. Work is counted from here on.
  void limit_bytes(std::uint64_t limit) { byte_limit_ = limit; }
  void limit_work(std::uint64_t limit) {
    work_ = 0;
    work_limit_ = limit;
  }

  /// Announces n operations on machine words, before they are made. Throws LimitError, which says what would
  /// be needed, when they are beyond the limit.
  void work(std::uint64_t n) {
    const std::uint64_t done = work_.fetch_add(n, std::memory_order_relaxed) + n;
    const std::uint64_t limit = work_limit_.load(std::memory_order_relaxed);
    if (limit != 0 && (done > limit || done < n)) too_much_work(done < n ? UINT64_MAX : done);
  }
  std::uint64_t work_done() const { return work_; }

  /// Whether `bytes` more are within the limit.
  bool room_for(std::uint64_t bytes) const noexcept {
    const std::uint64_t limit = byte_limit_.load(std::memory_order_relaxed);
    return limit == 0 || (bytes <= limit && in_use() <= limit - bytes);
  }
  void add_bytes(std::int64_t bytes) noexcept { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  std::uint64_t in_use() const noexcept {
    const std::int64_t bytes = bytes_.load(std::memory_order_relaxed);
    return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  }
  /// The error of an allocation of `bytes` for which there is no room.
  MemoryLimitError no_room_for(std::uint64_t bytes) const noexcept {
    return {in_use() + bytes < bytes ? UINT64_MAX : in_use() + bytes, byte_limit_};
  }

private:
  [[noreturn]] void too_much_work(std::uint64_t needed) const;

  std::atomic<std::uint64_t> byte_limit_ = 0, work_limit_ = 0, work_ = 0;
  std::atomic<std::int64_t> bytes_ = 0;  // below 0 for a moment when threads free what others count
};

/// The meter of this process.
Meter& meter() noexcept;

/// Limits the memory of this process: the meter's bytes, beyond what is in use already, and as a backstop for
/// libraries that call malloc themselves its data segment (RLIMIT_DATA), to 9/8 of them and 32 MB.
void limit_memory(std::uint64_t bytes);

/// From here on GMP's memory is on the meter. What it has allocated before must have come from malloc.
void meter_gmp();

/// What happens when a C library, through which nothing can be thrown, finds no room: `handler` gets the
/// message of a MemoryLimitError and must not return. By default the message goes to standard error and the
/// process ends with status 3, after what was written to stdout.
void on_exhausted_memory(void (*handler)(const char* message));
[[noreturn]] void exhausted_memory(const MemoryLimitError& error) noexcept;

}  // namespace attest
