#include <doctest/doctest.h>

#include <cmath>

#include "input/array_files.hpp"
#include "tests/input/support.hpp"

namespace attest {
namespace {

using test::matches;
using test::Member;
using test::npy;
using test::npy_header;
using test::outcome;
using test::raw;

std::string member(std::vector<float> entries) {
  return npy(npy_header("<f4", "(" + std::to_string(entries.size()) + ",)"), raw(entries));
}

ExactArray read(const std::string& archive, const std::string& array) {
  return parse_npz(archive, array, "a.npz", [](std::uint64_t) {});
}
std::string result(const std::vector<Member>& members, const std::string& array = "x") {
  const std::string archive = test::zip(members);
  return outcome([&] { read(archive, array); });
}

TEST_CASE("npz: arrays by name") {
  const std::string archive = test::zip({{"x.npy", member({1, 2})},
                                         {"y.npy", member({3})},
                                         {"layer/0.weight.npy", member({4})},
                                         {"z", member({5})},
                                         {"z.npy", member({6})}});
  CHECK(read(archive, "x").at(1) == 2);
  CHECK(read(archive, "x.npy").at(1) == 2);
  CHECK(read(archive, "y").at(0) == 3);
  CHECK(read(archive, "layer/0.weight").at(0) == 4);
  CHECK(read(archive, "z").at(0) == 5);  // a member's own name comes first
  CHECK(outcome([&] { read(archive, "w"); }) ==
        "input: a.npz: there is no array \"w\"; the file has layer/0.weight, x, y, z and z");
}

TEST_CASE("npz: deflated as numpy.savez_compressed writes it") {
  const std::string text = member({1, 2});
  // A stored block of deflate: final, its length, the complement, the bytes.
  const auto length = static_cast<std::uint16_t>(text.size());
  const std::string block = "\1" + raw(length) + raw(static_cast<std::uint16_t>(~length)) + text;
  Member m{"x.npy", block, 0, 8, 0, 0};
  m.size_offset = static_cast<std::uint32_t>(text.size()) - static_cast<std::uint32_t>(block.size());
  m.crc_xor = test::crc32(block) ^ test::crc32(text);
  CHECK(result({m}) == "ok");
  CHECK(read(test::zip({m}), "x").at(1) == 2);
  m.size_offset -= 1;  // it says one byte less than there is
  CHECK(matches(result({m}), "input: a.npz: array x.npy: it "));
  m.size_offset += 2;  // one more
  CHECK(matches(result({m}), "input: a.npz: array x.npy: it "));
  m.size_offset -= 1;
  m.crc_xor ^= 1;
  CHECK(matches(result({m}), "input: a.npz: array x.npy: it cannot be read: CRC error"));
}

TEST_CASE("npz: what is refused") {
  const std::string good = member({1, 2});
  CHECK(result({{"x.npy", good}}) == "ok");
  CHECK(matches(
      result({{"x.npy", good}, {"y.npy", good}, {"x.npy", good}}),
      "input: a.npz: this is not a well-formed zip archive: two members have the same name; write it"));
  CHECK(matches(result({{"x.npy", good, 1}}), "array x.npy: it is encrypted; give an archive without"));
  CHECK(matches(result({{"x.npy", good, 0, 12}}), "array x.npy: its compression method 12 is not supported"));
  CHECK(matches(result({{"x.npy", good, 0, 0, 0, 1}}), "array x.npy: it cannot be read: CRC error"));
  CHECK(matches(result({{"x.npy", good, 0, 0, 5}}), "input: a.npz: "));
  CHECK(matches(result({}), "input: a.npz: ... the file has no arrays"));
  CHECK(matches(result({{"x.npy", "text"}}), "a.npz:x: this is not a .npy file"));
  CHECK(matches(result({{"x.npy", member({1, HUGE_VALF})}}), "a.npz:x: index [1]: the entry is infinite"));
  for (const std::string bytes : {"PK", "not an archive"})
    CHECK(matches(outcome([&] { read(bytes, "x"); }), "input: a.npz: this is not a well-formed zip archive"));
}

TEST_CASE("npz: a member is inflated only where there is room for what it claims") {
  Member bomb{"x.npy", member({1}), 0, 8, 0, 0};
  bomb.size_offset = 0xF0000000;
  CHECK(matches(outcome([&] {
                  parse_npz(test::zip({bomb}), "x", "a.npz", [](std::uint64_t bytes) {
                    if (bytes > 1000) throw LimitError("no room");
                  });
                }),
                "limit: no room"));
}

TEST_CASE("npz: cut anywhere, the archive is refused") {
  const std::string good = test::zip({{"x.npy", member({1, 2})}});
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    CHECK(matches(outcome([&] { read(good.substr(0, length), "x"); }), "input: a.npz"));
  }
}

}  // namespace
}  // namespace attest
