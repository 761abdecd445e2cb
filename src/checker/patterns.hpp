// proposition-3 with labels = "given": does a network with m neurons fit the labels of the case? The steps
// `network-weights` and `pattern-search` are functions of ClaimChecker, defined in patterns.cpp.
#pragma once

#include "checker/statements.hpp"

namespace attest::checker {

bool about_given_labels(const Claim& claim);
/// The result and the verdict of such a claim.
Conclusion conclude_given_labels(const Problem& problem, const Claim& claim, const Facts& facts);

}  // namespace attest::checker
