// A ball of real numbers as exact numerals.
#pragma once

#include <string>

namespace attest {

struct BallText {
  std::string mid, rad;
};

}  // namespace attest
