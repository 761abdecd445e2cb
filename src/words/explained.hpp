// A certificate in words, as data: what pages are made of (tools/report.py).
#pragma once

#include "words/certificate.hpp"
#include "words/words.hpp"

namespace attest {

/// A line as a list of texts, with signs as mathematicians write them, and of {"formula": COMPARISON} for the
/// comparisons of its propositions.
Json parts_of(const Line& line);

/// {"sizes": LINE, "claims": [{"claimed", "found", "meaning", "reason": LINE, "statement", "conclusion":
/// [LINE], "steps": [{"first", "source", "principle", "lines": [LINE]}]}]}, where LINE is parts_of a line,
/// empty when there is nothing to say. `claims` is that of the case's report. Precondition: the steps are
/// proved.
Json explained(const Case& c, const Json& certificate, const Json& claims);

}  // namespace attest
