#include "farm/ledger.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/errors.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "checker/certificate.hpp"
#include "statements/failure.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "attest-ledger/1";
constexpr std::size_t kMostShards = 1000000;
constexpr const char* kRight = "a ledger as attest verify --shard and attest check --shard write them";

[[noreturn]] void refuse(const std::string& file, const std::string& wrong, const std::string& right) {
  throw InputError(one_line(file, 600), "", wrong, right);
}

std::string reason() {
  return std::string(" (") + std::strerror(errno) + ")";
}

// A descriptor of the ledger, locked. Links, devices and FIFOs are refused before anything is read.
Descriptor open_ledger(const std::string& file, int flags, int lock) {
  Descriptor opened(::open(file.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (opened.number() < 0 && errno == ELOOP)
    refuse(file, "is a symbolic link", "a ledger is a regular file of its own");
  if (opened.number() < 0)
    refuse(file, "cannot be opened" + reason(), "a ledger that attest may read and write");
  struct stat status;
  if (::fstat(opened.number(), &status) != 0 || !S_ISREG(status.st_mode))
    refuse(file, "is not a regular file", "a ledger is a regular file of its own");
  if (::flock(opened.number(), lock | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      refuse(file, "is in use by another process", "the end of that run, or another folder by --out");
    refuse(file, "cannot be locked" + reason(), "a file system with locks (flock)");
  }
  return opened;
}

std::string bytes_of(int descriptor, const std::string& file) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = ::pread(descriptor, buffer, sizeof buffer, static_cast<off_t>(text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(file, "cannot be read" + reason(), "a readable ledger");
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string hex_digits(const nlohmann::json& value) {
  const std::string& text = checker::string(value);
  ENSURE(text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos,
         "64 lower-case hexadecimal digits", in_quotes(text));
  return text;
}

bool truth(const nlohmann::json& value) {
  ENSURE(value.is_boolean(), "true or false", one_line(value.dump(), 60));
  return value.get<bool>();
}

double seconds(const nlohmann::json& value) {
  const std::string& text = checker::string(value);
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  ENSURE(error == std::errc() && end == text.data() + text.size() && result >= 0 && result < 1e12,
         "a number of seconds", in_quotes(text));
  return result;
}

bool known_statement(const std::string& name) {
  return std::any_of(statements().begin(), statements().end(),
                     [&](const Statement& s) { return s.spec.name == name; });
}

// What a line of a ledger holds, with the place of what is wrong with it.
template <class Read>
auto read_line(const std::string& text, const std::string& file, std::size_t number, Read read) {
  const std::string place = "line " + std::to_string(number);
  try {
    return read(checker::parse_json(text, "ledger"));
  } catch (const Failure& failure) {
    throw InputError(one_line(file, 600), place, failure.what(), kRight);
  } catch (const InputError& error) {
    throw InputError(one_line(file, 600), place, one_line(error.what()), kRight);
  }
}

std::string header_line(const LedgerHeader& header) {
  return Json{{"format", kFormat},       {"by", header.by},
              {"attest", header.attest}, {"shard", Json::array({header.shard.index, header.shard.count})},
              {"cases", header.cases},   {"set", header.set},
              {"effort", header.effort}, {"limits", header.limits},
              {"names", header.names}}
             .dump() +
         "\n";
}

LedgerHeader parse_header(const std::string& text, const std::string& file, std::size_t number) {
  return read_line(text, file, number, [](const nlohmann::json& json) {
    checker::object(json, "format by attest shard cases set effort limits names");
    LedgerHeader header;
    const std::string& format = checker::string(json.at("format"));
    ENSURE(format == kFormat, std::string("the format ") + kFormat, in_quotes(format));
    header.by = checker::string(json.at("by"));
    ENSURE(header.by == "verify" || header.by == "check", "\"verify\" or \"check\"", in_quotes(header.by));
    header.attest = checker::string(json.at("attest"));
    const nlohmann::json& shard = checker::array(json.at("shard"), 2);
    header.shard = {checker::word(shard[0]), checker::word(shard[1])};
    ENSURE(header.shard.index >= 1 && header.shard.index <= header.shard.count &&
               header.shard.count <= kMostShards,
           "a shard [i, N] with 1 <= i <= N", shard.dump());
    header.cases = checker::word(json.at("cases"));
    header.set = hex_digits(json.at("set"));
    header.effort = checker::string(json.at("effort"));
    header.limits = checker::string(json.at("limits"));
    for (const nlohmann::json& name : checker::array(json.at("names"))) {
      header.names.push_back(checker::string(name));
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

// Whether an earlier line has other verdicts for the same contents, and no limit explains it.
bool contradicts(const std::map<std::string, LedgerLine>& lines, const LedgerLine& line) {
  const auto before = lines.find(line.name);
  if (before == lines.end() || !before->second.error.empty() || !line.error.empty()) return false;
  return before->second.digest == line.digest && before->second.claims != line.claims &&
         !before->second.limited && !line.limited;
}

InputError contradiction(const LedgerLine& line, const std::string& file, const std::string& place) {
  return {
      one_line(file, 600), place,
      "contradicts an earlier line about " + in_quotes(line.name) + ": other verdicts for the same contents",
      "one verdict for each claim; without this ledger the shard starts anew"};
}

LedgerContents parse_ledger(const std::string& text, const std::string& file) {
  LedgerContents contents;
  contents.size = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  std::size_t number = 0;
  for (std::size_t at = 0; at < contents.size;) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.starts_with("{\"format\"")) {
      contents.sections.push_back({parse_header(line, file, number), {}});
      const LedgerHeader &first = contents.sections.front().header, &here = contents.sections.back().header;
      if (first.by != here.by || first.shard.index != here.shard.index ||
          first.shard.count != here.shard.count)
        throw InputError(one_line(file, 600), "line " + std::to_string(number),
                         "begins another shard's section", "one ledger for each shard");
      continue;
    }
    if (contents.sections.empty())
      throw InputError(one_line(file, 600), "line " + std::to_string(number),
                       "stands before the line that says which shard this is", kRight);
    LedgerContents::Section& section = contents.sections.back();
    LedgerLine parsed = parse_ledger_line(line, file, number);
    if (!std::binary_search(section.header.names.begin(), section.header.names.end(), parsed.name))
      throw InputError(one_line(file, 600), "line " + std::to_string(number),
                       "is about " + in_quotes(parsed.name) + ", which is not among the cases of this shard",
                       kRight);
    if (contradicts(section.lines, parsed))
      throw contradiction(parsed, file, "line " + std::to_string(number));
    section.lines[parsed.name] = std::move(parsed);
  }
  return contents;
}

}  // namespace

Shard parse_shard(const std::string& text, const std::string& option) {
  Shard shard{0, 0};
  const char *begin = text.data(), *end = begin + text.size();
  const auto [slash, first] = std::from_chars(begin, end, shard.index);
  const bool split = first == std::errc() && slash != end && *slash == '/';
  const auto [rest, second] = std::from_chars(split ? slash + 1 : end, end, shard.count);
  if (!split || second != std::errc() || rest != end || shard.index < 1 || shard.index > shard.count ||
      shard.count > kMostShards)
    throw InputError(option, "", in_quotes(text) + " is not a shard",
                     "i/N with 1 <= i <= N <= " + std::to_string(kMostShards) + ", like 3/8");
  return shard;
}

std::string ledger_name(const Shard& shard) {
  return "ledger-" + std::to_string(shard.index) + "-of-" + std::to_string(shard.count) + ".jsonl";
}

std::size_t shard_of(const std::string& name, std::size_t count) {
  const std::string digits = sha256_hex(name).substr(0, 16);
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return 1 + value % count;
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
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.6f", line.seconds);
  json["seconds"] = text;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

LedgerLine parse_ledger_line(const std::string& text, const std::string& file, std::size_t number) {
  return read_line(text, file, number, [](const nlohmann::json& json) {
    checker::object(json, json.contains("error")
                              ? "case error seconds"
                              : "case certificate sha256 digest proof claims expected limited seconds");
    LedgerLine line;
    line.name = checker::string(json.at("case"));
    if (json.contains("error")) {
      line.error = checker::string(json.at("error"));
      ENSURE(!line.error.empty(), "an error", "no text");
    } else {
      line.certificate = checker::string(json.at("certificate"));
      line.sha256 = hex_digits(json.at("sha256"));
      line.digest = hex_digits(json.at("digest"));
      line.proof = hex_digits(json.at("proof"));
      for (const nlohmann::json& claim : checker::array(json.at("claims"))) {
        checker::array(claim, 2);
        line.claims.emplace_back(checker::string(claim[0]), checker::string(claim[1]));
        ENSURE(known_statement(line.claims.back().first), "a statement", in_quotes(line.claims.back().first));
        ENSURE(finding_of(line.claims.back().second), "a verdict", in_quotes(line.claims.back().second));
      }
      line.expected = truth(json.at("expected"));
      line.limited = truth(json.at("limited"));
    }
    line.seconds = seconds(json.at("seconds"));
    return line;
  });
}

LedgerContents read_ledger(const std::string& file) {
  const Descriptor opened = open_ledger(file, O_RDONLY, LOCK_SH);
  LedgerContents contents = parse_ledger(bytes_of(opened.number(), file), file);
  if (contents.sections.empty()) refuse(file, "says nothing", kRight);
  return contents;
}

Ledger::Ledger(const std::string& folder, const LedgerHeader& header)
    : file_((fs::path(folder) / ledger_name(header.shard)).string()) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, "cannot be made (" + error.message() + ")", "a writable folder by --out");
  descriptor_ = open_ledger(file_, O_RDWR | O_APPEND | O_CREAT, LOCK_EX);
  const LedgerContents contents = parse_ledger(bytes_of(descriptor_.number(), file_), file_);
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(contents.size)) != 0)
    refuse(file_, "cannot be shortened by its torn last line" + reason(), "a writable ledger");
  for (const LedgerContents::Section& section : contents.sections) {
    if (section.header.by != header.by)
      refuse(file_, "is a ledger of attest " + section.header.by,
             "another folder by --out for attest " + header.by);
    for (const auto& [name, line] : section.lines) {
      const bool worth = line.error.empty() && section.header.attest == header.attest &&
                         section.header.effort == header.effort &&
                         (!line.limited || section.header.limits == header.limits);
      if (worth)
        known_[name] = line;
      else
        known_.erase(name);
    }
  }
  if (!contents.sections.empty() && contents.sections.back().header == header)
    current_ = contents.sections.back().lines;
  else
    write(header_line(header));
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
  if (contradicts(current_, line)) throw contradiction(line, file_, "");
  write(ledger_line(line) + "\n");
}

void Ledger::write(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(descriptor_.number(), text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      refuse(file_, "cannot be written" + reason(), "room on the disk; then the same command goes on");
    at += static_cast<std::size_t>(n);
  }
}

void Ledger::sync() {
  if (::fdatasync(descriptor_.number()) != 0)
    refuse(file_, "cannot be written to the disk" + reason(), "a disk with room that works");
}

}  // namespace attest
