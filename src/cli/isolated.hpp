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
  /// What forks: our program, or a process of somebody else's (an interpreter), whose signal handlers and
  /// streams are left alone. There the child sees all memory as it was at the fork, has none of the signal
  /// handlers, and is ended by the parent's death only: a Ctrl-C of the terminal is the parent's affair.
  enum class Parent { program, host };

  /// Forks; the child runs `work`, whose text becomes the result. What `work` throws stays in the child, and
  /// its message becomes the result. Throws std::system_error when there is no descriptor, memory or process
  /// left for a child.
  explicit IsolatedTask(const std::function<std::string()>& work, Parent parent = Parent::program);
  ~IsolatedTask();
  IsolatedTask(const IsolatedTask&) = delete;
  IsolatedTask& operator=(const IsolatedTask&) = delete;

  pid_t pid() const { return pid_; }
  /// Blocks until the child has ended, or kills it after `timeout` seconds (0: never).
  void wait(double timeout);
  /// Waits for at most `seconds`; whether the child has ended.
  bool ended_within(double seconds);
  /// Tells the task that its child was reaped by somebody else's waitpid.
  void reaped(int wait_status);

  enum class End { finished, threw, out_of_memory, timed_out, crashed };
  End end() const { return end_; }
  /// How the child ended: "an error (...)" when it threw, "signal 6 (Aborted)" or "exit status 1".
  std::string ending() const;
  /// Text of a child that has finished, thrown or run out of memory; empty otherwise.
  std::string result() const;
  /// Whatever text the child has left, however it ended (a host may have reaped it first).
  std::string output() const;

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
