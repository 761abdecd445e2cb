#include "check/time_limit.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>

namespace attest::kernel {
namespace {

// What the process says when it ends, and its status: not changed while `allowed`.
std::string said;
int status_then = 0;

std::atomic<bool> allowed = false, over = false;
bool given = false;  // the leave; `allowed` says whether it has not been taken

// A signal handler: nothing but calls of the system.
[[noreturn]] void end() {
  const char* at = said.data();
  for (std::size_t left = said.size(); left > 0;) {
    const ssize_t written = ::write(STDOUT_FILENO, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) ::_exit(2);  // as for any output that cannot be written
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  ::_exit(status_then);
}

// Whoever finds the time over and takes the leave ends the process, in whichever thread.
void end_if_allowed() {
  if (allowed.exchange(false)) end();
}

void time_is_over(int) {
  over = true;
  end_if_allowed();
}

void set_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(std::ceil(999'999 * (seconds - std::floor(seconds))));
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

TimeLimit::TimeLimit(double seconds) : limited_(seconds > 0) {
  if (!limited_) return;
  over = false;
  std::signal(SIGALRM, time_is_over);
  sigset_t alarm;  // which whoever started this process may have blocked
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ::sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
  set_timer(seconds);
}

TimeLimit::~TimeLimit() {
  if (!limited_) return;
  may_not_end();
  set_timer(0);
  std::signal(SIGALRM, SIG_DFL);
}

void TimeLimit::may_end(const std::string& text, int status) {
  may_not_end();
  said = text;
  status_then = status;
  given = allowed = true;
  if (over) end_if_allowed();
}

void TimeLimit::may_not_end() {
  while (given && !allowed.exchange(false)) ::pause();  // another thread ends the process
  given = false;
}

}  // namespace attest::kernel
