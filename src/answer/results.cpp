#include "answer/results.hpp"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <map>
#include <ostream>
#include <span>
#include <sstream>

#include "base/text.hpp"
#include "base/wrapped.hpp"
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

namespace {

// The answer, and with which arguments.
std::string words_of(const Json& claim, bool numbers) {
  const std::string arguments = text_of(claim, "arguments");
  return describe(claim, numbers) + (arguments.empty() ? "" : "; with " + arguments);
}

// A name that the case gives, in quotes, so that it is not taken for the answer.
std::string name_before(const Json& claim) {
  const std::string name = given_name(claim);
  return name.empty() ? "" : printable(json_text(Json(name), -1)) + ": ";
}

// Of arguments that are too long to be shown their digests, as they are in a name that a claim is given here.
std::string digests_in_name(const Json& claim) {
  const std::string name = text_of(claim, "name");
  std::string digests;
  if (!given_name(claim).empty()) return digests;
  for (std::size_t mark = 0; (mark = name.find(" #", mark)) != std::string::npos; ++mark) {
    const std::size_t first = name.find_last_of(" (", mark - 1) + 1,
                      last = std::min(name.find_first_of(",)", mark), name.size());
    digests += (digests.empty() ? "; with " : ", ") + name.substr(first, last - first);
  }
  return digests;
}

// The same, where another claim of the case differs in nothing that is shown but in these.
std::string digests_of(const Json& claim, const Json& claims) {
  std::string digests = digests_in_name(claim);
  const auto differs = [&](const Json& other) {
    return text_of(other, "statement") == text_of(claim, "statement") &&
           text_of(other, "arguments") == text_of(claim, "arguments") && digests_in_name(other) != digests;
  };
  return std::ranges::any_of(claims, differs) ? digests : "";
}

std::string claim_line(const Json& claim, const Json& claims, bool numbers) {
  std::ostringstream out;
  out << std::left << std::setw(19) << text_of(claim, "statement") << " " << std::setw(12)
      << verdict_of(claim) << " ";
  out << name_before(claim) << printable(words_of(claim, numbers)) << digests_of(claim, claims)
      << (claim.contains("checked") ? "; checked" : "");
  return out.str();
}

// "1 case", "2 cases"
std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

namespace {

// With single blanks, so that no line of it looks like that of a claim.
std::string title_in_words(const Json& report) {
  std::string text;
  for (const std::string& word : words_in(printable(text_of(report, "title"))))
    text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string unexpected_text(const Json& claim, bool numbers) {
  return "UNEXPECTED: the case expects " + text_of(claim, "expected") + ": " + text_of(claim, "statement") +
         " " + verdict_of(claim) + ": " + name_before(claim) + printable(words_of(claim, numbers));
}

}  // namespace

void print_case(const CaseOutcome& outcome, bool all, bool numbers, std::ostream& out) {
  const Json& report = outcome.report;
  const std::string path = path_line(report["path"].get<std::string>(), kLongest);
  constexpr std::size_t kMargin = 35;
  if (all || !outcome.error.empty())
    out << wrapped(path + (!report.value("title", "").empty() ? "  " + title_in_words(report) : ""), 2)
        << "\n";
  if (!outcome.error.empty())
    out << wrapped((outcome.status == kUnexpected ? "  REJECTED: " : "  not run: ") +
                       one_line(outcome.error, kLongest),
                   4)
        << "\n";
  for (const Json& claim : report["claims"]) {
    if (!claim["as_expected"].get<bool>()) {
      std::string place = path;
      if (claim.contains("place"))
        place += ":" + claim["place"]["line"].dump() + ":" + claim["place"]["column"].dump();
      out << wrapped(place + ": " + unexpected_text(claim, numbers), 4) << "\n";
    } else if (all) {
      out << wrapped("  " + claim_line(claim, report["claims"], numbers), kMargin) << "\n";
    }
  }
}

std::string annotations(const CaseOutcome& outcome) {
  const std::string path = outcome.report["path"].get<std::string>();
  std::string text;
  if (!outcome.error.empty()) {
    std::size_t line = 0, column = 0;  // where the error says that it is
    if (outcome.error.starts_with(path) &&
        std::sscanf(outcome.error.c_str() + path.size(), ": line %zu, column %zu:", &line, &column) != 2)
      line = column = 0;
    text += annotation(path, line, column, outcome.error);
  }
  for (const Json& claim : outcome.report["claims"]) {
    if (claim["as_expected"].get<bool>()) continue;
    const Json place = claim.value("place", Json{{"line", 0}, {"column", 0}});
    text += annotation(path, place["line"], place["column"], unexpected_text(claim, false));
  }
  return text;
}

void Totals::add(const CaseOutcome& outcome) {
  ++cases_;
  if (!outcome.error.empty()) ++counts_["not_run"];
  if (outcome.report.contains("unchanged")) ++counts_["unchanged"];
  for (const Json& claim : outcome.report["claims"]) {
    ++claims_;
    ++counts_[text_of(claim, "verdict")];
    if (claim["hypotheses_undecided"].get<bool>()) ++counts_["hypotheses_undecided"];
    if (!claim["as_expected"].get<bool>()) ++counts_["unexpected"];
  }
}

std::size_t Totals::of(const std::string& what) const {
  const auto found = counts_.find(what);
  return found == counts_.end() ? 0 : found->second;
}

std::string Totals::briefly() const {
  std::string text = counted(cases_, "case") + ", " + counted(claims_, "claim");
  if (of("unexpected") != 0)
    text += ", " + std::to_string(of("unexpected")) + " UNEXPECTED";
  else if (claims_ != 0)
    text += ", all as expected";
  return text + (of("not_run") == 0 ? "" : ", " + std::to_string(of("not_run")) + " NOT RUN");
}

std::string Totals::text() const {
  std::string text = counted(cases_, "case") + ", " + counted(claims_, "claim");
  const char* separator = ": ";
  for (const char* const verdict : {"verified", "refuted", "inapplicable", "undecided"}) {
    const std::size_t number = of(verdict);
    text += separator + std::to_string(number) + " " + verdict;
    if (number != 0 && number != claims_)
      text += " (" + std::to_string((200 * number + claims_) / (2 * claims_)) + " %)";
    separator = ", ";
  }
  if (of("hypotheses_undecided") != 0)
    text += "; " + std::to_string(of("hypotheses_undecided")) + " with hypotheses undecided";
  text += "; " + std::to_string(of("unexpected")) + " unexpected";
  for (const auto& [what, words] : {std::pair("not_run", " not run"), {"unchanged", " unchanged"}})
    if (of(what) != 0) text += "; " + std::to_string(of(what)) + words;
  return text;
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
    for (const Json& claim : report["claims"]) {
      out << "  <testcase name=\"" << escaped(text_of(claim, "name")) << "\" classname=\"" << name << "\""
          << junit_time(claim.at("seconds").get<double>()) << ">";
      const std::string found = escaped(verdict_of(claim) + "; " + words_of(claim, false));
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
  Totals counts;
  Json cases = Json::array();
  for (const CaseOutcome& outcome : outcomes) {
    counts.add(outcome);
    cases.push_back(outcome.report);
    if (explain && !outcome.explained.is_null()) cases.back()["explained"] = outcome.explained;
  }
  Json totals = Json::object();
  for (const char* key :
       {"verified", "refuted", "inapplicable", "undecided", "hypotheses_undecided", "unexpected", "not_run"})
    totals[key] = counts.of(key);
  return {{"attest", ATTEST_VERSION}, {"format", kResultFormat}, {"cases", cases}, {"totals", totals}};
}

}  // namespace attest
