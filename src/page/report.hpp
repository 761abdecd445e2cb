// `attest verify --report`: one self-contained HTML page about a run: cases, verdicts, proofs in words,
// pictures.
#pragma once

#include <string>
#include <vector>

#include "words/outcome.hpp"

namespace attest {

/// The part of the page about the claims of one case: what was claimed, what came out, the steps as `attest
/// explain` words them, and the pictures. `claims` is that of the case's report.
/// Without `pictures` there are none.
std::string case_html(const Case& c, const Json& certificate, const Json& claims, bool pictures = true);

/// From so many cases on pages have no pictures: drawing them takes longer than proving, and a browser would
/// read 30 KB for each.
inline constexpr std::size_t kCasesWithoutPictures = 1000;

/// The page. Cases that came out as nobody expected, or could not be run, come first. The same outcomes give
/// the same bytes.
std::string report_page(const std::vector<CaseOutcome>& outcomes, const Json& totals);

}  // namespace attest
