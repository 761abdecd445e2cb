#include "base/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/meter.hpp"
#include "tests/input/support.hpp"

namespace attest {
namespace {

using test::outcome;

constexpr std::size_t kLong = std::size_t{1} << 40;  // a cost that is worth every thread

struct Threads {
  explicit Threads(std::size_t count) { use_threads(count); }
  ~Threads() { use_threads(1); }
};

TEST_CASE("each piece is done once, whatever the number of threads") {
  for (const std::size_t count : {1, 2, 3, 8}) {
    const Threads used(count);
    for (const std::size_t pieces : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(pieces);
      in_parallel(pieces, kLong, [&](std::size_t k) { ++done[k]; });
      for (const auto& times : done) CHECK(times == 1);
      std::vector<std::atomic<int>> entries(pieces);
      in_ranges(pieces, kLong, [&](std::size_t first, std::size_t end) {
        for (; first < end; ++first) ++entries[first];
      });
      for (const auto& times : entries) CHECK(times == 1);
    }
  }
}

TEST_CASE("threads are started where they are wanted and worth it, and not within pieces") {
  const auto seen = [](std::size_t pieces, std::size_t cost) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    std::atomic<std::size_t> arrived = 0;
    in_ranges(pieces, cost, [&](std::size_t, std::size_t) {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
      ++arrived;
    });
    CHECK(arrived >= ids.size());
    return arrived.load();  // ranges: as many as threads
  };
  CHECK(seen(100, kLong) == 1);
  const Threads used(3);
  CHECK(threads() == 3);
  CHECK(seen(100, kLong) == 3);
  CHECK(seen(2, kLong) == 2);
  CHECK(seen(100, 1000) == 1);
  CHECK_FALSE(within_piece());
  in_parallel(2, kLong, [&](std::size_t) {
    CHECK(within_piece());
    CHECK(seen(100, kLong) == 1);
  });
  // A single piece is no loop.
  in_parallel(1, kLong, [&](std::size_t) {
    CHECK_FALSE(within_piece());
    CHECK(seen(100, kLong) == 3);
  });
  use_threads(0);
  CHECK(threads() == 1);
  use_threads(1000);
  CHECK(threads() == 64);
}

TEST_CASE("the first error of the pieces is thrown, after all before it are done") {
  for (const std::size_t count : {1, 2, 8}) {
    const Threads used(count);
    std::vector<std::atomic<int>> done(200);
    const auto run = [&] {
      in_parallel(done.size(), kLong, [&](std::size_t k) {
        ++done[k];
        if (k % 3 == 2 && k >= 50) throw std::runtime_error("piece " + std::to_string(k));
      });
    };
    CHECK_THROWS_WITH(run(), "piece 50");
    for (std::size_t k = 0; k <= 50; ++k) CHECK(done[k] == 1);
    CHECK_FALSE(within_piece());
  }
}

TEST_CASE("a limit on work says the same whatever the number of threads") {
  std::set<std::string> said;
  for (const std::size_t count : {1, 2, 8}) {
    const Threads used(count);
    meter().limit_work(1000);
    said.insert(outcome([] { in_parallel(100, kLong, [](std::size_t k) { meter().work(10 + k); }); }));
    CHECK(meter().work_done() == 1001);
    said.insert(outcome([] { meter().work(10); }));
    meter().limit_work(0);
  }
  CHECK(said ==
        std::set<std::string>{"limit: at least 1001 word operations are needed; the limit is 1000 (--work)",
                              "limit: at least 1011 word operations are needed; the limit is 1000 (--work)"});
}

}  // namespace
}  // namespace attest
