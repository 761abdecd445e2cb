#include "problem/claim.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace attest {

const char* verdict_name(Verdict verdict) {
  static constexpr const char* kNames[] = {"verified", "refuted", "inapplicable", "undecided"};
  return kNames[static_cast<int>(verdict)];
}

bool ClaimSpec::needs_part(const std::string& part) const {
  return std::ranges::count(words_in(needs), part) > 0;
}

}  // namespace attest
