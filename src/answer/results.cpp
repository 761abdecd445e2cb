#include "answer/results.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <ostream>
#include <span>
#include <sstream>

#include "base/text.hpp"
#include "words/claim_result.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

constexpr const char* kResultFormat = "attest-verify/1";
constexpr std::size_t kLongest = 2000;  // of a path or an error in a line

std::string text_of(const Json& json, const char* key) {
  return json.at(key).get<std::string>();
}

}  // namespace

std::string verdict_of(const Json& claim) {
  return text_of(claim, "verdict") +
         (claim.at("hypotheses_undecided").get<bool>() ? " (hypotheses undecided)" : "");
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << seconds << " s";
  return out.str();
}

void print_case(const CaseOutcome& outcome, bool only_unexpected, std::ostream& out) {
  const Json& report = outcome.report;
  const auto shown = [&](const Json& claim) { return !only_unexpected || !claim["as_expected"].get<bool>(); };
  if (outcome.error.empty() && std::none_of(report["claims"].begin(), report["claims"].end(), shown)) return;
  out << path_line(report["path"].get<std::string>(), kLongest);
  if (report.contains("title")) out << "  " << printable(report["title"].get<std::string>());
  out << "\n";
  if (!outcome.error.empty())
    out << (outcome.status == kUnexpected ? "  REJECTED: " : "  not run: ")
        << one_line(outcome.error, kLongest) << "\n";
  for (const Json& claim : report["claims"]) {
    if (!shown(claim)) continue;
    out << "  " << std::left << std::setw(19) << text_of(claim, "statement") << " " << std::setw(13)
        << verdict_of(claim);
    const std::string claimed = describe_claim(claim), found = describe(claim);
    if (!claimed.empty()) out << "claimed " << printable(claimed) << (found.empty() ? "" : "; found ");
    out << printable(found) << (claim.contains("checked") ? "; checked" : "");
    if (!claim["as_expected"].get<bool>())
      out << "  UNEXPECTED: the case expects " << text_of(claim, "expected");
    out << "\n";
  }
}

namespace {

// Seconds as the common schemas of JUnit's format want them.
std::string junit_time(double seconds) {
  std::ostringstream out;
  out << " time=\"" << std::fixed << std::setprecision(3) << seconds << "\"";
  return out.str();
}

// Attributes of the test suites of these cases.
std::string junit_counts(std::span<const CaseOutcome> outcomes) {
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;
  for (const CaseOutcome& outcome : outcomes) {
    const Json& claims = outcome.report["claims"];
    errors += outcome.error.empty() ? 0 : 1;
    tests += claims.size() + (outcome.error.empty() ? 0 : 1);
    for (const Json& claim : claims) failures += claim["as_expected"].get<bool>() ? 0 : 1;
    seconds += outcome.report.value("seconds", 0.0);
  }
  return " tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"" +
         std::to_string(errors) + "\"" + junit_time(seconds);
}

}  // namespace

std::string junit(const std::vector<CaseOutcome>& outcomes) {
  std::ostringstream out;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attest\"" << junit_counts(outcomes)
      << ">\n";
  for (const CaseOutcome& outcome : outcomes) {
    const Json& report = outcome.report;
    const std::string name = escaped(report["path"].get<std::string>());
    out << " <testsuite name=\"" << name << "\"" << junit_counts({&outcome, 1}) << ">\n";
    if (!outcome.error.empty())
      out << "  <testcase name=\"case\" classname=\"" << name << "\"><error message=\""
          << escaped(outcome.error) << "\" type=\"not run\"/></testcase>\n";
    for (std::size_t k = 0; k < report["claims"].size(); ++k) {
      const Json& claim = report["claims"][k];
      out << "  <testcase name=\"" << k << " " << escaped(text_of(claim, "statement")) << ": "
          << escaped(text_of(claim, "claimed")) << "\" classname=\"" << name << "\""
          << junit_time(claim.at("seconds").get<double>()) << ">";
      const std::string found = escaped(verdict_of(claim) + "; " + describe(claim));
      if (claim["as_expected"].get<bool>())
        out << "<system-out>" << found << "</system-out>";
      else
        out << "<failure message=\"" << found << "; expected " << escaped(text_of(claim, "expected"))
            << "\" type=\"" << escaped(text_of(claim, "verdict")) << "\"/>";
      out << "</testcase>\n";
    }
    out << " </testsuite>\n";
  }
  out << "</testsuites>\n";
  return out.str();
}

Json run_report(const std::vector<CaseOutcome>& outcomes, bool explain) {
  std::map<std::string, std::size_t> counts;
  Json cases = Json::array();
  for (const CaseOutcome& outcome : outcomes) {
    for (const Json& claim : outcome.report["claims"]) {
      ++counts[text_of(claim, "verdict")];
      if (claim["hypotheses_undecided"].get<bool>()) ++counts["hypotheses_undecided"];
      if (!claim["as_expected"].get<bool>()) ++counts["unexpected"];
    }
    if (!outcome.error.empty()) ++counts["not_run"];
    cases.push_back(outcome.report);
    if (explain && !outcome.explained.is_null()) cases.back()["explained"] = outcome.explained;
  }
  Json totals = Json::object();
  for (const char* key :
       {"verified", "refuted", "inapplicable", "undecided", "hypotheses_undecided", "unexpected", "not_run"})
    totals[key] = counts[key];
  return {{"attest", ATTEST_VERSION}, {"format", kResultFormat}, {"cases", cases}, {"totals", totals}};
}

}  // namespace attest
