#include "page/report.hpp"

#include <algorithm>
#include <sstream>

#include "page/pictures.hpp"
#include "page/report_style.hpp"
#include "words/claim_result.hpp"
#include "words/conclusion_words.hpp"
#include "words/markup.hpp"
#include "words/step_words.hpp"
#include "words/typeset.hpp"

namespace attest {
namespace {

constexpr std::size_t kLinesShown = 3;   // detail lines of a step that are not folded
constexpr std::size_t kTextShown = 600;  // characters of them
constexpr std::size_t kFewCases = 3;     // up to so many cases, proofs are unfolded
constexpr std::size_t kManyCases = 400;  // beyond, a browser reads the parts of cases when they are looked at
constexpr const char* kVerdicts[] = {"verified", "refuted", "inapplicable", "undecided"};

std::string text_of(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

std::string verdict_html(const std::string& verdict) {
  return "<span class=\"v " + verdict + "\">" + verdict + "</span>";
}

std::string verdict_html(const Json& claim) {
  return verdict_html(text_of(claim, "verdict")) +
         (claim["hypotheses_undecided"].get<bool>() ? " (hypotheses undecided)" : "");
}

std::string unexpected_html(const Json& claim) {
  return claim["as_expected"].get<bool>() ? ""
                                          : " <span class=\"alarm\">unexpected: the case expects " +
                                                escaped(text_of(claim, "expected")) + "</span>";
}

// A title from a case file may hold anything, also marks that turn the direction of writing.
std::string title_html(const Json& report) {
  const std::string title = text_of(report, "title");
  return "<bdi>" + escaped(title.empty() ? text_of(report, "path") : title) + "</bdi>";
}

bool odd(const CaseOutcome& outcome) {
  const Json& claims = outcome.report["claims"];
  return !outcome.error.empty() || std::any_of(claims.begin(), claims.end(), [](const Json& claim) {
    return !claim["as_expected"].get<bool>();
  });
}

std::string classes(const CaseOutcome& outcome) {
  std::string text = odd(outcome) ? "case odd" : "case";
  for (const char* verdict : kVerdicts)
    for (const Json& claim : outcome.report["claims"])
      if (claim["verdict"] == verdict) {
        text += std::string(" has-") + verdict;
        break;
      }
  return text;
}

std::string dimensions_html(const Case& c) {
  const Line sizes = sizes_in_words(c);
  return sizes.text.empty() ? "" : "<p class=\"quiet\">" + typeset(sizes) + ".</p>\n";
}

std::string claimed_html(const Claim& claim) {
  std::string text;
  for (const Line& line : claim_in_words(claim)) text += (text.empty() ? "" : ". ") + typeset(line);
  return "<p class=\"quiet\">Statement: " + text + ".</p>\n";
}

std::string step_html(const StepInWords& step) {
  std::istringstream in(step.text);
  std::string first, line, lines;
  std::getline(in, first);
  std::size_t count = 0;
  while (std::getline(in, line)) {
    lines += "<li>" + typeset({line.substr(std::min(line.find_first_not_of(' '), line.size())), step.facts}) +
             "</li>\n";
    ++count;
  }
  std::string out = "<li value=\"" + std::to_string(step.first) + "\">" + typeset({first, step.facts}) +
                    " <span class=\"theorem\" title=\"" + escaped(formulas(source_in_words(step.source))) +
                    "\">[" + escaped(step.source) + "]</span>";
  if (count > 0) {
    lines = "<ul class=\"lines\">\n" + lines + "</ul>";
    const bool fold = count > kLinesShown || step.text.size() > first.size() + kTextShown;
    out += fold ? "<details><summary>" + std::to_string(count) + (count == 1 ? " line" : " lines") +
                      "</summary>" + lines + "</details>"
                : lines;
  }
  return out + "</li>\n";
}

std::string examples(const Json& list) {
  std::string text;
  for (const Json& t : list) text += (text.empty() ? "" : ", ") + t.dump();
  return text;
}

// Which examples can be memorized together, and the conflicts of the others.
std::string which_html(const Json& claim) {
  if (!claim.contains("which")) return "";
  const Json &which = claim["which"], &conflicts = claim["conflicts"];
  std::string out =
      "<details class=\"which\"><summary>Memorizable together: " + std::to_string(which.size()) +
      " examples; " + std::to_string(conflicts.size()) + " conflict with them</summary>\n<p>" +
      (which.empty() ? "None" : examples(which)) + ".</p>\n<ul class=\"lines\">\n";
  for (const auto& [t, others] : conflicts.items())
    out += "<li>" + t + " conflicts with " + (others.empty() ? "itself" : examples(others)) + "</li>\n";
  return out + "</ul></details>\n";
}

std::string picture_html(const Picture& picture) {
  std::string out = "<figure>\n";
  if (picture.svg.empty())
    out +=
        "<p class=\"alarm\">This picture was not drawn, because gnuplot is not installed or failed. Its "
        "numbers are below.</p>\n";
  else
    out += std::string(picture.svg)
               .insert(4, " aria-label=\"" + escaped(picture.title + ". " + picture.data) + "\"") +
           "\n";
  return out + "<figcaption><strong>" + escaped(picture.title) + "</strong>\n<p>" + escaped(picture.caption) +
         "</p>\n" +
         (picture.svg.empty() || picture.data.size() < 200
              ? "<p>" + escaped(picture.data) + "</p>"
              : "<details><summary>In numbers</summary><p>" + escaped(picture.data) + "</p></details>") +
         "\n</figcaption></figure>\n";
}

// The part of a case: as it is, or as text that the page's script turns into elements.
std::string part(const std::string& details, bool later) {
  if (!later || details.empty()) return details;
  return "<script type=\"text/html\" class=\"later\">" + details + "</script>";
}

std::string article(const CaseOutcome& outcome, std::size_t number, std::size_t cases) {
  const Json& report = outcome.report;
  std::string out = "<article id=\"case-" + std::to_string(number) + "\" class=\"" + classes(outcome) +
                    "\">\n<a class=\"up\" href=\"#cases\">back to the table</a>\n<h3>" + title_html(report) +
                    "</h3>\n<p class=\"quiet\"><code>" + escaped(text_of(report, "path")) + "</code>";
  if (outcome.error.empty() && report.contains("certificate"))
    out += ", certificate <code>" + escaped(text_of(report, "certificate")) + "</code>";
  out += "</p>\n";
  if (!outcome.error.empty())
    out += "<p><span class=\"alarm\">not run</span>: " + escaped(outcome.error) + "</p>\n";
  std::string details = outcome.html;
  if (cases <= kFewCases) {
    static const std::string kFolded = "<details class=\"proof\">", kOpen = "<details class=\"proof\" open>";
    for (std::size_t at = 0; (at = details.find(kFolded, at)) != std::string::npos; at += kOpen.size())
      details.replace(at, kFolded.size(), kOpen);
  }
  return out + part(details, cases > kManyCases) + "</article>\n";
}

std::string claimed_in_row(const Json& claim) {
  const std::string claimed = describe_claim(claim);
  return claimed.empty() ? "" : " (" + typeset({claimed, {claimed}}) + ")";
}

std::string row(const CaseOutcome& outcome, std::size_t number) {
  const Json& report = outcome.report;
  std::string out = "<tr class=\"" + classes(outcome) + "\" data-case=\"case-" + std::to_string(number) +
                    "\"><th scope=\"row\"><a href=\"#case-" + std::to_string(number) + "\">" +
                    title_html(report) + "</a><br><code class=\"quiet\">" + escaped(text_of(report, "path")) +
                    "</code></th><td><ul>";
  if (!outcome.error.empty()) out += "<li><span class=\"alarm\">not run</span></li>";
  for (const Json& claim : report["claims"])
    out += "<li>" + escaped(text_of(claim, "statement")) + claimed_in_row(claim) + ": " +
           verdict_html(claim) + unexpected_html(claim) + "</li>";
  return out + "</ul></td></tr>\n";
}

}  // namespace

std::string case_html(const Case& c, const Json& certificate, const Json& claims, bool pictures) {
  std::string out = dimensions_html(c);
  // Pictures are of what enters the layer, which no array holds behind other layers.
  const auto picture_of = [&, pictures = pictures && c.before.empty()](const auto& draw,
                                                                       const auto&... what) {
    return pictures ? draw(what...) : std::optional<Picture>();
  };
  if (const auto picture = picture_of([](const Case& x) { return saturation_picture(x); }, c))
    out += picture_html(*picture);
  if (const auto picture = picture_of(capacity_picture, claims)) out += picture_html(*picture);
  std::vector<std::pair<Json, std::size_t>> constructions;  // drawn so far, and the claims they belong to
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    const Json& steps = certificate["claims"][k]["steps"];
    const Json& claim = claims[k];
    out += "<section class=\"claim\">\n<h4>" +
           (c.claims.size() == 1 ? std::string("Claim") : "Claim " + std::to_string(k)) + ": " +
           escaped(c.claims[k].statement) + ", " + verdict_html(claim) + unexpected_html(claim) + "</h4>\n" +
           claimed_html(c.claims[k]);
    const std::string found = text_of(claim, "found");
    if (!found.empty()) out += "<p class=\"result\">" + typeset({found}) + "</p>\n";
    out += which_html(claim);
    if (const std::string meaning = claim.value("meaning", ""); !meaning.empty())
      out += "<p>That is: " + typeset({meaning}) + ".</p>\n";
    const std::string reason = text_of(claim, "reason");
    if (!reason.empty()) out += "<p>Steps are missing: " + typeset({reason}) + ".</p>\n";
    if (const auto picture = picture_of(construction_picture, c, steps)) {
      const auto same = std::find_if(constructions.begin(), constructions.end(),
                                     [&](const auto& drawn) { return drawn.first == picture->data; });
      if (same == constructions.end()) {
        out += picture_html(*picture);
        constructions.emplace_back(picture->data, k);
      } else {
        out += "<p class=\"quiet\">The ranks after each head are those of claim " +
               std::to_string(same->second) + ".</p>\n";
      }
    }
    if (const auto picture = picture_of(sweep_picture, c, steps)) out += picture_html(*picture);
    if (const auto picture = picture_of(singular_values_picture, c, c.claims[k], found))
      out += picture_html(*picture);
    const std::vector<StepInWords> words = steps_in_words(steps, false);
    out += "<details class=\"proof\"><summary>Proof in " + std::to_string(words.size()) +
           (words.size() == 1 ? " step" : " steps") + "</summary>\n<ol start=\"0\">\n";
    for (const StepInWords& step : words) out += step_html(step);
    out += "</ol>\n";
    for (const Line& line : conclusion_in_words(c, c.claims[k], steps))
      out += "<p>" + typeset(line) + "</p>\n";
    out += "</details>\n</section>\n";
  }
  return out;
}

std::string report_page(const std::vector<CaseOutcome>& outcomes, const Json& totals) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < outcomes.size(); ++k) order.push_back(k);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return odd(outcomes[k]); });
  std::size_t claims = 0;
  for (const CaseOutcome& outcome : outcomes) claims += outcome.report["claims"].size();
  const auto odd_cases = static_cast<std::size_t>(std::count_if(outcomes.begin(), outcomes.end(), odd));

  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n"
      << "<title>attest: " << outcomes.size() << (outcomes.size() == 1 ? " case" : " cases")
      << "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" << kReportStyle
      << "</style>\n</head>\n<body>\n<header>\n<h1>What attest proved</h1>\n<p>" << outcomes.size()
      << (outcomes.size() == 1 ? " case with " : " cases with ") << claims
      << (claims == 1 ? " claim" : " claims") << ", decided in exact arithmetic by attest " << ATTEST_VERSION
      << ". Every verdict has a certificate, which <code>attest-check</code> validates without trusting this "
         "page or the program that wrote it.</p>\n<ul class=\"totals\">";
  for (const char* verdict : kVerdicts)
    out << "<li><span class=\"v " << verdict << "\">" << totals[verdict] << " " << verdict << "</span></li>";
  if (totals["not_run"] != 0)
    out << "<li><span class=\"alarm\">" << totals["not_run"] << " not run</span></li>";
  out << "</ul>\n<p>"
      << (odd_cases == 0
              ? std::string("Every claim came out as its case expects.")
              : "<span class=\"alarm\">" + std::to_string(odd_cases) + (odd_cases == 1 ? " case" : " cases") +
                    " did not come out as expected</span>; they come first.")
      << "</p>\n<details class=\"quiet\"><summary>What the verdicts mean</summary>\n<p>Verified: the claim "
         "holds, and the certificate proves it. Refuted: the claim is false, and the certificate proves "
         "that. Inapplicable: a hypothesis of the statement fails for this data. Undecided: neither was "
         "proved, and it says what was missing. A case says which verdict it expects; a refuted claim may be "
         "just what it is there to show.</p></details>\n</header>\n<main>\n"
      << "<h2 id=\"cases\">Cases and verdicts</h2>\n<fieldset><legend>Show cases with a claim that "
         "is</legend>\n"
      << "<label><input type=\"radio\" name=\"filter\" id=\"f-all\" checked> anything</label>\n";
  if (odd_cases > 0)
    out << "<label><input type=\"radio\" name=\"filter\" id=\"f-unexpected\"> unexpected or not "
           "run</label>\n";
  for (const char* verdict : kVerdicts)
    if (totals[verdict] != 0)
      out << "<label><input type=\"radio\" name=\"filter\" id=\"f-" << verdict << "\"> " << verdict
          << "</label>\n";
  out << "<label id=\"search-label\" hidden>and with the words <input type=\"search\" id=\"search\" "
         "autocomplete=\"off\"></label>\n<output id=\"found\" "
         "for=\"search\"></output>\n</fieldset>\n<table>\n<caption>Each title leads to the claims, proofs "
         "and pictures of the case.</caption>\n"
      << "<thead><tr><th scope=\"col\">Case</th><th scope=\"col\">Claims and "
         "verdicts</th></tr></thead>\n<tbody>\n";
  for (const std::size_t k : order) out << row(outcomes[k], k + 1);
  out << "</tbody>\n</table>\n<h2>Claims, proofs and pictures</h2>\n"
      << (outcomes.size() > kManyCases ? "<noscript><p class=\"alarm\">So many proofs need scripts; "
                                         "<code>attest explain</code> prints them.</p></noscript>\n"
                                       : "")
      << (outcomes.size() >= kCasesWithoutPictures
              ? "<p class=\"quiet\">A page of so many cases has no pictures.</p>\n"
              : "")
      << "<p class=\"quiet\">Long numbers are shortened; <code>attest explain --full</code> prints them. "
         "Claims, steps, examples, heads and columns of Z count from 0. <button id=\"unfold\" "
         "type=\"button\" hidden>Unfold all</button></p>\n";
  for (const std::size_t k : order) out << article(outcomes[k], k + 1, outcomes.size());
  out << "</main>\n<script>" << kReportScript << "</script>\n</body>\n</html>\n";
  return out.str();
}

}  // namespace attest
