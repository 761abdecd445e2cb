// How a check fails: one line of code each, messages apart from the logic.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace attest::checker {

/// A failed check. Turned into a Rejection, which adds the place, by check.cpp.
struct Failure {
  std::string expected, found;
};

inline void ensure(bool condition, const std::string& expected, const std::string& found) {
  if (!condition) throw Failure{expected, found};
}

inline std::string count(std::size_t value) {
  return std::to_string(value);
}

inline std::string joined(const std::vector<std::size_t>& values) {
  std::string text;
  for (std::size_t value : values) text += (text.empty() ? "" : " ") + count(value);
  return text;
}

}  // namespace attest::checker
