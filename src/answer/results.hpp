// The outcomes of a run as a table, JSON and JUnit XML.
#pragma once

#include <chrono>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

/// JSON text. Bytes that are not UTF-8 (in file names) become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

/// "verified", "verified (hypotheses undecided)", ...: the word of a claim's report.
std::string verdict_of(const Json& claim);

/// The case and a line for each of its claims.
void print_case(const CaseOutcome& outcome, std::ostream& out);
/// A line for each claim that did not come out as expected, beginning with FILE:LINE:COLUMN.
void print_unexpected(const CaseOutcome& outcome, std::ostream& out);
/// What marks these lines, and cases that were not run, in GitHub's workflows; elsewhere empty.
std::string annotations(const CaseOutcome& outcome);
/// A line that sums up the cases of a folder.
void print_folder(const std::string& folder, std::span<const CaseOutcome> outcomes, std::ostream& out);
/// "363 cases, 782 claims: 503 verified (64 %), ...; 0 unexpected"
std::string totals_text(const std::vector<CaseOutcome>& outcomes);

/// {"attest", "format", "cases", "totals"} (docs/verify.schema.json).
Json run_report(const std::vector<CaseOutcome>& outcomes, bool explain = false);

std::string junit(const std::vector<CaseOutcome>& outcomes);

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);
/// "0.25 s"
std::string seconds_text(double seconds);

}  // namespace attest
