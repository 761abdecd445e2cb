// What can be wrong with an input, and the two ways in which a run can end because of it.
#pragma once

#include <stdexcept>
#include <string>

namespace attest {

/// A defect of the user's input (exit status 2). `what()` is one line:
/// `FILE: PLACE: what is wrong; what would be right`.
class InputError : public std::runtime_error {
public:
  /// `place` is "line L, column C" for text, "tensor NAME, index [i, j]" for arrays, or empty.
  InputError(const std::string& file, const std::string& place, const std::string& wrong,
             const std::string& right = "")
      : std::runtime_error(file + ": " + (place.empty() ? "" : place + ": ") + wrong +
                           (right.empty() ? "" : "; " + right)) {}
};

/// A limit on time, memory or size was hit (exit status 3): the question is legal, the answer too costly.
class LimitError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace attest
