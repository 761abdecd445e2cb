#include "words/explain.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>

#include "base/errors.hpp"
#include "base/hints.hpp"
#include "base/regular_file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/wrapped.hpp"
#include "check/check_file.hpp"
#include "kernel/certificate.hpp"
#include "problem/digest.hpp"
#include "words/claim_result.hpp"
#include "words/conclusion_words.hpp"
#include "words/explained.hpp"
#include "words/markup.hpp"
#include "words/proved_facts.hpp"
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
  ExitStatus exit = kAsExpected;
};

kernel::CheckOptions check_options(const ExplainOptions& options) {
  return {.case_path = options.case_path, .allow_outside = options.allow_outside};
}

bool all_as_expected(const kernel::CheckedFile& checked) {
  for (std::size_t k = 0; k < checked.report.size(); ++k)
    if (!as_expected(checked.source.claims[k], checked.report[k].finding)) return false;
  return true;
}

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
      kernel::CheckedFile checked = kernel::check_file(file, bytes.view(), check_options(options));
      subject.exit = all_as_expected(checked) ? kAsExpected : kUnexpected;
      subject.source = std::move(checked.source);
      subject.checked = true;
      subject.status = "checked: valid";
      return subject;
    }
    subject.status = "not checked";
  } catch (const Failure& e) {
    subject.status = std::string("REJECTED by the checker: ") + e.what() +
                     ". What follows is what it says, and proves nothing";
    subject.exit = kUnexpected;
  } catch (const std::exception& e) {
    const bool limit =
        dynamic_cast<const LimitError*>(&e) != nullptr || dynamic_cast<const std::bad_alloc*>(&e) != nullptr;
    subject.status = std::string("not checked (") + e.what() + ")";
    subject.exit = limit ? kLimit : kBadInput;
  }
  try {
    const auto named = [&] { return subject.json.at("case").at("path").get<std::string>(); };
    subject.source =
        read_case(options.case_path ? *options.case_path : fs::path(file).parent_path() / named(),
                  ReadOptions{.allow_outside = options.allow_outside});
    if (subject.source->claims.size() != subject.json.at("claims").size()) subject.source.reset();
  } catch (const InputError&) {
    // It is told without its case.
  } catch (const LimitError&) {
  }
  return subject;
}

InputError no_claim(const std::string& file, std::size_t claim, std::size_t claims) {
  return {file, "", "has no claim " + std::to_string(claim),
          "claims count from 0, and this certificate has " + std::to_string(claims)};
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
    for (const Line& line : claim_in_words(*subject.source, *about)) out << "  " << line.text << "\n";
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
    for (const Line& line : conclusion_in_words(*subject.source, *about, steps, true))
      out << "  " << line.text << "\n";
  } else {
    out << "  No conclusion is drawn from steps that were not checked.\n";
  }
  if (claim.contains("reason"))
    out << "  Steps are missing: " << one_line(claim["reason"].get<std::string>(), 2000) << "\n";
}

// The arrays of a case with the names that a case file gives them.
Json arrays_of(const Case& c) {
  constexpr std::size_t kMostEntries = 100, kMostDigits = 40;
  Json all = Json::array();
  const auto add = [&](const std::string& name, const std::optional<ExactArray>& array) {
    if (!array) return;
    Json entries;
    for (std::size_t k = 0; array->size() <= kMostEntries && k < array->size(); ++k)
      entries.push_back(array->at(k).get_str());
    for (const Json& entry : entries)
      if (entry.get_ref<const std::string&>().size() > kMostDigits) {
        entries = nullptr;
        break;
      }
    all.push_back({{"name", name}, {"shape", array->shape()}, {"entries", entries}});
  };
  for (const auto& [name, array] : kDataArrays) add(name, c.data.*array);
  for (std::size_t k = 0; k < c.stack.size(); ++k)
    for (const auto& [name, array] : kStackArrays)
      add("before." + std::to_string(k) + "." + name, c.stack[k].*array);
  for (const auto& [name, array] : kWeightArrays)
    if (c.weights) add(name, (*c.weights).*array);
  return all;
}

}  // namespace

Json certified_proofs(const std::string& file, const ExplainOptions& options) {
  const FileBytes bytes = read_regular_file(file, path_line(file), kernel::kMostCertificateBytes);
  const kernel::CheckedFile checked = kernel::check_file(file, bytes.view(), check_options(options));
  const Json json = kernel::parse_json(bytes.view(), path_line(file));
  const Case& c = checked.source;
  Json claims = Json::array();
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    const kernel::NumberedSteps steps = steps_of(json, k);
    claims.push_back(claim_report(c, c.claims[k], facts_of(c, c.claims[k], steps), steps,
                                  json["claims"][k].value("reason", ""), 0));
  }
  Json all = explained(c, json, claims);
  for (std::size_t k = 0; k < claims.size(); ++k)
    all["claims"][k].update({{"index", k},
                             {"name", claims[k]["statement"]},
                             {"verdict", claims[k]["verdict"]},
                             {"hypotheses_undecided", claims[k]["hypotheses_undecided"]}});
  if (options.claim) {
    if (*options.claim >= claims.size()) throw no_claim(file, *options.claim, claims.size());
    all["claims"] = Json::array({all["claims"][*options.claim]});
  }
  all.update({{"certificate", path_line(file)},
              {"case", path_line(json["case"]["path"].get<std::string>())},
              {"title", c.title},
              {"sha256", sha256_hex(bytes.view())},
              {"digest", json["case"]["digest"]},
              {"format", json["format"]},
              {"attest", json["attest"]},
              {"as_expected", all_as_expected(checked)},
              {"data", arrays_of(c)}});
  return all;
}

ExitStatus explain(const std::string& file, const ExplainOptions& options, std::ostream& out) {
  try {
    const Subject subject = read(file, options);
    // Nothing is printed before the whole certificate has been gone through.
    std::ostringstream text;
    // Names and reasons are on one line each: none can bring lines of its own that look like the checker's.
    text << path_line(file) << ": " << one_line(subject.status, 2000)
         << (subject.checked ? "" : "; run attest check") << ".\n";
    const Json& about = subject.json.at("case");
    text << "Case " << path_line(about.at("path").get<std::string>());
    if (subject.source) text << ", \"" << subject.source->title << "\"";
    text << "\n";
    if (subject.source && subject.source->layer) text << "  " << sizes_in_words(*subject.source).text << "\n";
    text << "  digest " << one_line(about.at("digest").get<std::string>(), 100) << ", written by attest "
         << one_line(subject.json.value("attest", "?"), 40) << ", read by attest " ATTEST_VERSION "\n";
    std::set<std::string> named;
    const std::size_t claims = subject.json.at("claims").size();
    if (options.claim && *options.claim >= claims) throw no_claim(file, *options.claim, claims);
    for (std::size_t k = 0; k < claims; ++k)
      if (!options.claim || *options.claim == k) explain_claim(subject, k, options, named, text);
    if (!named.empty()) text << "\nThe theorems and principles in brackets:\n";
    for (const std::string& source : named)
      text << "  " << source << ": " << formulas(source_in_words(source)) << "\n";
    out << wrapped_lines(printable(text.str()));
    return subject.exit;
  } catch (const nlohmann::json::exception& e) {
    const std::string what = e.what();  // "[json.exception.out_of_range.403] key 'claims' not found"
    throw InputError(file, "", "is not a certificate: " + what.substr(what.find("] ") + 2),
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
