// Certificates that differ from an accepted one in one place and are rejected, with the reason.
#pragma once

#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"

namespace attest::test {

struct Change {
  std::string sample, pointer, value, reason;
};

inline void check_rejected(const std::string& found, const std::string& reason) {
  CAPTURE(reason);
  CAPTURE(found);
  CHECK(found.starts_with("rejected: "));
  CHECK(found.find(reason) != std::string::npos);
}

inline void check_changes(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    CAPTURE(change.sample);
    CAPTURE(change.pointer);
    CAPTURE(change.value);
    check_rejected(verdict_with(change.sample, change.pointer, json_of(change.value)), change.reason);
  }
}

/// A step that is added to the end of a claim.
inline void check_added(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    CAPTURE(change.value);
    const auto add = [&](Json& claims) {
      claims[Json::json_pointer(change.pointer)]["steps"].push_back(json_of(change.value));
    };
    check_rejected(verdict_after(change.sample, add), change.reason);
  }
}

}  // namespace attest::test
