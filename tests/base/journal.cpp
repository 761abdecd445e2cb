// The journal: whatever ends its writer, at whatever byte, whole lines stay and the next writer goes on.
#include "base/journal.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/errors.hpp"
#include "tests/support/folder.hpp"

using attest::InputError;
using attest::Journal;
using Use = attest::Journal::Use;

namespace {

namespace fs = std::filesystem;
const std::vector<std::string> kLines = {"{\"first\":1}", "", "the third one"};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}
std::vector<std::string> whole(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  return lines;
}

// The wait status of a child that does this.
int child(const std::function<void()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      work();
    } catch (const InputError& e) {
      ::_exit(std::string(e.what()).find("cannot be written (File too large); room") == std::string::npos
                  ? 4
                  : 3);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  return status;
}

// Adds kLines where no file may have more than so many bytes: what goes beyond them ends the process
// (`killed`) or the write, after the bytes before it have been written.
int add_all_within(const fs::path& file, std::size_t bytes, bool killed) {
  return child([&] {
    Journal journal(file, Use::add);
    std::signal(SIGXFSZ, killed ? SIG_DFL : SIG_IGN);
    const rlimit none{0, 0}, limit{bytes, bytes};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    for (const std::string& line : kLines) journal.add(line);
  });
}

}  // namespace

TEST_CASE("lines come back as they were added, in a folder that is made") {
  const attest::test::Folder folder;
  const fs::path file = folder.path() / "a/b/journal";
  {
    Journal journal(file, Use::add);
    CHECK(journal.lines().empty());
    for (const std::string& line : kLines) journal.add(line);
    journal.sync();
  }
  CHECK(attest::test::contents(file) == joined(kLines));
  for (const Use use : {Use::add, Use::read, Use::look}) {
    const Journal journal(file, use);
    CHECK(journal.lines() == kLines);
    CHECK(journal.torn() == 0);
  }
}

TEST_CASE("a writer that is killed after any byte leaves whole lines, and the next one goes on") {
  const attest::test::Folder folder;
  const std::string text = joined(kLines);
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    CAPTURE(bytes);
    const fs::path file = folder.path() / std::to_string(bytes);
    const int status = add_all_within(file, bytes, true);
    CHECK((bytes < text.size() ? WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ
                               : WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CHECK(attest::test::contents(file) == text.substr(0, bytes));
    const std::vector<std::string> left = whole(text.substr(0, bytes));
    const std::size_t torn = bytes - joined(left).size();
    for (const Use use : {Use::read, Use::look, Use::add}) {
      const Journal journal(file, use);
      CHECK(journal.lines() == left);
      CHECK(journal.torn() == torn);
    }
    CHECK(attest::test::contents(file) == text.substr(0, bytes));  // until it is known to be the reader's own
    {
      Journal journal(file, Use::add);
      journal.drop_torn();
      for (std::size_t k = left.size(); k < kLines.size(); ++k) journal.add(kLines[k]);
    }
    CHECK(attest::test::contents(file) == text);
  }
}

TEST_CASE("no room: an error that says so, and no half of a line") {
  const attest::test::Folder folder;
  const std::string text = joined(kLines);
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    CAPTURE(bytes);
    const fs::path file = folder.path() / std::to_string(bytes);
    const int status = add_all_within(file, bytes, false);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == (bytes < text.size() ? 3 : 0));
    CHECK(attest::test::contents(file) == joined(whole(text.substr(0, bytes))));
  }
}

TEST_CASE("one process at a time: writers that come at once, and readers while one writes") {
  const attest::test::Folder folder;
  const fs::path file = folder.path() / "journal";
  constexpr int kWriters = 8, kEach = 50;
  std::vector<pid_t> pids;
  for (int writer = 0; writer < kWriters; ++writer) {
    pids.push_back(::fork());
    REQUIRE(pids.back() >= 0);
    if (pids.back() != 0) continue;
    for (int added = 0; added < kEach;) {
      try {
        Journal journal(file, Use::add);
        const std::string line(1000 + writer, static_cast<char>('a' + writer));
        for (int k = 0; k < 10; ++k, ++added) journal.add(line);
      } catch (const InputError&) {  // in use
        ::usleep(300);
      }
    }
    ::_exit(0);
  }
  for (const pid_t pid : pids) {
    int status = 1;
    REQUIRE(::waitpid(pid, &status, 0) == pid);
    CHECK(status == 0);
  }
  {
    Journal journal(file, Use::add);
    CHECK(journal.lines().size() == kWriters * kEach);
    for (const std::string& line : journal.lines()) {
      CHECK(line.size() == 1000 + static_cast<std::size_t>(line[0] - 'a'));
      CHECK(line.find_first_not_of(line[0]) == std::string::npos);
    }
    CHECK_THROWS_WITH_AS(Journal(file, Use::add), doctest::Contains("is in use by another process; "),
                         InputError);
    CHECK_THROWS_WITH_AS(Journal(file, Use::read), doctest::Contains("is in use by another process; "),
                         InputError);
    CHECK(Journal(file, Use::look).lines().size() == kWriters * kEach);
  }
  const Journal one(file, Use::read), two(file, Use::read);  // readers do not mind each other
  CHECK_THROWS_AS(Journal(file, Use::add), InputError);
}

TEST_CASE("what is no regular file of its own is refused, and left as it is") {
  const attest::test::Folder folder;
  const auto at = [&](const char* name) { return folder.path() / name; };
  folder.write("target", "precious");
  fs::create_symlink(at("target"), at("link"));
  fs::create_symlink(at("none"), at("dangling"));
  fs::create_symlink("/dev/full", at("device"));
  fs::create_directory(at("folder"));
  REQUIRE(::mkfifo(at("fifo").c_str(), 0600) == 0);
  for (const fs::path& file : {at("link"), at("dangling"), at("device"), at("folder"), at("fifo"),
                               fs::path("/dev/full"), fs::path("/dev/null/journal")})
    for (const Use use : {Use::add, Use::read, Use::look}) {
      CAPTURE(file);
      CHECK_THROWS_WITH_AS(Journal(file, use), doctest::Contains(file.c_str()), InputError);
    }
  CHECK(attest::test::contents(at("target")) == "precious");
  CHECK_FALSE(fs::exists(at("none")));
  CHECK_THROWS_WITH_AS(Journal(at("none"), Use::read), doctest::Contains("No such file"), InputError);
}
