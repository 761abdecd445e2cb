#include "base/meter.hpp"

#include <doctest/doctest.h>

#include "base/amount.hpp"
#include "problem/numbers.hpp"
#include "tests/input/support.hpp"

namespace attest {
namespace {

using test::matches;
using test::outcome;

TEST_CASE("work is counted, and refused beyond the limit") {
  Meter m;
  m.work(1000);
  CHECK(m.work_done() == 1000);
  m.limit_work(500);  // counted from here on
  m.work(500);
  CHECK(outcome([&] { m.work(1); }) ==
        "limit: at least 501 word operations are needed; the limit is 500 (--work)");
  CHECK(matches(outcome([&] { m.work(UINT64_MAX); }), "limit: at least 18446744073709551615 word"));
}

TEST_CASE("what the system refuses within the limit is not said to be beyond it") {
  CHECK(std::string(MemoryLimitError(11, 10).what()) ==
        "at least 11 bytes of memory are needed; the limit is 10 (--memory); a larger one may do");
  CHECK(std::string(MemoryLimitError(10, 10).what()) ==
        "there is not enough memory; the limit is 10 (--memory), of which libraries need some; a larger one "
        "may do");
  CHECK(std::string(MemoryLimitError(1, UINT64_MAX).what())
            .ends_with("libraries need some; a larger one may do"));
}

TEST_CASE("bytes are counted, and there is room up to the limit") {
  Meter m;
  CHECK(m.room_for(UINT64_MAX));
  m.add_bytes(100);
  m.limit_bytes(150);
  CHECK(m.room_for(50));
  CHECK_FALSE(m.room_for(51));
  CHECK_FALSE(m.room_for(UINT64_MAX));
  CHECK(std::string(m.no_room_for(51).what()) ==
        "at least 151 bytes of memory are needed; the limit is 150 (--memory); a larger one may do");
  m.add_bytes(-60);
  CHECK(m.room_for(110));
  m.add_bytes(-60);  // freed by another thread than counts it
  CHECK(m.in_use() == 0);
}

TEST_CASE("amounts") {
  const auto bytes = [](const char* text) { return parse_amount(text, "--memory", 1024); };
  CHECK(bytes("1") == 1);
  CHECK(bytes("1000000") == 1000000);
  CHECK(bytes("500M") == 500 << 20);
  CHECK(bytes("8G") == std::uint64_t{8} << 30);
  CHECK(bytes("1.5G") == std::uint64_t{3} << 29);
  CHECK(bytes("2T") == std::uint64_t{2} << 40);
  CHECK(bytes("0.5K") == 512);
  CHECK(bytes("9223372036854775807") == INT64_MAX);
  CHECK(parse_amount("3G", "--work", 1000) == 3'000'000'000);
  for (const char* const text : {"",
                                 "G",
                                 "nan",
                                 "inf",
                                 "-1",
                                 "-8G",
                                 "+8G",
                                 "8g",
                                 "8GB",
                                 "8 G",
                                 " 8",
                                 "1e9",
                                 "0x10",
                                 "1/2",
                                 ".",
                                 "1..2",
                                 "0",
                                 "0G",
                                 "0.1",
                                 "0.0001K",
                                 "9223372036854775808",
                                 "9000000T",
                                 "99999999999999999999999999999999999999999"}) {
    CAPTURE(text);
    CHECK(matches(outcome([&] { bytes(text); }),
                  "input: --memory: ... ; give a number like 1000000, 500M or 8G"));
  }
}

TEST_CASE("the powers of ten are right, kept or not") {
  CHECK(parse_number("1e3") == 1000);
  CHECK(parse_number("1e3") == 1000);
  CHECK(parse_number("2e-3") == mpq_class(1, 500));
  CHECK(parse_number("1e2") == 100);
  CHECK(parse_number("1e0") == 1);
  CHECK(parse_number("1.25e1") == mpq_class(25, 2));
  CHECK(parse_number("1.25") == mpq_class(5, 4));
}

}  // namespace
}  // namespace attest
