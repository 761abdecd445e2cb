#include "base/progress_line.hpp"

#include <unistd.h>

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

ProgressPrinter::ProgressPrinter(bool asked) : asked_(asked), terminal_(::isatty(STDERR_FILENO) != 0) {}

namespace {

// Whole, and past the buffers of the streams, which another thread may use. Nobody depends on it.
void write_whole(const std::string& text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

}  // namespace

ProgressPrinter::~ProgressPrinter() {
  if (terminal_ && written_) write_whole("\r\033[K");
}

void ProgressPrinter::show(const Progress& now) {
  if (!shows() || *now.phase == 0) return;
  const Clock::time_point time = Clock::now();
  if (std::strcmp(now.phase, last_.phase) != 0 || now.done < last_.done) start_ = time;
  last_ = now;
  const bool ended = now.total != 0 && now.done >= now.total;
  if (!ended && time - last_written_ < pause()) return;
  last_written_ = time;
  const std::string text = progress_text(now, std::chrono::duration<double>(time - start_).count());
  write_whole(terminal_ ? "\r\033[K" + text : text + "\n");
  written_ = true;
}

class ProgressLine::Watcher {
public:
  explicit Watcher(bool asked) : printer_(asked) {
    shared_.listen();
    thread_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      while (!end_.wait_for(lock, printer_.pause(), [this] { return ended_; })) printer_.show(shared_.read());
    });
  }
  ~Watcher() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_all();
    thread_.join();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

private:
  ProgressPrinter printer_;
  bool ended_ = false;
  SharedProgress shared_;
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread thread_;
};

ProgressLine::ProgressLine(bool asked) {
  if (ProgressPrinter(asked).shows()) watcher_ = std::make_unique<Watcher>(asked);
}

ProgressLine::~ProgressLine() = default;

}  // namespace attest
