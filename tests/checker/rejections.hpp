// Certificates that differ from an accepted one in one place and are rejected, with the reason.
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

template <class Changed>
void check_rejected(const std::string& sample, const std::string& reason, const Changed& change) {
  check_rejected(verdict_after(sample, change), reason);
}

struct Change {
  std::string sample, pointer, value, reason;
};

inline void check_changes(const std::vector<Change>& changes) {
  for (const auto& [sample, pointer, value, reason] : changes) {
    CAPTURE(sample);
    CAPTURE(pointer);
    CAPTURE(value);
    check_rejected(verdict_with(sample, pointer, json_of(value)), reason);
  }
}

/// A step, or an array of steps, that is added to the end of a claim.
struct Added {
  std::string sample;
  std::size_t claim;
  std::string steps, reason;
};

inline void check_added(const std::vector<Added>& rows) {
  for (const Added& row : rows) {
    CAPTURE(row.steps);
    const Json added = json_of(row.steps);
    check_rejected(row.sample, row.reason, [&](Json& claims) {
      for (const Json& each : added.is_array() ? added : Json::array({added}))
        claims[row.claim]["steps"].push_back(each);
    });
  }
}

}  // namespace attest::test
