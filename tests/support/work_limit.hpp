// A limit on the work of a scope.
#pragma once

#include "base/meter.hpp"

namespace attest::test {

struct WorkLimit {
  explicit WorkLimit(std::uint64_t work) { meter().limit_work(work); }
  ~WorkLimit() { meter().limit_work(0); }
};

}  // namespace attest::test
