#include "words/explained.hpp"

#include <cctype>
#include <sstream>
#include <stdexcept>

#include "words/claim_result.hpp"
#include "words/conclusion_words.hpp"
#include "words/step_words.hpp"

namespace attest {
namespace {

bool of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Not for what is no proposition, such as `rank(Z) = ?`.
bool is_proposition(const std::string& text) {
  try {
    quantities_in(text);
    return true;
  } catch (const std::logic_error&) {
    return false;
  }
}

void add_text(Json& parts, std::string& text) {
  if (!text.empty()) parts.push_back(std::move(text));
  text.clear();
}

Json lines_of(const std::vector<Line>& lines) {
  Json all = Json::array();
  for (const Line& line : lines) all.push_back(parts_of(line));
  return all;
}

Json step_of(const StepInWords& step) {
  std::istringstream in(step.text);
  Json lines = Json::array();
  for (std::string line; std::getline(in, line);)
    lines.push_back(parts_of({line.substr(std::min(line.find_first_not_of(' '), line.size())), step.facts}));
  return {{"first", step.first},
          {"source", step.source},
          {"principle", formulas(source_in_words(step.source))},
          {"lines", lines}};
}

}  // namespace

Json parts_of(const Line& line) {
  const std::string text = formulas(line.text);
  Json parts = Json::array();
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    std::string longest, found;
    for (const std::string& each : line.propositions) {
      const std::string written = formulas(each);
      const std::size_t end = at + written.size();
      if (text.compare(at, written.size(), written) == 0 && written.size() > longest.size() &&
          (at == 0 || !of_word(text[at - 1])) && (end == text.size() || !of_word(text[end])) &&
          is_proposition(each)) {
        longest = written;
        found = each;
      }
    }
    if (found.empty()) {
      plain += text[at++];
      continue;
    }
    at += longest.size();
    for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 5) {
      add_text(parts, plain);
      end = found.find(" and ", start);
      parts.push_back({{"formula", found.substr(start, end - start)}});
      if (end != std::string::npos) plain = " and ";
    }
  }
  add_text(parts, plain);
  return parts;
}

Json explained(const Case& c, const Json& certificate, const Json& claims) {
  Json all = Json::array();
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    const kernel::NumberedSteps steps = steps_of(certificate, k);
    const Json& claim = claims[k];
    const auto text_of = [&](const char* key) {
      const auto found = claim.find(key);
      return parts_of({found != claim.end() && found->is_string() ? found->get<std::string>() : ""});
    };
    const std::string claimed = describe_claim(claim);
    Json words = Json::array(), findings = Json::array();
    const Besides besides = besides_the_answer(claim);
    for (const std::string& each : besides.findings) findings.push_back(parts_of({each}));
    for (const StepInWords& step : steps_in_words(steps, false)) words.push_back(step_of(step));
    all.push_back({{"claimed", parts_of({claimed, {claimed}})},
                   {"statement", lines_of(claim_in_words(c, c.claims[k]))},
                   {"answer", text_of("answer")},
                   {"findings", findings},
                   {"found", parts_of({in_a_row(besides.numbers)})},
                   {"meaning", text_of("meaning")},
                   {"reason", text_of("reason")},
                   {"steps", words},
                   {"conclusion", lines_of(conclusion_in_words(c, c.claims[k], steps, false))}});
  }
  return {{"sizes", parts_of(sizes_in_words(c))}, {"claims", all}};
}

}  // namespace attest
