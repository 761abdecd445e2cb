// Running a function in a child process, with a time limit: what a library aborts or a limit kills cannot
// take the run with it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <new>
#include <string>

namespace attest {

class IsolatedTask {
public:
  /// Forks; the child runs `work`, whose text becomes the result. What `work` throws stays in the child, and
  /// its message becomes the result. Throws std::system_error when there is no descriptor, memory or process
  /// left for a child.
  explicit IsolatedTask(const std::function<std::string()>& work);
  ~IsolatedTask();
  IsolatedTask(const IsolatedTask&) = delete;
  IsolatedTask& operator=(const IsolatedTask&) = delete;

  pid_t pid() const { return pid_; }
  /// Blocks until the child has ended, or kills it after `timeout` seconds (0: never).
  void wait(double timeout);
  /// Tells the task that its child was reaped by somebody else's waitpid.
  void reaped(int wait_status);

  enum class End { finished, threw, out_of_memory, timed_out, crashed };
  End end() const { return end_; }
  /// How the child ended: "an error (...)" when it threw, "signal 6 (Aborted)" or "exit status 1".
  std::string ending() const;
  /// Text of a child that has finished, thrown or run out of memory; empty otherwise.
  std::string result() const;

private:
  pid_t pid_ = -1;
  bool running_ = false;
  End end_ = End::crashed;
  int wait_status_ = 0;
  int output_;
};

/// What a failed allocation says: what is needed and what the limit is, where the meter knows.
std::string memory_text(const std::bad_alloc& error);

/// Waits for any child of this process. Empty, with errno, when there is none.
struct EndedChild {
  pid_t pid = -1;
  int status = 0;
};
EndedChild wait_for_any_child();

}  // namespace attest
