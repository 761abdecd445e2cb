#include "base/progress.hpp"

#include <sys/mman.h>

#include <atomic>
#include <new>

namespace attest {

struct SharedProgress::Slot {
  std::atomic<std::uint64_t> version = 0;  ///< odd while the rest is written
  std::atomic<const char*> phase = "";
  std::atomic<std::uint64_t> done = 0, total = 0;
};

namespace {

std::atomic<SharedProgress::Slot*> listener = nullptr;

}  // namespace

void report_progress(const char* phase, std::uint64_t done, std::uint64_t total) noexcept {
  SharedProgress::Slot* const slot = listener;
  if (slot == nullptr) return;
  const std::uint64_t version = slot->version | 1;  // also after a report that was cut off
  slot->version = version;
  slot->phase = phase;
  slot->done = done;
  slot->total = total;
  slot->version = version + 1;
}

SharedProgress::SharedProgress() {
  void* const page = ::mmap(nullptr, sizeof(Slot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  slot_ = new (page) Slot;
}

SharedProgress::~SharedProgress() {
  Slot* own = slot_;
  listener.compare_exchange_strong(own, nullptr);
  ::munmap(slot_, sizeof(Slot));
}

void SharedProgress::listen() noexcept {
  listener = slot_;
}

Progress SharedProgress::read() noexcept {
  const std::uint64_t before = slot_->version;
  const Progress now{slot_->phase, slot_->done, slot_->total};
  if (before % 2 == 0 && slot_->version == before) last_ = now;
  return last_;
}

}  // namespace attest
