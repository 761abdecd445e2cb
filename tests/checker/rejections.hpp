// Certificates that are rejected, with the reason, where they are no changes of a sample
// (samples/*/rejections.json).
#pragma once

#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"

namespace attest::test {

/// A step of this rule, of the quantity that its fact is about.
inline std::string step(const std::string& rule, const std::string& fact, const std::string& keys) {
  return "{'rule': '" + rule + "', 'of': '" + fact.substr(0, fact.rfind(' ') - 3) + "', " + keys +
         ", 'fact': '" + fact + "'}";
}
inline std::string theorem(const std::string& name, const std::string& fact, const std::string& uses = "[]",
                           const std::string& keys = "") {
  return "{'rule': 'theorem', 'theorem': '" + name + "', 'uses': " + uses + (keys.empty() ? "" : ", ") +
         keys + ", 'fact': '" + fact + "'}";
}

inline void check_rejected(const std::string& found, const std::string& reason) {
  CAPTURE(reason);
  CAPTURE(found);
  CHECK(found.starts_with("rejected: "));
  CHECK(found.find(reason) != std::string::npos);
}

}  // namespace attest::test
