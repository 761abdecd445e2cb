// Runs the built programs as a user does: arguments in, exit status and both outputs out.
#pragma once

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/case_text.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace attest::test {

using Json = nlohmann::ordered_json;

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal when it was killed
  std::string out, err;
};

/// A folder that disappears with its contents; programs run in it.
class Workplace : public Folder {
public:
  Json json(const std::string& name) const { return Json::parse(read(name)); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path() / name); }
  /// Names of all files below the folder, sorted.
  std::vector<std::string> files() const;

  /// Runs build/attest (or another program of the build) in the folder.
  Outcome attest(const std::vector<std::string>& arguments) const { return run("attest", arguments); }
  /// The same of arguments with blanks between them.
  Outcome line(const std::string& arguments) const;
  /// Runs it and checks the exit status.
  Outcome ends(int status, const std::string& arguments) const;
  /// Checks that it ends with status 2 and the message of check_message.
  Outcome refuses(const std::string& arguments, const std::string& file) const;
  Outcome run(const std::string& program, const std::vector<std::string>& arguments) const;
  /// Runs a command line of the shell, which finds attest and attest-check.
  Outcome shell(const std::string& command) const;
  /// Starts it without waiting, as the leader of a process group; returns its process number.
  int start(const std::string& program, const std::vector<std::string>& arguments) const;
};

/// Kills a program that was started, and it alone. Whether its children ended by themselves within twenty
/// seconds.
bool kill_alone(int pid);

/// A case that takes no time: T = 3 examples of Theorem 1, and the claims.
std::string quick_case(const std::string& claims);
/// A case with a claim that takes minutes: the Kruskal rank of many vectors.
std::string hard_case();

/// Exactly one line, that names the file and says what would be right (after "; ").
void check_message(const std::string& err, const std::string& file);

}  // namespace attest::test
