// `attest verify --report`: the page is a program's of its own, python3 -m attest.report (tools/report.py).
#pragma once

#include <string>
#include <vector>

#include "words/certificate.hpp"

namespace attest {

class ReportProgram {
public:
  /// Finds a Python that has the program: beside this one, on the PATH, or Debian's. Throws InputError when
  /// none has it.
  explicit ReportProgram(const std::string& file);

  /// Writes the page about a run, from the output of --json --explain. Throws InputError.
  void write(const Json& results) const;

private:
  std::string file_, python_;
};

}  // namespace attest
