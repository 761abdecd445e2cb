#include "farm/report.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "answer/results.hpp"
#include "base/linux.hpp"
#include "base/output.hpp"
#include "base/temporary_folder.hpp"

extern char** environ;

namespace attest {
namespace {

namespace fs = std::filesystem;

// python3 -m MODULE, but for the folder that it is run in: cases of strangers may lie there, and files of
// Python beside them.
constexpr const char* kProgram =
    "import sys; sys.path = [path for path in sys.path if path]; import runpy; "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)";

// The exit status of a module, the first of the options; the package of a build lies beside the program.
// Negative when it cannot be started.
int run(const std::string& python, const std::vector<std::string>& options, bool quiet = false) {
  std::vector<std::string> words = {python, "-c", kProgram}, variables;
  words.insert(words.end(), options.begin(), options.end());
  // The package lies beside the program where it is built, and around it in a wheel.
  std::error_code error;
  std::string package;
  for (const char* const place : {"python", "../../.."})
    if (fs::exists(system::program_folder() / place / "attest/report.py", error))
      package = (system::program_folder() / place).lexically_normal().string();
  const bool built = !package.empty();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable, name = "PYTHONPATH=";
    if (built && text.starts_with(name))
      package.append(":").append(text, name.size());
    else
      variables.push_back(text);
  }
  if (built) variables.push_back("PYTHONPATH=" + package);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    if (quiet) posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, python.c_str(), &actions, nullptr, pointers(words).data(),
                                    pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

ReportProgram::ReportProgram(const std::string& file, const std::string& name)
    : file_(file), module_("attest." + name), option_((name == "potential" ? "" : "--") + name) {
  for (const std::string& python : {(system::program_folder() / "python3").string(), std::string("python3"),
                                    std::string("/usr/bin/python3")})
    if (run(python, {module_, "--version"}, true) == 0) {
      python_ = python;
      return;
    }
  throw InputError(option_, "", "no Python here has the program " + module_,
                   "the Python package of attest, and python3-jinja2" +
                       std::string(name == "report" ? "; or --json FILE --explain, and then python3 -m "
                                                      "attest.report FILE where these are"
                                                    : ""));
}

int ReportProgram::run_with(std::vector<std::string> options) const {
  options.insert(options.begin(), module_);
  const int status = run(python_, options);
  return status < 0 ? kBadInput : status;
}

void ReportProgram::write(const Json& results) const {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "results.json";
  {
    std::ofstream out(file, std::ios::binary);
    out << json_text(results);
    if (!out.flush()) throw InputError(file.string(), "", "cannot be written", "room for temporary files");
  }
  if (run(python_, {module_, file.string(), "--out", is_standard_output(file_) ? "-" : file_}) != 0)
    throw InputError(option_, "", "nothing was written, as is said above", "another place");
}

}  // namespace attest
