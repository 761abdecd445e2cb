#include "base/progress_line.hpp"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace attest {

std::string progress_text(const Progress& progress, double seconds) {
  std::string text = progress.phase;
  if (progress.total == 0) return text;
  text += ": " + std::to_string(progress.done) + " of " + std::to_string(progress.total);
  if (progress.done == 0 || progress.done > progress.total || seconds < 1) return text;
  const auto left = static_cast<long>(seconds / static_cast<double>(progress.done) *
                                      static_cast<double>(progress.total - progress.done));
  return text + ", " + (left >= 60 ? std::to_string(left / 60) + " min " : "") + std::to_string(left % 60) +
         " s left";
}

class ProgressLine::Writer {
public:
  explicit Writer(bool terminal) : terminal_(terminal) {
    shared_.listen();
    thread_ = std::thread([this] { run(); });
  }
  ~Writer() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_all();
    thread_.join();
    if (terminal_ && shown_) write("\r\033[K");
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

private:
  using Clock = std::chrono::steady_clock;

  void run() {
    std::unique_lock lock(mutex_);
    Clock::time_point start = Clock::now();
    Progress last{"", 0, 0};
    const auto pause = terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(5000);
    while (!end_.wait_for(lock, pause, [this] { return ended_; })) {
      const Progress now = shared_.read();
      if (*now.phase == 0) continue;
      if (std::strcmp(now.phase, last.phase) != 0 || now.done < last.done) start = Clock::now();
      last = now;
      const std::string text =
          progress_text(now, std::chrono::duration<double>(Clock::now() - start).count());
      write(terminal_ ? "\r\033[K" + text : text + "\n");
      shown_ = true;
    }
  }

  // Whole, and past the buffers of the streams, which the other thread uses.
  static void write(const std::string& text) {
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody depends on it
  }

  bool terminal_, shown_ = false, ended_ = false;
  SharedProgress shared_;
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread thread_;
};

ProgressLine::ProgressLine(bool asked) {
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (asked || terminal) writer_ = std::make_unique<Writer>(terminal);
}

ProgressLine::~ProgressLine() = default;

}  // namespace attest
