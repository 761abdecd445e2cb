#include "base/isolated.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "base/linux.hpp"
#include "base/mapped_file.hpp"
#include "base/meter.hpp"

namespace attest {
namespace {

constexpr const char* kNoMemory = "there is not enough memory";
// Of the child: where its text goes, and how it ends when its work has thrown.
constexpr int kOutput = 3, kThrew = 4, kOutOfMemory = 5;

using Clock = std::chrono::steady_clock;

[[noreturn]] void no_process(int reason) {
  throw std::system_error(reason, std::generic_category(), "no process can be started");
}

// Whether this is a child of a foreign process: what waits in its streams is not written here.
bool in_host = false;

// Of such a child: nothing of its signal handling. The work has children of its own.
void leave_host() {
  in_host = true;
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Forks a child that keeps the standard descriptors and `kept`, as kOutput, and dies with its parent. -1 and
// errno on failure.
pid_t fork_child(int kept, IsolatedTask::Parent kind = IsolatedTask::Parent::program) {
  const bool host = kind == IsolatedTask::Parent::host;
  // A parent that ignored the signal would make the kernel forget how children ended.
  if (!host) {
    std::signal(SIGCHLD, SIG_DFL);
    if (!in_host) std::fflush(nullptr);
  }
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid != 0) return pid;
  // Whoever kills the program kills its work.
  if (!system::die_with(parent)) ::_exit(1);
  // What the parent holds for other children is not this one's.
  if (kept != kOutput && ::dup2(kept, kOutput) < 0) ::_exit(1);
  system::close_from(kOutput + 1);
  if (host)
    leave_host();
  else
    std::signal(SIGALRM, SIG_DFL);  // else it would survive its alarms
  return 0;
}

bool write_all(int descriptor, const char* text, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    const ssize_t n = ::write(descriptor, text + at, size - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

void end_with(const char* text, int status) {
  ::_exit(write_all(kOutput, text, std::strlen(text)) ? status : 1);
}

void out_of_memory(const char* text) {
  end_with(text, kOutOfMemory);
}

void lost_file(const char* text) {
  end_with(text, kThrew);
}

// The child's side. Nothing is thrown out of it: the stack below belongs to the parent.
[[noreturn]] void run(const std::function<std::string()>& work) {
  try {
    on_exhausted_memory(out_of_memory);
    on_lost_file(lost_file);
    const std::string text = work();
    ::_exit(write_all(kOutput, text.data(), text.size()) ? 0 : 1);
  } catch (const MemoryLimitError& e) {
    out_of_memory(e.what());
  } catch (const std::bad_alloc&) {
    out_of_memory(kNoMemory);
  } catch (const std::exception& e) {
    end_with(e.what(), kThrew);
  } catch (...) {
  }
  ::_exit(1);
}

}  // namespace

void leave(const std::string& text) {
  if (!write_all(kOutput, text.data(), text.size())) ::_exit(1);
}

IsolatedTask::IsolatedTask(const std::function<std::string()>& work, Parent kind)
    : output_(system::unnamed_file()) {
  if (output_ < 0) throw std::system_error(errno, std::generic_category(), "no memory file can be made");
  pid_ = fork_child(output_, kind);
  if (pid_ < 0) {
    const int reason = errno;
    ::close(output_);
    no_process(reason);
  }
  if (pid_ == 0) run(work);
  running_ = true;
  // A host that ignores SIGCHLD may have lost the child already.
  if (kind == Parent::host) return;
  ended_ = system::watch(pid_);
  if (ended_ < 0) {
    const int reason = errno;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(output_);
    no_process(reason);
  }
}

IsolatedTask::~IsolatedTask() {
  if (running_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(output_);
  if (ended_ >= 0) ::close(ended_);
}

void IsolatedTask::reaped(int wait_status) {
  running_ = false;
  wait_status_ = wait_status;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) end_ = End::finished;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kThrew) end_ = End::threw;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kOutOfMemory) end_ = End::out_of_memory;
}

bool IsolatedTask::ended_within(double seconds) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(200);
  while (running_) {
    int status = 0;
    const pid_t done = ::waitpid(pid_, &status, WNOHANG);
    if (done == pid_) {
      reaped(status);
    } else if (done < 0 && errno != EINTR) {  // somebody else has reaped it, and how it ended is lost
      running_ = false;
    } else if (Clock::now() > deadline) {
      return false;
    } else {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::microseconds(20000));
    }
  }
  return true;
}

void IsolatedTask::wait(double timeout) {
  if (timeout > 0) {
    if (ended_within(timeout)) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    running_ = false;
    end_ = End::timed_out;
    return;
  }
  int status = 0;
  pid_t done = 0;
  do {
    done = ::waitpid(pid_, &status, 0);
  } while (done < 0 && errno == EINTR);
  running_ = false;
  if (done == pid_) reaped(status);
}

std::string IsolatedTask::ending() const {
  if (end_ == End::threw) return "an error (" + result() + ")";
  if (!WIFSIGNALED(wait_status_)) return "exit status " + std::to_string(WEXITSTATUS(wait_status_));
  const int signal = WTERMSIG(wait_status_);
  return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

std::string IsolatedTask::result() const {
  return end_ == End::finished || end_ == End::threw || end_ == End::out_of_memory ? output() : "";
}

std::string IsolatedTask::output() const {
  std::string text;
  char buffer[65536];
  for (ssize_t n; (n = ::pread(output_, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

std::string memory_text(const std::bad_alloc& error) {
  const auto* limit = dynamic_cast<const MemoryLimitError*>(&error);
  return limit != nullptr ? limit->what() : kNoMemory;
}

namespace {

// What goes through a worker's socket: the number of a task; the size of its answer, or kAlone, and the
// answer.
using Message = std::uint64_t;
constexpr Message kAlone = ~Message{0};

bool send_all(int socket, const void* bytes, std::size_t size) {
  for (const char* at = static_cast<const char*>(bytes); size > 0;) {
    const ssize_t n = ::send(socket, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool receive_all(int socket, void* bytes, std::size_t size) {
  for (char* at = static_cast<char*>(bytes); size > 0;) {
    const ssize_t n = ::recv(socket, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

void end_worker(const char*) {
  ::_exit(1);
}

// The worker's side. What fails here is tried again by a process of its own, which says why it fails.
[[noreturn]] void serve(const Worker::Work& work) {
  try {
    on_exhausted_memory(end_worker);
    on_lost_file(end_worker);
    for (Message task; receive_all(kOutput, &task, sizeof task);) {
      const std::optional<std::string> answer = work(task);
      const Message size = answer ? answer->size() : kAlone;
      if (!send_all(kOutput, &size, sizeof size)) break;
      if (answer && !send_all(kOutput, answer->data(), answer->size())) break;
    }
  } catch (...) {
  }
  ::_exit(1);
}

}  // namespace

Worker::Worker(const Work& work) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) no_process(errno);
  pid_ = fork_child(sockets[1]);
  if (pid_ == 0) serve(work);
  const int reason = errno;
  ::close(sockets[1]);
  socket_ = sockets[0];
  if (pid_ < 0) {
    ::close(socket_);
    no_process(reason);
  }
  alive_ = true;
}

Worker::~Worker() {
  ::close(socket_);
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Worker::start(std::size_t task) {
  const Message message = task;
  // A child that has ended shows when the answer is read.
  (void)send_all(socket_, &message, sizeof message);
}

std::optional<std::string> Worker::answer() {
  Message size = 0;
  alive_ = receive_all(socket_, &size, sizeof size);
  if (!alive_ || size == kAlone) return std::nullopt;
  std::string text(size, '\0');
  alive_ = receive_all(socket_, text.data(), size);
  if (!alive_) return std::nullopt;
  return text;
}

namespace {

// A place in which one task runs at a time.
struct Slot {
  std::unique_ptr<Worker> worker;
  std::unique_ptr<IsolatedTask> own;  ///< of a task that has a process of its own
  bool busy = false;
  std::size_t task = 0, done = 0;  ///< `done`: by this worker
  Clock::time_point since;
};

}  // namespace

void run_isolated(std::size_t count, unsigned jobs, const IsolatedTasks& tasks,
                  const std::function<void(std::size_t, const TaskEnding&)>& done) {
  // A process that has done something large, or much, is not used again: what it has not given back would
  // count against the limits of others.
  constexpr std::size_t kMostTasks = 1000;
  constexpr auto kLong = std::chrono::milliseconds(250);
  std::vector<Slot> slots(std::min<std::size_t>(std::max(1u, jobs), std::max<std::size_t>(count, 1)));
  std::deque<std::size_t> alone;  // tasks that want a process of their own
  std::size_t next = 0, running = 0;
  while (next < count || !alone.empty() || running > 0) {
    for (Slot& slot : slots) {
      if (slot.busy || (next == count && alone.empty())) continue;
      const bool own = !alone.empty();
      slot.task = own ? alone.front() : next;
      try {
        if (own)
          slot.own = std::make_unique<IsolatedTask>([&] { return tasks.alone(slot.task); });
        else if (!slot.worker)
          slot.worker = std::make_unique<Worker>(tasks.together);
      } catch (const std::system_error& e) {
        if (running > 0) break;  // what the others hold is free when they have ended
        const bool idle =
            std::any_of(slots.begin(), slots.end(), [](const Slot& s) { return s.worker != nullptr; });
        if (idle) {  // they hold processes too
          for (Slot& other : slots) other.worker.reset();
          break;
        }
        own ? alone.pop_front() : static_cast<void>(++next);
        done(slot.task, {IsolatedTask::End::crashed, "", e.what()});
        continue;
      }
      own ? alone.pop_front() : static_cast<void>(++next);
      if (!own) slot.worker->start(slot.task);
      slot.busy = true;
      slot.since = Clock::now();
      ++running;
    }
    if (running == 0) continue;
    std::vector<pollfd> ready;
    for (const Slot& slot : slots)
      ready.push_back(
          {slot.busy ? (slot.own ? slot.own->ended() : slot.worker->descriptor()) : -1, POLLIN, 0});
    ::poll(ready.data(), ready.size(), -1);
    for (std::size_t k = 0; k < slots.size(); ++k) {
      Slot& slot = slots[k];
      if (!slot.busy || ready[k].revents == 0) continue;
      slot.busy = false;
      --running;
      if (slot.own) {
        slot.own->wait(0);
        const TaskEnding ending{slot.own->end(), slot.own->result(), slot.own->ending()};
        slot.own.reset();
        done(slot.task, ending);
        continue;
      }
      const std::optional<std::string> answer = slot.worker->answer();
      if (answer)
        done(slot.task, {IsolatedTask::End::finished, *answer, ""});
      else
        alone.push_back(slot.task);
      if (!slot.worker->alive() || ++slot.done >= kMostTasks || Clock::now() - slot.since > kLong) {
        slot.worker.reset();
        slot.done = 0;
      }
    }
  }
}

}  // namespace attest
