// `attest verify --report`, `attest explain --latex` and `attest potential`: what they write is made by
// programs of the Python package, python3 -m attest.report, attest.latex and attest.potential (tools/).
#pragma once

#include <string>
#include <vector>

#include "words/certificate.hpp"

namespace attest {

class ReportProgram {
public:
  /// Finds a Python that has the program: beside this one, on the PATH, or Debian's. `file` is what it writes
  /// ("-" for standard output). Throws InputError when none has it.
  explicit ReportProgram(const std::string& file, const std::string& name = "report");

  /// Writes the file: attest.report from the output of --json --explain, attest.latex from a list of
  /// certified_proofs (words/explain.hpp). Throws InputError.
  void write(const Json& results) const;

  /// The exit status of the program with these options, which prints what it finds.
  int run_with(std::vector<std::string> options) const;

private:
  std::string file_, module_, option_, python_;
};

}  // namespace attest
