// Running a function in a child process, with a time limit: what a library aborts or a limit kills cannot take the run with it.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

namespace attest {

class IsolatedTask {
 public:
  /// Forks; the child runs `work`, whose text becomes the result, under an address-space limit (0: none).
  IsolatedTask(const std::function<std::string()>& work, std::size_t memory_limit);
  ~IsolatedTask();
  IsolatedTask(const IsolatedTask&) = delete;
  IsolatedTask& operator=(const IsolatedTask&) = delete;

  pid_t pid() const { return pid_; }
  /// Blocks until the child has ended, or kills it after `timeout` seconds (0: never).
  void wait(double timeout);
  /// Tells the task that its child was reaped by somebody else's waitpid.
  void reaped(int wait_status);

  enum class End { finished, timed_out, crashed };
  End end() const { return end_; }
  /// Text of a finished child; empty otherwise.
  std::string result() const;

 private:
  pid_t pid_ = -1;
  bool running_ = false;
  End end_ = End::crashed;
  std::FILE* output_;
};

}  // namespace attest
