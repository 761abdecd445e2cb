// The limit on the time of a run of the checker. Nothing of the kernel knows of it.
#pragma once

#include <string>

namespace attest::kernel {

/// Ends this process after so many seconds, wherever it is then, also in the midst of a long multiplication.
/// At most one at a time.
class TimeLimit {
public:
  /// 0: there is no limit.
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// From here on the process may be ended: it writes `text` to standard output and has this status. What was
  /// written to standard output before must have been flushed.
  void may_end(const std::string& text, int status);
  /// From here on it may not, until the next time.
  void may_not_end();

private:
  bool limited_;
};

}  // namespace attest::kernel
