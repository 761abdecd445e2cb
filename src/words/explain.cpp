#include "words/explain.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>

#include "base/errors.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "check/check_file.hpp"
#include "kernel/certificate.hpp"
#include "words/conclusion_words.hpp"
#include "words/markup.hpp"
#include "words/step_words.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// The certificate and what is known about it: the case, and that the checker accepts it.
struct Subject {
  Json json;
  std::optional<Case> source;
  bool checked = false;
  std::string status;  ///< what the checker says
};

Subject read(const std::string& file, const ExplainOptions& options) {
  // What is explained and what is checked are the same bytes.
  const FileBytes bytes = read_regular_file(file, path_line(file), kernel::kMostCertificateBytes);
  Subject subject;
  subject.json = kernel::parse_json(bytes.view(), path_line(file));
  if (!subject.json.is_object() || subject.json.value("format", "") != kernel::kCertificateFormat)
    throw InputError(file, "",
                     std::string("is not a certificate of the format ") + kernel::kCertificateFormat,
                     "run attest verify again, which makes certificates of this format");
  try {
    if (options.check) {
      subject.source =
          kernel::check_file(file, bytes.view(), {.allow_outside = options.allow_outside}).source;
      subject.checked = true;
      subject.status = "checked: valid";
      return subject;
    }
    subject.status = "not checked";
  } catch (const Failure& e) {
    subject.status = std::string("REJECTED by the checker: ") + e.what() +
                     ". What follows is what it says, and proves nothing";
  } catch (const std::exception& e) {
    subject.status = std::string("not checked (") + e.what() + ")";
  }
  try {
    subject.source =
        read_case(fs::path(file).parent_path() / subject.json.at("case").at("path").get<std::string>(),
                  ReadOptions{.allow_outside = options.allow_outside});
    if (subject.source->claims.size() != subject.json.at("claims").size()) subject.source.reset();
  } catch (const InputError&) {
    // It is told without its case.
  } catch (const LimitError&) {
  }
  return subject;
}

// Lines after the first are indented under it.
std::string indented(const std::string& text, const std::string& margin) {
  std::string out;
  for (const char ch : text) {
    out += ch;
    if (ch == '\n') out += margin;
  }
  return out;
}

std::string step_number(const StepInWords& step) {
  return std::to_string(step.first) + (step.last == step.first ? "" : " to " + std::to_string(step.last));
}

void explain_claim(const Subject& subject, std::size_t index, const ExplainOptions& options,
                   std::set<std::string>& named, std::ostream& out) {
  const Json& claims = subject.json.at("claims");
  const Json& claim = claims.at(index);
  const std::string name = claim.at("statement").get<std::string>();
  const kernel::NumberedSteps steps = steps_of(subject.json, index);
  out << "\nClaim " << index << ", " << one_line(name, 100) << "\n";
  const Claim* const about = subject.source && subject.source->claims[index].statement == name
                                 ? &subject.source->claims[index]
                                 : nullptr;
  if (about != nullptr)
    for (const Line& line : claim_in_words(*about)) out << "  " << line.text << "\n";
  const auto same = std::find_if(claims.begin(), claims.end(),
                                 [&](const Json& other) { return other.at("steps") == claim.at("steps"); });
  const auto first = options.claim ? index : static_cast<std::size_t>(same - claims.begin());
  if (steps.empty()) {
    out << "  No step is needed, or there is none.\n";
  } else if (first != index) {
    out << "  The steps are those of claim " << first << ".\n";
  } else {
    out << "  Proof.\n";
    for (const StepInWords& step : steps_in_words(steps, options.full)) {
      out << "  " << step_number(step) << ". " << indented(step.text, "       ");
      if (!step.source.empty()) out << "  [" << step.source << "]";
      out << "\n";
      if (!step.source.empty()) named.insert(step.source);
    }
  }
  if (subject.checked && about != nullptr) {
    for (const Line& line : conclusion_in_words(*subject.source, *about, steps))
      out << "  " << line.text << "\n";
  } else {
    out << "  No conclusion is drawn from steps that were not checked.\n";
  }
  if (claim.contains("reason"))
    out << "  Steps are missing: " << one_line(claim["reason"].get<std::string>(), 2000) << "\n";
}

}  // namespace

void explain(const std::string& file, const ExplainOptions& options, std::ostream& out) {
  try {
    const Subject subject = read(file, options);
    // Nothing is printed before the whole certificate has been gone through.
    std::ostringstream text;
    // Names and reasons are on one line each: none can bring lines of its own that look like the checker's.
    text << path_line(file) << ": " << one_line(subject.status, 2000)
         << (subject.checked ? "" : "; run attest check") << ".\n";
    text << "Case " << path_line(subject.json.at("case").at("path").get<std::string>());
    if (subject.source) text << ", \"" << subject.source->title << "\"";
    text << "\n";
    if (subject.source && subject.source->layer) text << "  " << sizes_in_words(*subject.source).text << "\n";
    std::set<std::string> named;
    const std::size_t claims = subject.json.at("claims").size();
    if (options.claim && *options.claim >= claims)
      throw InputError(file, "", "has no claim " + std::to_string(*options.claim),
                       "claims count from 0, and this certificate has " + std::to_string(claims));
    for (std::size_t k = 0; k < claims; ++k)
      if (!options.claim || *options.claim == k) explain_claim(subject, k, options, named, text);
    if (!named.empty()) text << "\nThe theorems and principles in brackets:\n";
    for (const std::string& source : named)
      text << "  " << source << ": " << formulas(source_in_words(source)) << "\n";
    out << printable(text.str());
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(),
                     "a certificate that attest verify has written");
  } catch (const Failure& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(),
                     "a certificate that attest verify has written");
  } catch (const std::invalid_argument& e) {
    throw InputError(file, "", std::string("is not a certificate: ") + e.what(),
                     "a certificate that attest verify has written");
  }
}

}  // namespace attest
