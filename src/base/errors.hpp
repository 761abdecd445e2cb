// What can be wrong with an input, and the two ways in which a run can end because of it.
#pragma once

#include <stdexcept>
#include <string>

namespace attest {

/// A defect of the user's input (exit status 2). `what()` is one line:
/// `FILE: PLACE: what is wrong; what would be right`.
class InputError : public std::runtime_error {
public:
  /// `place` is "line L, column C" for text, "tensor NAME, index [i, j]" for arrays, or empty. `argument`: of
  /// a question, that which is wrong, as "head-dim"; texts call it --head-dim.
  InputError(const std::string& file, const std::string& place, const std::string& wrong,
             const std::string& right = "", const std::string& argument = "")
      : std::runtime_error(file + ": " + line(place, wrong, right)),
        file_(file),
        place_(place),
        wrong_(wrong),
        right_(right),
        argument_(argument) {}

  const std::string& file() const { return file_; }
  const std::string& place() const { return place_; }
  const std::string& wrong() const { return wrong_; }
  const std::string& right() const { return right_; }
  const std::string& argument() const { return argument_; }

  /// The line without its file, for those who have named that file already.
  std::string about(const std::string& file) const {
    return file == file_ ? line(place_, wrong_, right_) : what();
  }

private:
  static std::string line(const std::string& place, const std::string& wrong, const std::string& right) {
    return (place.empty() ? "" : place + ": ") + wrong + (right.empty() ? "" : "; " + right);
  }

  std::string file_, place_, wrong_, right_, argument_;
};

/// A limit on time, memory or size was hit (exit status 3): the question is legal, the answer too costly.
class LimitError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace attest
