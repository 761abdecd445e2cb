// The one line on standard error that says how far something is: a question, or a run of many cases.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/progress.hpp"

namespace attest {

/// "rows of Z: 1024 of 6133, 12 s left"; the time left after `seconds` of this phase, once it can be told.
std::string progress_text(const Progress& progress, double seconds);

/// Writes the line. On a terminal it is written anew; elsewhere, when `asked`, there is a line every five
/// seconds and one at the end; otherwise there is nothing.
class ProgressPrinter {
public:
  explicit ProgressPrinter(bool asked);
  /// Leaves nothing on a terminal.
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  bool shows() const { return asked_ || terminal_; }
  std::chrono::milliseconds pause() const { return std::chrono::milliseconds(terminal_ ? 500 : 5000); }
  /// Cheap when the last line was written less than pause() ago.
  void show(const Progress& now);

private:
  using Clock = std::chrono::steady_clock;

  bool asked_, terminal_, written_ = false;
  Progress last_;
  Clock::time_point start_ = Clock::now(), last_written_ = start_;
};

/// Shows, from a thread, what this process and those that it forks report.
class ProgressLine {
public:
  explicit ProgressLine(bool asked);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;  // none: nothing is shown
};

}  // namespace attest
