// How a check fails: every condition on a certificate is one ENSURE.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace attest {

/// A certificate is well-formed JSON of this format and does not prove what it says: "expected ..., found
/// ...", on one line, each part shortened.
struct Failure : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Throws the Failure; the one of test_checker records `file` and `line` (scripts/unviolated_conditions).
[[noreturn]] void fail(const std::string& expected, const std::string& found, const char* file, int line);

namespace kernel {

inline std::string count(std::size_t value) {
  return std::to_string(value);
}

}  // namespace kernel
}  // namespace attest

/// Unless `condition` holds the check fails; the two texts are made only then.
#define ENSURE(condition, expected, found)                                     \
  do {                                                                         \
    if (!(condition)) ::attest::fail((expected), (found), __FILE__, __LINE__); \
  } while (false)
