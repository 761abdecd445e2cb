// Files in memory, mapped, and mapped from a copy.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/mapped_file.hpp"
#include "tests/support/folder.hpp"

using namespace attest;
namespace fs = std::filesystem;

namespace {

struct Place {
  const test::Folder folder;
  const std::string text = std::string(100000, 'x') + "the end";
  const fs::path file = folder.write("f", text);
  void write(const std::string& content) const {
    // In place, as a hostile writer would.
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT, 0666);
    REQUIRE(::pwrite(descriptor, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
    ::close(descriptor);
  }
};

}  // namespace

TEST_CASE("a file is the same read, mapped, and mapped from a copy, and outlives what opened it") {
  const Place place;
  FileBytes all[3];
  std::shared_ptr<const void> owner;
  {
    all[0] = RegularFile(AT_FDCWD, place.file).read();
    all[1] = map_file(RegularFile(AT_FDCWD, place.file));
    all[2] = map_copy(RegularFile(AT_FDCWD, place.file));
  }
  for (const FileBytes& bytes : all) {
    CHECK(bytes.view() == place.text);
    CHECK(reinterpret_cast<std::uintptr_t>(bytes.view().data()) % 16 == 0);
  }
  const std::string_view kept = all[1].view();
  owner = all[1].owner();
  all[1] = {};
  CHECK(kept == place.text);
  // Who writes to the file does not reach the copy.
  place.write("forged");
  CHECK(all[0].view() == place.text);
  CHECK(all[2].view() == place.text);
  CHECK(kept.starts_with("forged"));
  place.folder.write("empty", "");
  CHECK(map_file(RegularFile(AT_FDCWD, place.folder / "empty")).view().empty());
  CHECK(map_copy(RegularFile(AT_FDCWD, place.folder / "empty")).view().empty());
}

TEST_CASE("a mapped file that is shortened ends the process with a message, a copy lives") {
  const Place place;
  for (const bool copied : {false, true}) {
    CAPTURE(copied);
    place.write(place.text);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(ends[1], 2);
      RegularFile file(AT_FDCWD, place.file);
      const FileBytes bytes = copied ? map_copy(file) : map_file(file);
      if (::truncate(place.file.c_str(), 10) != 0) ::_exit(9);
      ::_exit(bytes.view().back() == 'd' ? 0 : 8);
    }
    ::close(ends[1]);
    std::string message;
    char part[200];
    for (ssize_t size; (size = ::read(ends[0], part, sizeof part)) > 0;)
      message.append(part, static_cast<std::size_t>(size));
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == (copied ? 0 : 2));
    CHECK(message.empty() == copied);
    if (!copied) CHECK(message.find("shortened") != std::string::npos);
  }
}

TEST_CASE("a file that is shortened or grows between opening and reading is refused, mapped as a copy too") {
  const Place place;
  for (const std::uintmax_t size : {std::uintmax_t{0}, std::uintmax_t{10}, std::uintmax_t{200000}}) {
    for (const bool copied : {false, true}) {
      CAPTURE(size);
      CAPTURE(copied);
      place.write(place.text);
      fs::resize_file(place.file, place.text.size());
      RegularFile file(AT_FDCWD, place.file);
      fs::resize_file(place.file, size);
      CHECK_THROWS_WITH_AS((void)(copied ? map_copy(file) : file.read()), "its size changes while it is read",
                           FileError);
    }
  }
}

TEST_CASE("a copy needs a folder with room, and says which") {
  const Place place;
  const char* const before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("TMPDIR", (place.folder / "none").c_str(), 1);
  try {
    (void)map_copy(RegularFile(AT_FDCWD, place.file));
    CHECK(false);
  } catch (const FileError& error) {
    CHECK(std::string(error.what()).find("none") != std::string::npos);
    CHECK(std::string(error.what()).find("TMPDIR") != std::string::npos);
  }
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", saved.c_str(), 1);
}
