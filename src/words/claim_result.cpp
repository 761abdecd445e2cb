#include "words/claim_result.hpp"

#include <cctype>
#include <iomanip>
#include <sstream>

#include "base/errors.hpp"
#include "base/hints.hpp"
#include "base/text.hpp"
#include "problem/numbers.hpp"
#include "words/answer.hpp"
#include "words/words.hpp"

namespace attest {
namespace {

// Numbers within the range of JSON's integers as such, larger ones as strings.
Json number(const mpz_class& value) {
  if (value.fits_slong_p()) return value.get_si();
  return value.get_str();
}

Json interval(const Bounds& bounds) {
  return {{"lower", number(bounds.lower)}, {"upper", number(bounds.upper)}};
}

// `bounds` and other groups hold numbers where one is known, intervals otherwise; what is shown by itself is
// always an interval.
void add_number(Json& report, const Finding::Number& shown) {
  const std::size_t dot = shown.name.find('.');
  if (dot == std::string::npos) {
    report[shown.name] = interval(shown.bounds);
    return;
  }
  Json& value = report[shown.name.substr(0, dot)][shown.name.substr(dot + 1)];
  value = shown.bounds.decided() ? number(shown.bounds.upper) : interval(shown.bounds);
}

// A number that is long as a fraction, as people write it.
std::string rounded(const mpq_class& value) {
  std::ostringstream out;
  out << std::setprecision(6) << mpf_class(value, 64);
  const std::string text = out.str();
  return parse_number(text) == value ? text : text + " (rounded)";
}

// Empty for matrices.
std::string argument_text(const ArgumentValue& value) {
  constexpr std::size_t kLongest = 60;
  std::string text;
  if (const auto* integer = std::get_if<mpz_class>(&value)) text = integer->get_str();
  if (const auto* rational = std::get_if<mpq_class>(&value)) {
    constexpr std::size_t kFraction = 24;
    text = rational->get_str();
    if (text.size() > kFraction) return rounded(*rational);
  }
  if (const auto* flag = std::get_if<bool>(&value)) text = *flag ? "true" : "false";
  if (const auto* name = std::get_if<std::string>(&value)) text = *name;
  if (const auto* subset = std::get_if<std::vector<std::size_t>>(&value)) text = index_text(*subset);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

const char* word(Truth truth, const char* yes, const char* no, const char* open) {
  return truth == Truth::yes ? yes : truth == Truth::no ? no : open;
}

}  // namespace

std::string expectation_text(const Claim& claim) {
  return std::string(verdict_name(claim.expect)) + (claim.expect_as_stated ? "-as-stated" : "");
}

std::string arguments_text(const Claim& claim) {
  std::string text;
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    if (!claim.has(argument.key) || argument.detail == "number") continue;
    const std::string value = argument_text(claim.arguments.at(argument.key));
    if (!value.empty()) text += (text.empty() ? "" : ", ") + argument.key + " = " + value;
  }
  return text;
}

Json claim_report(const Case& c, const Claim& claim, const FactBase& facts,
                  const kernel::NumberedSteps& steps, const std::string& reason, double seconds) {
  const Finding finding = concluded(claim, facts);
  Json findings = Json::array();
  try {
    findings = findings_of(c, claim, steps);
  } catch (const LimitError&) {  // which was hit before; the numbers are there all the same
  }
  Json report = {{"name", claim.name},
                 {"statement", claim.statement},
                 {"claimed", claimed_in_words(claim)},
                 {"arguments", arguments_text(claim)},
                 {"verdict", verdict_name(finding.verdict)},
                 {"hypotheses_undecided", finding.hypotheses_undecided},
                 {"expected", expectation_text(claim)},
                 {"as_expected", as_expected(claim, finding)},
                 {"hypotheses", Json::object()},
                 {"conclusion", word(finding.conclusion, "proved", "refuted", "open")},
                 {"answer", answer_in_words(c, claim, facts, findings)},
                 {"findings", findings}};
  for (const auto& [name, truth] : finding.hypotheses)
    report["hypotheses"][name] = word(truth, "holds", "fails", "undecided");
  for (const Finding::Number& shown : finding.shown) add_number(report, shown);
  if (claim.has("heads")) report["heads"] = number(claim.integer("heads"));
  if (c.layer && claim.spec->needs_part("layer"))
    report["query_bias"] = claim.spec->needs_part("weights") ? c.weights && c.weights->query_bias.has_value()
                                                             : c.layer->query_bias;
  if (finding.which) {
    report["which"] = finding.which->set;
    report["conflicts"] = Json::object();
    for (const auto& [t, others] : finding.which->conflicts) report["conflicts"][std::to_string(t)] = others;
  }
  const Finding known = what_is_known(c, claim, facts);
  report["found"] = numbers_text(known);
  for (const Finding::Number& number : known.shown)  // of what stays open and has no key
    if (number.name.empty()) report["open"][number.text] = interval(number.bounds);
  if (const std::string meaning = meaning_of(report); !meaning.empty()) report["meaning"] = meaning;
  report["reason"] = reason.empty() ? Json() : Json(reason);
  report["seconds"] = seconds;
  if (claim.line != 0) report["place"] = {{"line", claim.line}, {"column", claim.column}};
  return report;
}

std::string given_name(const Json& report) {
  const std::string name = report.at("name").get<std::string>(),
                    about = report.at("statement").get<std::string>();
  std::string made = about;
  if (asks_for_a_number(statement(about))) made += ": " + one_line(report.at("claimed").get<std::string>());
  if (!name.starts_with(made)) return name;
  const std::string rest = name.substr(made.size());  // arguments, and a number
  return rest.empty() || (rest.starts_with(" (") && rest.ends_with(")")) ? "" : name;
}

std::string describe_claim(const Json& report) {
  const std::string claimed = report.at("claimed").get<std::string>(),
                    arguments = report.at("arguments").get<std::string>();
  if (asks_for_a_number(statement(report.at("statement").get<std::string>()))) return claimed;
  return arguments;
}

std::string meaning_of(const Json& report) {
  const std::optional<MeaningWords>& means =
      words_of(statement(report.at("statement").get<std::string>())).means;
  if (!means) return "";
  if (means->number.empty()) return report.at("conclusion") == "proved" ? means->full : "";
  const Json& found = report.at(means->number);
  const Json& outputs = report.at("parameters").at("memorized");
  if (found.at("lower") == outputs) return means->full;
  if (found.at("upper") != outputs)
    return report.at("functional_dimension").at("upper") <= found.at("lower") ? means->most : means->less;
  return "whether weights fit an open set of labels stays open";
}

namespace {

// Whether a text has the part; a number in it does not go on.
bool says(const std::string& text, const std::string& part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    if (const std::size_t end = at + part.size(); end == text.size() || !std::isdigit(text[end])) return true;
  return false;
}

}  // namespace

Besides besides_the_answer(const Json& report) {
  Besides besides;
  std::string said = report.at("answer").get<std::string>();
  const auto add = [&](const std::string& part, std::vector<std::string>& parts) {
    if (says(said, part)) return;
    said += "; " + part;
    parts.push_back(part);
  };
  for (const Json& finding : report.at("findings"))
    add(finding.at("says").get<std::string>(), besides.findings);
  std::istringstream found(report.at("found").get<std::string>());
  for (std::string part; std::getline(found >> std::ws, part, ';');) add(part, besides.numbers);
  return besides;
}

std::string in_a_row(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

std::string describe(const Json& report, bool numbers, bool claimed_too) {
  const std::string answer = report.at("answer").get<std::string>(),
                    verdict = report.at("verdict").get<std::string>();
  const Besides besides = besides_the_answer(report);
  std::string text = answer;
  const auto add = [&](const std::string& part) {
    if (!part.empty() && !says(text, part)) text += (text.empty() ? "" : "; ") + part;
  };
  const std::string claimed = report.at("claimed").get<std::string>();
  if (claimed_too && asks_for_a_number(statement(report.at("statement").get<std::string>())) &&
      !claimed.ends_with(" = ?") && !(answer + " ").starts_with(claimed + " "))
    add("claimed " + claimed);
  for (const std::string& finding : besides.findings) add(finding);
  add(meaning_of(report));
  if (numbers)
    for (const std::string& number : besides.numbers) add(number);
  for (const auto& [name, status] : report.at("hypotheses").items())
    if (status == "undecided") add(name + " undecided");
  if (verdict == "inapplicable" && report.at("conclusion") == "open") add("conclusion open");
  if (report.at("reason").is_string()) add(report.at("reason").get<std::string>());
  return text;
}

}  // namespace attest
