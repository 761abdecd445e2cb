// A line on standard error that says how far a question is, while it is answered.
#pragma once

#include <memory>
#include <string>

#include "base/progress.hpp"

namespace attest {

/// "rows of Z: 1024 of 6133, 12 s left"; the time left after `seconds` of this phase, once it can be told.
std::string progress_text(const Progress& progress, double seconds);

/// On a terminal the line is written anew; elsewhere, when `asked`, there is a line every five seconds, and
/// otherwise nothing.
class ProgressLine {
public:
  explicit ProgressLine(bool asked);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

private:
  class Writer;
  std::unique_ptr<Writer> writer_;  // none: nothing is shown
};

}  // namespace attest
