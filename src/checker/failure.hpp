// How a check fails: one line of code each, messages apart from the logic.
#pragma once

#include <string>
#include <utility>

namespace attest::checker {

/// A failed check. Turned into a Rejection, which adds the place, by check.cpp.
struct Failure {
  std::string expected, found;
};

inline void ensure(bool condition, const std::string& expected, const std::string& found) {
  if (!condition) throw Failure{expected, found};
}

}  // namespace attest::checker
