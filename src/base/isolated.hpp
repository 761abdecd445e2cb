// Running functions in child processes, with time limits: what a library aborts or a limit kills cannot take
// the run with it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
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

  /// A descriptor that polls as readable when the child has ended; -1 for a child of a host.
  int ended() const { return ended_; }
  /// Blocks until the child has ended, or kills it after `timeout` seconds (0: never).
  void wait(double timeout);
  /// Waits for at most `seconds`; whether the child has ended.
  bool ended_within(double seconds);

  enum class End { finished, threw, out_of_memory, timed_out, crashed };
  End end() const { return end_; }
  /// How the child ended: "an error (...)" when it threw, "signal 6 (Aborted)" or "exit status 1".
  std::string ending() const;
  /// Text of a child that has finished, thrown or run out of memory; empty otherwise.
  std::string result() const;
  /// Whatever text the child has left, however it ended (a host may have reaped it first).
  std::string output() const;

private:
  void reaped(int wait_status);

  pid_t pid_ = -1;
  bool running_ = false;
  End end_ = End::crashed;
  int wait_status_ = 0;
  int output_, ended_ = -1;
};

/// In the child of an IsolatedTask: text before that of its work, which is left however the child ends.
void leave(const std::string& text);

/// A child process that does one small task after another: starting a process costs more than they do.
class Worker {
public:
  /// Does the task of a number; empty when the task wants a process of its own.
  using Work = std::function<std::optional<std::string>(std::size_t)>;
  /// Forks. Throws std::system_error when there is no process or descriptor left for a child.
  explicit Worker(const Work& work);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Readable when there is an answer, or the child has ended.
  int descriptor() const { return socket_; }
  void start(std::size_t task);
  /// The answer to the task that was started last. Empty when the task wants a process of its own: it said
  /// so, or has thrown, run out of memory or ended the child.
  std::optional<std::string> answer();
  /// Whether the child can be given another task.
  bool alive() const { return alive_; }

private:
  pid_t pid_ = -1;
  bool alive_ = false;
  int socket_ = -1;
};

/// Tasks that are run in child processes.
struct IsolatedTasks {
  Worker::Work together;                          ///< in a process that other tasks have used
  std::function<std::string(std::size_t)> alone;  ///< in a process of its own
};
/// How a task of a process of its own has ended, as IsolatedTask says.
struct TaskEnding {
  IsolatedTask::End end = IsolatedTask::End::crashed;
  std::string result, ending;
};
/// Runs tasks 0 .. count - 1, at most `jobs` at a time, each first with others in one process, and when it
/// wants or needs that again in one of its own. `done` is called in this process, in the order in which tasks
/// end, before the next is started in the place of one that has ended.
void run_isolated(std::size_t count, unsigned jobs, const IsolatedTasks& tasks,
                  const std::function<void(std::size_t, const TaskEnding&)>& done);

/// What a failed allocation says: what is needed and what the limit is, where the meter knows.
std::string memory_text(const std::bad_alloc& error);

}  // namespace attest
