#include <doctest/doctest.h>

#include <cmath>

#include "readers/array_files.hpp"
#include "tests/input/support.hpp"

namespace attest {
namespace {

using test::check_matches;
using test::check_outcome;
using test::matches;
using test::Member;
using test::npy;
using test::npy_header;
using test::outcome;
using test::parse_npz;
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
    check_outcome("input: a.npz: this is not a well-formed zip archive", [&] { read(bytes, "x"); });
}

TEST_CASE("npz: nothing but members, one behind the other, so that every reader sees the same") {
  const std::string good = member({1, 2}), archive = test::zip({{"x.npy", good}, {"y.npy", member({3, 4})}});
  const std::string other = test::zip({{"x.npy", member({5, 6})}, {"y.npy", member({7, 8})}});
  const std::size_t end = archive.size() - 22, directory = archive.find("PK\x01\x02");
  const auto with = [&](std::size_t at, const std::string& bytes) {
    return std::string(archive).insert(at, bytes);
  };
  const auto patched = [&](std::string bytes, std::size_t at, const std::string& with_bytes) {
    return bytes.replace(at, with_bytes.size(), with_bytes);
  };
  const auto length = static_cast<std::uint16_t>(other.size());
  const std::string renamed =
      raw(std::uint16_t{0x7075}) + raw(std::uint16_t{10}) + "\1" + raw(test::crc32("x.npy")) + "y.npy";
  const auto extra = [&](const std::string& field) {
    return test::zip({{"x.npy", good, 0, 0, 0, 0, field}});
  };
  const struct {
    std::string bytes;
    const char* pattern;
  } rows[] = {
      {archive + other, "its directory does not end where its end record begins"},
      {patched(archive, end + 20, raw(length)) + other,
       "its directory does not end where its end record begins"},
      {patched(archive + "hello", end + 20, raw(std::uint16_t{5})), "it does not end with an end record"},
      {"MZ" + archive, "its directory does not end where its end record begins"},
      {archive + '\0', "it does not end with an end record"},
      {with(end, "junk"), "its directory does not end where its end record begins"},
      {patched(with(directory, "junk"), end + 4 + 16, raw(static_cast<std::uint32_t>(directory + 4))),
       "bytes that belong to no member stand before the directory"},
      {patched("MZ" + archive, end + 2 + 16, raw(static_cast<std::uint32_t>(directory + 2))),
       "a header does not begin where it should"},
      {patched(patched("MZ" + archive, end + 2 + 16, raw(static_cast<std::uint32_t>(directory + 2))),
               directory + 2 + 42, raw(std::uint32_t{2})),
       "a member is not where the one before it ends"},
      {extra(renamed), "an extra field is none that numpy writes"},
      {extra("ab"), "a record ends too early"},
      {extra(raw(std::uint16_t{1}) + raw(std::uint16_t{0})), "an extra field is empty"},
      {test::zip({{std::string("x.npy\0a", 7), good}}), "a name has a NUL or is not ASCII"},
      {test::zip({{"\xc3\xbc.npy", good}}), "a name has a NUL or is not ASCII"},
      {test::zip({{"\xfc.npy", good, 0x800}}), "a name has a NUL or is not ASCII"},
      {test::zip({{"x.npy", good, 8}}), "the sizes of a member come after it"},
      {test::zip({{"x.npy", good, 0x40}}), "a member is stored in a way that numpy does not know"},
      {patched(archive, end + 8, raw(std::uint16_t{1}) + raw(std::uint16_t{1})), "another number of members"},
      {patched(archive, 26, std::string(1, '\4')), "contradicts the directory"},
  };
  for (const auto& row : rows) {
    const std::string got = outcome([&] { read(row.bytes, "x"); });
    check_matches(got,
                  std::string("input: a.npz: this is not a well-formed zip archive: ... ") + row.pattern);
  }
  // Numbers of 64 bits, times and owners of files, and names in UTF-8 that say so.
  const std::uint64_t size = good.size();
  CHECK(read(extra(raw(std::uint16_t{0x5455}) + raw(std::uint16_t{5}) + "\1" + raw(7)), "x").at(1) == 2);
  CHECK(read(test::zip({{"\xc3\xbc.npy", good, 0x800}}), "\xc3\xbc").at(1) == 2);
  std::string wide = test::zip({{"x.npy", good}});
  const std::string field = raw(std::uint16_t{1}) + raw(std::uint16_t{16}) + raw(size) + raw(size);
  wide = patched(patched(wide, 18, raw(~std::uint64_t{0})), 28, raw(std::uint16_t{20})).insert(35, field);
  wide = patched(wide, wide.size() - 6, raw(static_cast<std::uint32_t>(wide.find("PK\x01\x02"))));
  CHECK(read(wide, "x").at(1) == 2);
}

TEST_CASE("npz: a member is inflated only where there is room for what it claims") {
  Member bomb{"x.npy", member({1}), 0, 8, 0, 0};
  bomb.size_offset = 0xF0000000;
  check_outcome("limit: no room", [&] {
    parse_npz(test::zip({bomb}), "x", "a.npz", [](std::uint64_t bytes) {
      if (bytes > 1000) throw LimitError("no room");
    });
  });
}

TEST_CASE("npz: cut anywhere, the archive is refused") {
  const std::string good = test::zip({{"x.npy", member({1, 2})}});
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    check_outcome("input: a.npz", [&] { read(good.substr(0, length), "x"); });
  }
}

}  // namespace
}  // namespace attest
