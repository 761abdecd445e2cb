#include "cli/isolated.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace attest {

IsolatedTask::IsolatedTask(const std::function<std::string()>& work, std::size_t memory_limit) : output_(std::tmpfile()) {
  if (output_ == nullptr) throw std::runtime_error("no temporary file can be made");
  std::fflush(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("no process can be started");
  if (pid_ == 0) {
#if !defined(__SANITIZE_ADDRESS__)  // its shadow memory needs terabytes of address space
    if (memory_limit != 0) {
      const rlimit limit{memory_limit, memory_limit};
      ::setrlimit(RLIMIT_AS, &limit);
    }
#else
    (void)memory_limit;
#endif
    const std::string text = work();
    const bool written = std::fwrite(text.data(), 1, text.size(), output_) == text.size() && std::fflush(output_) == 0;
    ::_exit(written ? 0 : 1);
  }
  running_ = true;
}

IsolatedTask::~IsolatedTask() {
  if (running_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::fclose(output_);
}

void IsolatedTask::reaped(int wait_status) {
  running_ = false;
  end_ = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 ? End::finished : End::crashed;
}

void IsolatedTask::wait(double timeout) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout);
  int status = 0;
  auto pause = std::chrono::microseconds(200);
  while (true) {
    const pid_t done = ::waitpid(pid_, &status, timeout > 0 ? WNOHANG : 0);
    if (done == pid_) break;
    if (timeout > 0 && Clock::now() > deadline) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, &status, 0);
      running_ = false;
      end_ = End::timed_out;
      return;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(20000));
  }
  reaped(status);
}

std::string IsolatedTask::result() const {
  if (end_ != End::finished) return "";
  std::string text;
  std::rewind(output_);
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, output_)) > 0;) text.append(buffer, n);
  return text;
}

}  // namespace attest
