#include "cli/isolated.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>

#include "input/meter.hpp"

namespace attest {
namespace {

constexpr const char* kNoMemory = "there is not enough memory";
// Of the child: where its text goes, and how it ends when its work has thrown.
constexpr int kOutput = 3, kThrew = 4, kOutOfMemory = 5;

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

// The child's side. Nothing is thrown out of it: the stack below belongs to the parent.
[[noreturn]] void run(const std::function<std::string()>& work) {
  try {
    on_exhausted_memory(out_of_memory);
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

IsolatedTask::IsolatedTask(const std::function<std::string()>& work, Parent kind)
    : output_(::memfd_create("attest", MFD_CLOEXEC)) {
  if (output_ < 0) throw std::system_error(errno, std::generic_category(), "no memory file can be made");
  // A parent that ignored the signal would make the kernel forget how children ended.
  if (kind == Parent::program) {
    std::signal(SIGCHLD, SIG_DFL);
    if (!in_host) std::fflush(nullptr);
  }
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) {
    const int reason = errno;
    ::close(output_);
    throw std::system_error(reason, std::generic_category(), "no process can be started");
  }
  if (pid_ == 0) {
    // Whoever kills the program kills its work.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) ::_exit(1);
    // What the parent holds for other children is not this one's.
    if (output_ != kOutput && ::dup2(output_, kOutput) < 0) ::_exit(1);
    ::close_range(kOutput + 1, ~0u, 0);
    if (kind == Parent::host) leave_host();
    run(work);
  }
  running_ = true;
}

IsolatedTask::~IsolatedTask() {
  if (running_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(output_);
}

void IsolatedTask::reaped(int wait_status) {
  running_ = false;
  wait_status_ = wait_status;
  end_ = End::crashed;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) end_ = End::finished;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kThrew) end_ = End::threw;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == kOutOfMemory) end_ = End::out_of_memory;
}

bool IsolatedTask::ended_within(double seconds) {
  using Clock = std::chrono::steady_clock;
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

EndedChild wait_for_any_child() {
  EndedChild child;
  do {
    child.pid = ::waitpid(-1, &child.status, 0);
  } while (child.pid < 0 && errno == EINTR);
  return child;
}

}  // namespace attest
