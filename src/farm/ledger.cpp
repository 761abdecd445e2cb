#include "farm/ledger.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/errors.hpp"
#include "base/number_in.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "kernel/certificate.hpp"
#include "theory/failure.hpp"

namespace attest {
namespace {

constexpr const char* kFormat = "attest-ledger/1";
constexpr std::size_t kMostShards = 1000000;
constexpr const char* kRight = "a ledger as attest verify --shard and attest check --shard write them";

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& wrong,
                         const std::string& right = kRight) {
  throw InputError(path_line(file, 600), "line " + std::to_string(line), wrong, right);
}

std::string hex_digits(const nlohmann::ordered_json& value) {
  const std::string& text = kernel::string(value);
  ENSURE(text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos,
         "64 lower-case hexadecimal digits", in_quotes(text));
  return text;
}

bool truth(const nlohmann::ordered_json& value) {
  ENSURE(value.is_boolean(), "true or false", one_line(value.dump(), 60));
  return value.get<bool>();
}

double seconds(const nlohmann::ordered_json& value) {
  const std::string& text = kernel::string(value);
  const double result = number_in<double>(text).value_or(-1);
  ENSURE(result >= 0 && result < 1e12, "a number of seconds", in_quotes(text));
  return result;
}

bool known_statement(const std::string& name) {
  return std::any_of(statements().begin(), statements().end(),
                     [&](const Statement& s) { return s.spec.name == name; });
}

// What a line of a ledger holds, with the place of what is wrong with it.
template <class Read>
auto read_line(const std::string& text, const std::string& file, std::size_t number, Read read) {
  try {
    return read(kernel::parse_json(text, "ledger"));
  } catch (const Failure& failure) {
    refuse(file, number, failure.what());
  } catch (const InputError& error) {
    refuse(file, number, one_line(error.what()));
  }
}

std::string header_line(const LedgerHeader& header) {
  return Json{{"format", kFormat},       {"by", header.by},
              {"attest", header.attest}, {"shard", Json::array({header.shard.index, header.shard.count})},
              {"cases", header.cases},   {"set", header.set},
              {"effort", header.effort}, {"limits", header.limits},
              {"names", header.names}}
      .dump();
}

LedgerHeader parse_header(const std::string& text, const std::string& file, std::size_t number) {
  return read_line(text, file, number, [](const nlohmann::ordered_json& json) {
    kernel::object(json, "format by attest shard cases set effort limits names");
    LedgerHeader header;
    const std::string& format = kernel::string(json.at("format"));
    ENSURE(format == kFormat, std::string("the format ") + kFormat, in_quotes(format));
    header.by = kernel::string(json.at("by"));
    ENSURE(header.by == "explore", "\"explore\"", in_quotes(header.by));
    header.attest = kernel::string(json.at("attest"));
    const nlohmann::ordered_json& shard = kernel::array(json.at("shard"), 2);
    header.shard = {kernel::word(shard[0]), kernel::word(shard[1])};
    ENSURE(header.shard.index >= 1 && header.shard.index <= header.shard.count &&
               header.shard.count <= kMostShards,
           "a shard [i, N] with 1 <= i <= N", shard.dump());
    header.cases = kernel::word(json.at("cases"));
    header.set = hex_digits(json.at("set"));
    header.effort = kernel::string(json.at("effort"));
    header.limits = kernel::string(json.at("limits"));
    for (const nlohmann::ordered_json& name : kernel::array(json.at("names"))) {
      header.names.push_back(kernel::string(name));
      const std::string& last = header.names.back();
      ENSURE(header.names.size() < 2 || header.names[header.names.size() - 2] < last,
             "names in increasing order, each once", in_quotes(last));
      ENSURE(shard_of(last, header.shard.count) == header.shard.index,
             "names of shard " + std::to_string(header.shard.index),
             in_quotes(last) + ", which is in shard " + std::to_string(shard_of(last, header.shard.count)));
    }
    return header;
  });
}

const std::string kContradicts = "contradicts an earlier line about ",
                  kOtherVerdicts = ": other verdicts for the same contents",
                  kOneVerdict = "one verdict for each claim; without this ledger the shard starts anew";

std::vector<LedgerSection> sections_of(const Journal& journal) {
  std::vector<LedgerSection> sections;
  const std::string& file = journal.file();
  std::size_t number = 0;
  for (const std::string& line : journal.lines()) {
    ++number;
    if (line.starts_with("{\"format\"")) {
      sections.push_back({parse_header(line, file, number), {}});
      const LedgerHeader &first = sections.front().header, &here = sections.back().header;
      if (first.by != here.by || !(first.shard == here.shard))
        refuse(file, number, "begins another shard's section", "one ledger for each shard");
      continue;
    }
    if (sections.empty()) refuse(file, number, "stands before the line that says which shard this is");
    auto& [header, lines] = sections.back();
    LedgerLine parsed = parse_ledger_line(line, file, number);
    if (!std::binary_search(header.names.begin(), header.names.end(), parsed.name))
      refuse(file, number,
             "is about " + in_quotes(parsed.name) + ", which is not among the cases of this shard");
    const auto before = lines.find(parsed.name);
    if (before != lines.end() && contradict(before->second, parsed))
      refuse(file, number, kContradicts + in_quotes(parsed.name) + kOtherVerdicts, kOneVerdict);
    lines[parsed.name] = std::move(parsed);
  }
  return sections;
}

}  // namespace

std::string ledger_name(const Shard& shard) {
  return "ledger-" + std::to_string(shard.index) + "-of-" + std::to_string(shard.count) + ".jsonl";
}

std::string names_digest(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  Sha256 hash;
  for (const std::string& name : names) {
    hash.add(name);
    hash.add(std::string_view("\0", 1));
  }
  return hash.hex();
}

std::string ledger_text(const std::string& name) {
  try {
    (void)Json(name).dump();
    return name;
  } catch (const Json::exception&) {
    return one_line(name, std::string::npos);
  }
}

std::optional<Finding> finding_of(const std::string& verdict) {
  for (const Verdict v : {Verdict::verified, Verdict::refuted, Verdict::inapplicable, Verdict::undecided})
    for (const bool hypotheses_undecided : {false, true}) {
      Finding finding;
      finding.verdict = v;
      finding.hypotheses_undecided = hypotheses_undecided;
      if (verdict == verdict_text(finding) && (v == Verdict::verified || !hypotheses_undecided))
        return finding;
    }
  return std::nullopt;
}

std::string counts_text(std::map<std::string, std::size_t> verdicts) {
  std::string text;
  for (const std::string verdict : {"verified", "refuted", "inapplicable", "undecided"})
    text += std::to_string(verdicts[verdict]) + " " + verdict + (verdict == "undecided" ? "; " : ", ");
  return text;
}

std::string proof_digest(const nlohmann::json& certificate) {
  nlohmann::json claims = certificate.at("claims");
  for (nlohmann::json& claim : claims) claim.erase("reason");
  return sha256_hex(claims.dump());
}

std::string ledger_line(const LedgerLine& line) {
  Json json = {{"case", line.name}};
  if (!line.error.empty()) {
    json["error"] = line.error;
  } else {
    json["certificate"] = line.certificate;
    json["sha256"] = line.sha256;
    json["digest"] = line.digest;
    json["proof"] = line.proof;
    json["claims"] = Json::array();
    for (const auto& [statement, verdict] : line.claims) json["claims"].push_back({statement, verdict});
    json["expected"] = line.expected;
    json["limited"] = line.limited;
    for (const auto& [what, interval] : line.found) json["found"][what] = {interval.first, interval.second};
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.6f", line.seconds);
  json["seconds"] = text;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

LedgerLine parse_ledger_line(const std::string& text, const std::string& file, std::size_t number) {
  return read_line(text, file, number, [](const nlohmann::ordered_json& json) {
    kernel::object(json, json.contains("error")
                             ? "case error seconds"
                             : "case certificate sha256 digest proof claims expected limited found? seconds");
    LedgerLine line;
    line.name = kernel::string(json.at("case"));
    if (json.contains("error")) {
      line.error = kernel::string(json.at("error"));
      ENSURE(!line.error.empty(), "an error", "no text");
    } else {
      line.certificate = kernel::string(json.at("certificate"));
      line.sha256 = hex_digits(json.at("sha256"));
      line.digest = hex_digits(json.at("digest"));
      line.proof = hex_digits(json.at("proof"));
      for (const nlohmann::ordered_json& claim : kernel::array(json.at("claims"))) {
        kernel::array(claim, 2);
        line.claims.emplace_back(kernel::string(claim[0]), kernel::string(claim[1]));
        ENSURE(known_statement(line.claims.back().first), "a statement", in_quotes(line.claims.back().first));
        ENSURE(finding_of(line.claims.back().second), "a verdict", in_quotes(line.claims.back().second));
      }
      line.expected = truth(json.at("expected"));
      line.limited = truth(json.at("limited"));
      if (json.contains("found")) {
        ENSURE(json["found"].is_object(), "an object of intervals", one_line(json["found"].dump(), 60));
        for (const auto& [what, ends] : json["found"].items()) {
          kernel::array(ends, 2);
          auto& [lower, upper] = line.found[what];
          lower = kernel::word(ends[0]);
          upper = kernel::word(ends[1]);
          ENSURE(lower <= upper, "an interval [a, b] with a <= b", ends.dump());
        }
      }
    }
    line.seconds = seconds(json.at("seconds"));
    return line;
  });
}

bool contradict(const LedgerLine& a, const LedgerLine& b) {
  if (!a.error.empty() || !b.error.empty() || a.limited || b.limited || a.digest != b.digest) return false;
  return a.claims != b.claims || a.found != b.found;
}

bool worth(const LedgerLine& line, const LedgerHeader& of, const LedgerHeader& now) {
  return line.error.empty() && of.attest == now.attest && of.effort == now.effort &&
         (!line.limited || of.limits == now.limits);
}

std::vector<LedgerSection> read_ledger(const std::string& file, Journal::Use use) {
  std::vector<LedgerSection> sections = sections_of(Journal(file, use));
  // Whoever has just begun it may not have come further.
  if (sections.empty() && use != Journal::Use::look)
    throw InputError(path_line(file, 600), "", "says nothing", kRight);
  return sections;
}

Ledger::Ledger(const std::string& folder, const LedgerHeader& header)
    : journal_(std::filesystem::path(folder) / ledger_name(header.shard), Journal::Use::add) {
  std::vector<LedgerSection> sections = sections_of(journal_);
  for (const LedgerSection& section : sections) {
    if (section.header.by != header.by)
      throw InputError(path_line(journal_.file(), 600), "", "is a ledger of attest " + section.header.by,
                       "another folder by --out for attest " + header.by);
    for (const auto& [name, line] : section.lines) {
      if (worth(line, section.header, header))
        known_[name] = line;
      else
        known_.erase(name);
    }
  }
  if (journal_.torn() > 0) journal_.drop_torn();
  if (!sections.empty() && sections.back().header == header)
    current_ = std::move(sections.back().lines);
  else
    journal_.add(header_line(header));
}

const LedgerLine* Ledger::known(const std::string& name) const {
  const auto line = known_.find(name);
  return line == known_.end() ? nullptr : &line->second;
}

bool Ledger::has(const LedgerLine& line) const {
  const auto here = current_.find(line.name);
  if (here == current_.end()) return false;
  LedgerLine same = here->second;
  same.seconds = line.seconds;
  return ledger_line(same) == ledger_line(line);
}

void Ledger::add(const LedgerLine& line) {
  const auto before = current_.find(line.name);
  if (before != current_.end() && contradict(before->second, line))
    throw InputError(path_line(journal_.file(), 600), "",
                     kContradicts + in_quotes(line.name) + kOtherVerdicts, kOneVerdict);
  journal_.add(ledger_line(line));
}

}  // namespace attest
