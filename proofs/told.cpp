#include "proofs/told.hpp"

#include <numeric>

#include "search/layer.hpp"
#include "theory/failure.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

// The last ones are for few examples, whose powers times bits are at most so many: about a second.
constexpr std::size_t kBits[] = {kFewestBits, 256, 1024, 4096, 16384, kMostBits - kMoreBits}, kAlways = 1024,
                      kMostWork = std::size_t(1) << 26;

std::size_t count(const std::vector<kernel::Sides>& sides) {
  std::size_t result = 0;
  for (const kernel::Sides& each : sides) result += each.above + each.below;
  return result;
}

}  // namespace

Told told(const Case& c, std::size_t objects, const Tell& tell) {
  std::vector<std::size_t> all(c.layer->examples);
  std::iota(all.begin(), all.end(), 0);
  std::vector<kernel::Sides> sides(all.size());
  std::size_t used = kBits[0];
  for (const std::size_t bits : kBits) {
    std::vector<std::size_t> open;
    for (const std::size_t t : all)
      if (sides[t].above + sides[t].below < objects) open.push_back(t);
    if (open.empty() || (bits > kAlways && powers_in(c, open) > kMostWork / bits)) break;
    // Behind other layers what is told of an example depends on the others.
    if (!c.stack.empty()) open = all;
    announce_enclosures(c, open, bits);
    try {
      const std::vector<kernel::Sides> found = tell(open, bits);
      std::vector<kernel::Sides> next = sides;
      for (std::size_t k = 0; k < open.size(); ++k) next[open[k]] = found[k];
      if (count(next) <= count(sides)) continue;
      sides = std::move(next);
      used = bits;
    } catch (const Failure&) {  // not known, with whatever guard
      break;
    }
  }
  Told result{{}, used + kMoreBits};
  for (const kernel::Sides& each : sides) result.sides += each;
  return result;
}

}  // namespace attest
