#include "base/progress.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

using namespace attest;

TEST_CASE("progress of a process that was forked, also of one that was forked by it") {
  report_progress("nobody listens", 1, 2);
  SharedProgress shared;
  CHECK(std::string(shared.read().phase).empty());
  for (int depth = 1; depth <= 2; ++depth) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      shared.listen();
      if (depth == 2) {
        const pid_t grandchild = ::fork();
        if (grandchild == 0) {
          report_progress("rows", 20, 30);
          ::_exit(0);
        }
        ::waitpid(grandchild, nullptr, 0);
      } else {
        report_progress("rows", 10, 30);
      }
      ::_exit(0);
    }
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    const Progress seen = shared.read();
    CHECK(std::string(seen.phase) == "rows");
    CHECK(seen.done == 10u * static_cast<unsigned>(depth));
    CHECK(seen.total == 30);
  }
  report_progress("this process", 1, 2);  // nobody listens here
  CHECK(std::string(shared.read().phase) == "rows");
}

TEST_CASE("after the listener is gone nothing is reported") {
  {
    SharedProgress shared;
    shared.listen();
    report_progress("tokens", 0, 0);
    CHECK(std::string(shared.read().phase) == "tokens");
    const SharedProgress other;  // takes nothing away when it ends
  }
  report_progress("tokens", 1, 2);
  SharedProgress next;
  CHECK(std::string(next.read().phase).empty());
}
