#include "input/sha256.hpp"

#include <doctest/doctest.h>

#include "tests/input/support.hpp"

namespace attest {
namespace {

TEST_CASE("digests agree with the standard's examples") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const test::Folder folder;
  const std::string bytes(1'000'000, 'a');
  CHECK(sha256_file(folder.write("a", bytes)) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(sha256_file(folder.write("empty", "")) == sha256_hex(""));
}

TEST_CASE("files that cannot be read are errors") {
  const test::Folder folder;
  CHECK(
      test::matches(test::outcome([&] { sha256_file(folder / "none"); }), "input: ... none: cannot be read"));
  CHECK(test::matches(test::outcome([&] { sha256_file(folder / "."); }), "cannot be read: it is a folder"));
}

}  // namespace
}  // namespace attest
