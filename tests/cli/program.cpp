#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support/text.hpp"

namespace attest::test {

namespace fs = std::filesystem;

std::vector<std::string> Workplace::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path()))
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), path()).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

// Child side: in the folder, outputs to files, no terminal. A program without a folder is one of the build.
[[noreturn]] void become(const fs::path& folder, const std::string& program,
                         const std::vector<std::string>& arguments, const std::string& out,
                         const std::string& err) {
  const std::string file = (program[0] == '/' ? "" : ATTEST_BINARY_DIR "/") + program;
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
            e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), i = ::open("/dev/null", O_RDONLY);
  if (o < 0 || e < 0 || i < 0 || ::chdir(folder.c_str()) != 0) ::_exit(126);
  ::dup2(i, 0);
  ::dup2(o, 1);
  ::dup2(e, 2);
  ::execv(file.c_str(), argv.data());
  ::_exit(127);
}

}  // namespace

Outcome Workplace::run(const std::string& program, const std::vector<std::string>& arguments) const {
  // Beside the folder, so that they are not among its files.
  const fs::path out = path().string() + ".out", err = path().string() + ".err";
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) become(path(), program, arguments, out, err);
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(out),
                  contents(err)};
  fs::remove(out);
  fs::remove(err);
  return outcome;
}

Outcome Workplace::line(const std::string& arguments) const {
  std::istringstream words(arguments);
  return attest({std::istream_iterator<std::string>(words), {}});
}

Outcome Workplace::ends(int status, const std::string& arguments) const {
  const Outcome outcome = line(arguments);
  CAPTURE(arguments);
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == status);
  return outcome;
}

Outcome Workplace::refuses(const std::string& arguments, const std::string& file) const {
  const Outcome outcome = ends(2, arguments);
  check_message(outcome.err, file);
  return outcome;
}

Outcome Workplace::shell(const std::string& command) const {
  return run("/bin/sh", {"-c", "PATH=\"" ATTEST_BINARY_DIR ":$PATH\"; " + command});
}

int Workplace::start(const std::string& program, const std::vector<std::string>& arguments) const {
  REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::setpgid(0, 0);
    become(path(), program, arguments, "/dev/null", "/dev/null");
  }
  ::setpgid(pid, pid);
  return pid;
}

bool kill_alone(int pid) {
  ::kill(pid, SIGKILL);
  REQUIRE(::waitpid(pid, nullptr, 0) == pid);
  for (int k = 0; k < 10000; ++k) {
    // The orphans come to this process, which has to see their end: no matter how soon init does.
    const pid_t ended = ::waitpid(-pid, nullptr, WNOHANG);
    if (ended < 0) return true;
    if (ended == 0) ::usleep(2000);
  }
  ::kill(-pid, SIGKILL);
  while (::waitpid(-pid, nullptr, 0) > 0) {
  }
  return false;
}

std::string quick_case(const std::string& claims) {
  return "title = 'Three examples, two heads'\n" + sized_layer(2, 2, 3, 2, 3) + R"([data]
contexts = [[1, 0, "1/2"], [0, 1, "0.25"]]
queries = [[1, 0, 0], [0, 1, 0], [1, 1, 1]]
labels = [[1], [-1], ["1/3"]]
[weights]
generate = { kind = "integers", bound = 3, seed = 1 }
)" + claims;
}

std::string hard_case() {
  return sized_layer(1, 12, 24, 2, 60) + R"([data]
generate = { kind = "integers", bound = 1000, shared_context = true, seed = 7 }
)" + claim("kruskal-rank");
}

void check_message(const std::string& err, const std::string& file) {
  CAPTURE(err);
  CHECK(std::count(err.begin(), err.end(), '\n') == 1);
  has(err, file);
  has(err, "; ");
}

}  // namespace attest::test
