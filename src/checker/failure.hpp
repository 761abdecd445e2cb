// How a check fails: every condition of the checker is one ENSURE.
#pragma once

#include <cstddef>
#include <string>

namespace attest::checker {

/// A failed check. Turned into a Rejection, which adds the place, by check.cpp.
struct Failure {
  std::string expected, found;
};

/// Throws the Failure; test_checker records `file` and `line` (scripts/unviolated_conditions).
[[noreturn]] void fail(const std::string& expected, const std::string& found, const char* file, int line);

inline std::string count(std::size_t value) {
  return std::to_string(value);
}

}  // namespace attest::checker

/// Unless `condition` holds the check fails; the two texts are made only then.
#define ENSURE(condition, expected, found)                                              \
  do {                                                                                  \
    if (!(condition)) ::attest::checker::fail((expected), (found), __FILE__, __LINE__); \
  } while (false)
