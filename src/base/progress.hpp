// How far a long computation is, for people who wait for it. Nothing depends on it.
#pragma once

#include <cstdint>

namespace attest {

/// What is being done, and how much of it; `total` 0: nobody knows.
struct Progress {
  const char* phase = "";  ///< a string literal
  std::uint64_t done = 0, total = 0;
};

/// Says how far this process is, where somebody listens. Cheap enough for every example, not for every
/// number.
void report_progress(const char* phase, std::uint64_t done, std::uint64_t total) noexcept;

/// A place that a process shares with those that it forks, which are the same program.
class SharedProgress {
public:
  /// Throws std::bad_alloc.
  SharedProgress();
  /// Nobody reports to it any more in this process.
  ~SharedProgress();
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;

  /// From here on this process and those that it forks report to this place, one at a time.
  void listen() noexcept;
  /// What was reported last as a whole: the other process may end in the middle of a report.
  Progress read() noexcept;

  struct Slot;

private:
  Slot* slot_;
  Progress last_;
};

}  // namespace attest
