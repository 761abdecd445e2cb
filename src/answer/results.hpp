// The outcomes of a run as a table, JSON and JUnit XML.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

/// JSON text. Bytes that are not UTF-8 (in file names) become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

/// "verified", "verified (hypotheses undecided)", ...: the word of a claim's report.
std::string verdict_of(const Json& claim);

/// The case and a line for each of its claims; `only_unexpected` leaves out what came out as expected.
void print_case(const CaseOutcome& outcome, bool only_unexpected, std::ostream& out);

/// {"attest", "format", "cases", "totals"} (docs/verify.schema.json).
Json run_report(const std::vector<CaseOutcome>& outcomes, bool explain = false);

std::string junit(const std::vector<CaseOutcome>& outcomes);

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);
/// "0.25 s"
std::string seconds_text(double seconds);

}  // namespace attest
