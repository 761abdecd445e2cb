// The numbers of the figures of a report (tools/report.py draws them). Nothing is decided by them.
#pragma once

#include "words/certificate.hpp"

namespace attest {

/// {"kind": "saturation", "largest": [[number or null]]}: the largest softmax coefficient by head and
/// example, in binary64. Null for cases without weights, and for very small or large ones.
Json saturation_figure(const Case& c);
/// The figures of one claim:
/// {"kind": "heads", "r", "ranks", "paper", "hull"}: the rank after each head of the proof's construction,
/// under the character of its minor, and the bounds of the paper and of the affine hull for as many heads;
/// {"kind": "lambda", "points": [[log2 lambda, lower, upper, binary64's rank]], "negative", "all_above": log2
/// or null}: exact rank and binary64's over lambda; {"kind": "singular-values", "values", "tolerance"}: log10
/// of the singular values of Z in binary64 (null for 0) and of the tolerance.
Json claim_figures(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps);

}  // namespace attest
