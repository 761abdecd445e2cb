// Statements that count what the kernel's enclosures tell: with how many bits?
#pragma once

#include <functional>

#include "kernel/quantities/saturation.hpp"
#include "problem/case.hpp"

namespace attest {

/// The precision of a step that shows what is told with the fewest bits: other checkers have other
/// enclosures.
inline constexpr std::size_t kFewestBits = 64, kMoreBits = 32;

/// How many objects are on either side, and the precision of the step that shows it.
struct Told {
  kernel::Sides sides;
  std::size_t bits = 0;
};
/// What the kernel says of each of these examples with so many bits.
using Tell =
    std::function<std::vector<kernel::Sides>(const std::vector<std::size_t>& examples, std::size_t bits)>;
/// With more and more bits for examples of whose `objects` not all are told yet.
Told told(const Case& c, std::size_t objects, const Tell& tell);

}  // namespace attest
