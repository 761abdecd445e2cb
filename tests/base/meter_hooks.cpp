// Of a program that links attest_meter: what allocates is on the meter, and ends at the limit.
#include <doctest/doctest.h>
#include <gmpxx.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/meter.hpp"
#include "readers/case_file.hpp"
#include "tests/input/support.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

constexpr std::size_t kMega = std::size_t{1} << 20;
#if defined(__SANITIZE_ADDRESS__)
// The sanitizer's allocator gives what is asked for, keeps what was freed, and has its own record of it all.
constexpr std::size_t kLeastBlock = 16;
constexpr double kSlack = 4;
#else
constexpr std::size_t kLeastBlock = 32;  ///< of malloc, with its header
constexpr double kSlack = 1.2;           ///< of the most memory of a process, over its limit
#endif

/// How `action` ends in a process of its own, limited to so many bytes: its status and its output.
struct Ending {
  int status;
  std::string text;
  double peak;  ///< resident bytes
};
template <typename Action>
Ending in_child(std::size_t limit, Action action) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], 2);
    limit_memory(limit);
    try {
      action();
    } catch (const std::bad_alloc& error) {
      meter().limit_bytes(0);
      std::fprintf(stderr, "thrown: %s", error.what());
      ::_exit(3);
    } catch (const LimitError& error) {
      std::fprintf(stderr, "limit: %s", error.what());
      ::_exit(3);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  Ending ending{};
  char buffer[4096];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    ending.text.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  ending.peak = static_cast<double>(usage.ru_maxrss) * 1024;
  return ending;
}

TEST_CASE("operator new and delete are counted") {
  const std::uint64_t before = meter().in_use();
  auto block = std::make_unique<char[]>(3 * kMega);
  CHECK(meter().in_use() >= before + 3 * kMega);
  CHECK(meter().in_use() < before + 4 * kMega);
  struct alignas(64) Wide {
    char bytes[64];
  };
  auto wide = std::make_unique<Wide[]>(kMega / 64);
  CHECK(reinterpret_cast<std::uintptr_t>(wide.get()) % 64 == 0);
  CHECK(meter().in_use() >= before + 4 * kMega);
  wide.reset();
  block.reset();
  CHECK(meter().in_use() < before + kMega / 8);
}

TEST_CASE("GMP's numbers are counted, small ones with their headers") {
  const std::uint64_t before = meter().in_use();
  {
    mpz_class x = 1;
    x <<= 8 * 2 * kMega;
    CHECK(meter().in_use() >= before + 2 * kMega);
    x = 5;
    mpz_realloc2(x.get_mpz_t(), 64);
    CHECK(meter().in_use() < before + kMega);
    std::vector<mpz_class> many(10000, mpz_class(7));
    CHECK(meter().in_use() >= before + 10000 * (sizeof(mpz_class) + kLeastBlock));
  }
  CHECK(meter().in_use() < before + kMega / 8);
}

TEST_CASE("beyond the limit operator new throws, and below it does not") {
  const auto fill = [](std::size_t megabytes) {
    return [megabytes] {
      std::vector<std::unique_ptr<char[]>> blocks;
      for (std::size_t i = 0; i < megabytes; ++i) blocks.push_back(std::make_unique<char[]>(kMega));
    };
  };
  CHECK(in_child(100 * kMega, fill(90)).status == 0);
  const Ending beyond = in_child(100 * kMega, fill(200));
  CHECK(beyond.status == 3);
  CHECK(test::matches(beyond.text, "thrown: at least 1 ... bytes of memory are needed; the limit is 10"));
  CHECK(beyond.peak < kSlack * 100 * kMega);
  CHECK(in_child(100 * kMega, [] {
          if (new (std::nothrow) char[200 * kMega] != nullptr) ::_exit(1);
        }).status == 0);
}

TEST_CASE("beyond the limit GMP ends the process with status 3 and a message") {
  const auto power = [](unsigned long exponent) {
    return [exponent] {
      mpz_class x;
      mpz_ui_pow_ui(x.get_mpz_t(), 3, exponent);
    };
  };
  CHECK(in_child(64 * kMega, power(10'000'000)).status == 0);
  const Ending beyond = in_child(64 * kMega, power(4'000'000'000));
  CHECK(beyond.status == 3);
  CHECK(test::matches(beyond.text.substr(0, beyond.text.find('\n')),
                      "attest: at least ... bytes of memory are needed; the limit is "));
  CHECK(beyond.peak < 1.2 * 64 * kMega);
  const Ending handled = in_child(64 * kMega, [] {
    on_exhausted_memory([](const char* message) {
      std::fprintf(stderr, "handled: %s", message);
      ::_exit(7);
    });
    mpz_class x = 1;
    for (int i = 0; i < 40; ++i) x <<= (1UL << i);
  });
  CHECK(handled.status == 7);
  CHECK(test::matches(handled.text, "handled: at least "));
}

TEST_CASE("malloc, which the meter does not see, ends at the backstop") {
  const auto fill = [](std::size_t megabytes) {
    return [megabytes] {
      void* volatile block = std::malloc(megabytes * kMega);
      if (block == nullptr) ::_exit(5);
    };
  };
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(in_child(64 * kMega, fill(130)).status == 5);
#endif
  CHECK(in_child(64 * kMega, fill(50)).status == 0);
}

TEST_CASE("small inputs that need much memory end at the limit") {
  const test::Folder folder;
  std::string list = "[\"1e100000\"";
  for (int i = 0; i < 20000; ++i) list += ",\"1e100000\"";
  // 40 kB for each of 20,001 numbers.
  const auto file = folder.write(
      "case.toml", "format = 1\n[[claim]]\nstatement = \"lemma-2\"\nc = 1\nvectors = [" + list + "]]\n");
  const auto read = [&] { read_case(file); };
  const Ending beyond = in_child(200 * kMega, read);
  CHECK(beyond.status == 3);
  CHECK(beyond.peak < kSlack * 200 * kMega);
  CHECK(in_child(2000 * kMega, read).status == 0);
}

}  // namespace
}  // namespace attest
