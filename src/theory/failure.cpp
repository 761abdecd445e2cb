#include "theory/failure.hpp"

#include "base/text.hpp"

namespace attest {

void fail(const std::string& expected, const std::string& found, const char*, int) {
  throw Failure("expected " + one_line(expected) + ", found " + one_line(found));
}

}  // namespace attest
