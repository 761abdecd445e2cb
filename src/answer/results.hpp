// The outcomes of a run as a table, JSON and JUnit XML.
#pragma once

#include <chrono>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "answer/run_case.hpp"

namespace attest {

/// JSON text. Bytes that are not UTF-8 (in file names) become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

/// "verified", "verified (hypotheses undecided)", ...: the word of a claim's report.
std::string verdict_of(const Json& claim);

/// A line for each claim that did not come out as expected, beginning with FILE:LINE:COLUMN, and why the case
/// was not run; with `all` the case and all of its claims; with `numbers` also those that nobody asked for.
void print_case(const CaseOutcome& outcome, bool all, bool numbers, std::ostream& out);
/// What marks these lines, and cases that were not run, in GitHub's workflows; elsewhere empty.
std::string annotations(const CaseOutcome& outcome);

/// What cases came to, together.
class Totals {
public:
  void add(const CaseOutcome& outcome);
  /// "12 cases, 30 claims, all as expected"
  std::string briefly() const;
  /// "363 cases, 782 claims: 503 verified (64 %), ...; 0 unexpected"
  std::string text() const;
  /// How many claims are "verified", ..., "hypotheses_undecided" or "unexpected", and cases "not_run" or
  /// "unchanged".
  std::size_t of(const std::string& what) const;

private:
  std::size_t cases_ = 0, claims_ = 0;
  std::map<std::string, std::size_t> counts_;
};

/// {"attest", "format", "cases", "totals"} (docs/verify.schema.json).
Json run_report(const std::vector<CaseOutcome>& outcomes, bool explain = false);

std::string junit(const std::vector<CaseOutcome>& outcomes);

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);
/// "0.25 s"
std::string seconds_text(double seconds);

}  // namespace attest
