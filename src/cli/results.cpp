#include "cli/results.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "cli/markup.hpp"
#include "input/numbers.hpp"

namespace attest {
namespace {

std::string interval_text(const Json& interval, const std::string& name) {
  const std::string lower = interval.at("lower").dump(), upper = interval.at("upper").dump();
  return lower == upper ? name + " = " + lower : lower + " <= " + name + " <= " + upper;
}

// Four digits of a rational, for display.
std::string short_decimal(const std::string& number) {
  std::ostringstream out;
  out << std::setprecision(4) << parse_number(number).get_d();
  return out.str();
}

}  // namespace

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
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
  out << printable(report["path"].get<std::string>());
  if (report.contains("title")) out << "  " << printable(report["title"].get<std::string>());
  out << "\n";
  if (!outcome.error.empty()) out << "  not run: " << printable(outcome.error) << "\n";
  for (const Json& claim : report["claims"]) {
    if (!shown(claim)) continue;
    std::string text =
        claim["reason"].is_string() ? claim["reason"].get<std::string>() : describe_result(claim);
    out << "  " << std::left << std::setw(20) << claim["statement"].get<std::string>() << std::setw(13)
        << claim["verdict"].get<std::string>() << printable(text);
    if (!claim["as_expected"].get<bool>())
      out << "  UNEXPECTED: the case expects " << claim["expected"].get<std::string>();
    out << "\n";
  }
}

std::string junit(const std::vector<CaseOutcome>& outcomes) {
  std::ostringstream out;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attest\">\n";
  for (const CaseOutcome& outcome : outcomes) {
    const Json& report = outcome.report;
    std::size_t failures = 0;
    for (const Json& claim : report["claims"])
      if (!claim["as_expected"].get<bool>()) ++failures;
    const std::size_t errors = outcome.error.empty() ? 0 : 1;
    const std::string name = escaped(report["path"].get<std::string>());
    out << " <testsuite name=\"" << name << "\" tests=\"" << report["claims"].size() + errors
        << "\" failures=\"" << failures << "\" errors=\"" << errors << "\" time=\""
        << report.value("seconds", 0.0) << "\">\n";
    if (errors != 0)
      out << "  <testcase name=\"case\" classname=\"" << name << "\"><error message=\""
          << escaped(outcome.error) << "\"/></testcase>\n";
    for (std::size_t k = 0; k < report["claims"].size(); ++k) {
      const Json& claim = report["claims"][k];
      out << "  <testcase name=\"" << k << " " << escaped(claim["statement"].get<std::string>())
          << "\" classname=\"" << name << "\">";
      if (!claim["as_expected"].get<bool>())
        out << "<failure message=\""
            << escaped(claim["verdict"].get<std::string>() + " instead of " +
                       claim["expected"].get<std::string>())
            << "\"/>";
      out << "</testcase>\n";
    }
    out << " </testsuite>\n";
  }
  out << "</testsuites>\n";
  return out.str();
}

Json summary(const std::vector<CaseOutcome>& outcomes) {
  Json totals = {{"verified", 0}, {"refuted", 0}, {"inapplicable", 0}, {"undecided", 0}, {"unexpected", 0}};
  Json cases = Json::array();
  for (const CaseOutcome& outcome : outcomes) {
    for (const Json& claim : outcome.report["claims"]) {
      totals[claim["verdict"].get<std::string>()] =
          totals[claim["verdict"].get<std::string>()].get<int>() + 1;
      if (!claim["as_expected"].get<bool>()) totals["unexpected"] = totals["unexpected"].get<int>() + 1;
    }
    cases.push_back(outcome.report);
  }
  return {{"attest", ATTEST_VERSION}, {"cases", cases}, {"totals", totals}};
}

std::string describe_result(const Json& result) {
  std::vector<std::string> parts;
  if (result.contains("rank")) parts.push_back(interval_text(result.at("rank"), "rank(Z)"));
  if (result.contains("kruskal_rank"))
    parts.push_back(interval_text(result.at("kruskal_rank"), "Kruskal rank"));
  if (result.contains("ranks"))
    for (const auto& [name, rank] : result.at("ranks").items())
      parts.push_back("rank " + name + " = " + rank.dump());
  if (result.contains("encoding_rank")) parts.push_back("rank = " + result.at("encoding_rank").dump());
  if (result.contains("fits"))
    parts.push_back(result.at("fits").get<bool>() ? "a network fits" : "no network fits");
  if (result.contains("bounds"))
    parts.push_back("bounds: paper " + result.at("bounds").at("paper_lower").dump() + ", affine hull " +
                    result.at("bounds").at("affine_hull").dump());
  if (result.contains("parameters")) {
    const Json& p = result.at("parameters");
    parts.push_back(p.contains("layer")
                        ? p.at("memorized").dump() + " numbers by " + p.at("layer").dump() +
                              " parameters, which allow at most " + p.at("most_examples").dump() + " examples"
                        : p.at("network").dump() + " parameters of the network");
  }
  if (result.contains("unknown_up_to"))
    parts.push_back("rank kept by every lambda above " +
                    short_decimal(result.at("unknown_up_to").get<std::string>()));
  if (result.contains("sweep") && !result.at("sweep").empty()) {
    std::size_t full = 0, lost = 0;
    for (const Json& entry : result.at("sweep")) {
      full += entry.at("lower") >= result.at("rank").at("lower") ? 1 : 0;
      lost += entry.at("binary64") < entry.at("lower") ? 1 : 0;
    }
    parts.push_back("and by " + std::to_string(full) + " of " + std::to_string(result.at("sweep").size()) +
                    " lambdas tried, of which binary64 misses it at " + std::to_string(lost));
  }
  if (result.contains("tight")) parts.push_back(result.at("tight").get<bool>() ? "tight" : "not tight");
  if (result.contains("hypotheses"))
    for (const auto& [name, status] : result.at("hypotheses").items())
      if (status != "holds") parts.push_back(name + " " + status.get<std::string>());
  if (result.contains("conclusion") && result.at("conclusion") != "proved")
    parts.push_back("conclusion open");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

}  // namespace attest
