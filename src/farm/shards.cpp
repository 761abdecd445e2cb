#include "farm/shards.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <sstream>

#include "answer/results.hpp"
#include "base/isolated.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "checker/certificate.hpp"
#include "checker/check.hpp"
#include "farm/find_cases.hpp"
#include "farm/ledger.hpp"
#include "input/digest.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;  // of a certificate, as for the checker

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What a child says of its case.
struct Word {
  LedgerLine line;
  bool kept = false;  ///< nothing was run: the line is the ledger's
  int status = kAsExpected;
  std::string text;  ///< for standard output
};

std::string packed(const Word& word) {
  return json_text(Json{
      {"line", ledger_line(word.line)}, {"kept", word.kept}, {"status", word.status}, {"text", word.text}});
}

Word unpacked(const std::string& text) {
  const Json json = Json::parse(text);
  return {parse_ledger_line(json["line"].get<std::string>(), "the answer of a child process", 1),
          json["kept"].get<bool>(), json["status"].get<int>(), json["text"].get<std::string>()};
}

// Whether the line is about these contents and these bytes of a certificate, of which nothing has changed
// since.
bool unchanged(const LedgerLine& line, const Case& c, const std::string& digest, std::string_view bytes) {
  if (line.digest != digest || line.claims.size() != c.claims.size() || line.sha256 != sha256_hex(bytes) ||
      line.proof != proof_digest(nlohmann::json::parse(bytes)))
    return false;
  for (std::size_t k = 0; k < c.claims.size(); ++k)
    if (line.claims[k].first != c.claims[k].statement) return false;
  return true;
}

// A case that is not run again. What it expects is not part of its contents, and may have changed.
Word kept(const LedgerLine& line, const Case& c, const fs::path& file) {
  Word word{line, true, kAsExpected, ""};
  word.line.expected = true;
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    if (as_expected(c.claims[k], *finding_of(line.claims[k].second))) continue;
    word.line.expected = false;
    word.text += one_line(file.string(), 600) + "  unchanged: claim " + std::to_string(k) + " " +
                 c.claims[k].statement + " " + line.claims[k].second + "  UNEXPECTED\n";
  }
  if (!word.line.expected) word.status = line.limited ? kLimit : kUnexpected;
  return word;
}

LedgerLine failed(const std::string& name, const std::string& error) {
  LedgerLine line;
  line.name = name;
  line.error = error;
  return line;
}

struct ShardRun {
  std::string by, effort, limits, out;
  Shard shard;
  unsigned jobs = 1;
  bool force = false;
  /// The word on a case, of which the ledger may know something (nullptr: nothing). `shared`: in a process
  /// that others use; then empty when it wants one of its own.
  std::function<std::optional<Word>(const CaseJob&, const LedgerLine* known, bool shared)> run;
};

// Runs the cases of the shard. The jobs' certificates are named relative to a folder.
int run_shard(const std::vector<CaseJob>& all, const ShardRun& run) {
  const auto start = Clock::now();
  std::vector<std::string> names;
  std::map<std::string, const CaseJob*> by_name;
  for (const CaseJob& job : all) {
    // What belongs to the other shards would depend on who could look into which folder.
    if (!job.error.empty()) throw InputError("--shard", "", "the set of cases is not known: " + job.error);
    names.push_back(ledger_text(job.certificate.generic_string()));
    if (!by_name.emplace(names.back(), &job).second)
      throw InputError("--shard", "", "two cases are called " + in_quotes(names.back()), "names in UTF-8");
  }
  LedgerHeader header{run.by, ATTEST_VERSION, run.shard, names.size(), names_digest(names),
                      {},     run.effort,     run.limits};
  std::vector<const CaseJob*> mine;
  for (const auto& [name, job] : by_name) {
    if (shard_of(name, run.shard.count) != run.shard.index) continue;
    header.names.push_back(name);
    mine.push_back(job);
  }
  Ledger ledger(run.out, header);

  const auto known = [&](std::size_t k) { return run.force ? nullptr : ledger.known(header.names[k]); };
  IsolatedTasks tasks;
  tasks.together = [&](std::size_t k) -> std::optional<std::string> {
    const std::optional<Word> word = run.run(*mine[k], known(k), true);
    if (!word) return std::nullopt;
    return packed(*word);
  };
  tasks.alone = [&](std::size_t k) { return packed(*run.run(*mine[k], known(k), false)); };

  int status = kAsExpected;
  std::size_t unchanged = 0, not_run = 0, unexpected = 0;
  std::map<std::string, std::size_t> counts;
  run_isolated(mine.size(), run.jobs, tasks, [&](std::size_t k, const TaskEnding& ending) {
    using End = IsolatedTask::End;
    Word word;
    if (ending.end == End::finished) {
      word = unpacked(ending.result);
    } else {
      const std::string why =
          ending.end == End::threw || ending.end == End::out_of_memory
              ? ending.result
              : "the process was ended by " + ending.ending +
                    "; for want of memory (--memory raises the limit), or by a defect of attest";
      word.line = failed(header.names[k], one_line(mine[k]->file.string(), 600) + ": " + why);
      word.status = ending.end == End::threw ? kBadInput : kLimit;
    }
    if (!word.kept || !ledger.has(word.line)) ledger.add(word.line);
    status = worse(status, word.status);
    std::cout << word.text;
    if (!word.line.error.empty()) {
      ++not_run;
      std::cerr << one_line(word.line.error, 2000) << "\n";
    } else if (!word.line.expected) {
      ++unexpected;
    }
    if (word.kept) ++unchanged;
    for (const auto& [statement, verdict] : word.line.claims)
      ++counts[verdict_name(finding_of(verdict)->verdict)];
  });
  // Certificates first: a ledger that is on the disk before them would only be found wrong.
  sync_outputs(run.out);
  ledger.sync();
  std::cout << "shard " << run.shard.index << "/" << run.shard.count << " of " << names.size()
            << " cases: " << mine.size() << (mine.size() == 1 ? " case, " : " cases, ") << unchanged
            << " unchanged; ";
  for (const char* verdict : {"verified", "refuted", "inapplicable", "undecided"})
    std::cout << counts[verdict] << " " << verdict << (std::string(verdict) == "undecided" ? "; " : ", ");
  std::cout << unexpected << " not as expected; "
            << (not_run == 0 ? "" : std::to_string(not_run) + " not run; ")
            << seconds_text(seconds_since(start)) << "\n";
  return status;
}

// The bytes of a file; empty when it cannot be read.
FileBytes bytes_of(const fs::path& file) {
  try {
    return read_regular_file(file, file.string(), kMostBytes);
  } catch (const std::runtime_error&) {
    return {};
  }
}

// Checks one certificate, or finds that it and its case are those of the known line.
Word check_one(const CaseJob& job, const LedgerLine* known, const CheckShardOptions& options) {
  const std::string name = ledger_text(job.certificate.generic_string());
  const std::string shown = one_line(job.file.string(), 600);
  const auto begin = Clock::now();
  const auto fail = [&](int status, const std::string& kind, const std::string& what) {
    return Word{failed(name, shown + ": " + kind + ": " + one_line(what, 600)), false, status, ""};
  };
  try {
    const FileBytes bytes = read_regular_file(job.file, job.file.string(), kMostBytes);
    LedgerLine line;
    line.name = name;
    line.sha256 = sha256_hex(bytes.view());
    if (known != nullptr && known->sha256 == line.sha256) {
      const nlohmann::json json = checker::parse_json(bytes.view(), job.file.string());
      ReadOptions reading;
      reading.allow_outside = options.allow_outside;
      const Case c =
          read_case(job.file.parent_path() / json.at("case").at("path").get<std::string>(), reading);
      if (unchanged(*known, c, problem_digest(c), bytes.view())) return kept(*known, c, job.file);
    }
    checker::CheckOptions checking;
    checking.allow_outside = options.allow_outside;
    checking.memory_limit = options.memory;
    const checker::CheckedFile checked = checker::check_file(job.file, bytes.view(), checking);
    line.certificate = fs::proximate(fs::absolute(job.file), fs::absolute(options.out)).generic_string();
    line.digest = problem_digest(checked.source);
    line.proof = proof_digest(checker::parse_json(bytes.view(), job.file.string()));
    Word word{line, false, kAsExpected, ""};
    for (std::size_t k = 0; k < checked.source.claims.size(); ++k) {
      const Claim& claim = checked.source.claims[k];
      const Finding& finding = checked.report[k].finding;
      word.line.claims.emplace_back(claim.statement, verdict_text(finding));
      if (as_expected(claim, finding)) continue;
      word.line.expected = false;
      word.text += shown + "  claim " + std::to_string(k) + " " + claim.statement + " " +
                   verdict_text(finding) + "  NOT AS EXPECTED\n";
    }
    if (!word.line.expected && !options.ignore_expectations) word.status = kUnexpected;
    word.line.seconds = seconds_since(begin);
    return word;
  } catch (const Failure& rejection) {
    return fail(kUnexpected, "rejected", rejection.what());
  } catch (const InputError& error) {
    return fail(kBadInput, "bad input", error.about(job.file.string()));
  }
}

std::string amount(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

int verify_shard(const VerifyOptions& options) {
  ShardRun shard;
  shard.by = "verify";
  shard.shard = parse_shard(options.shard, "--shard");
  shard.out = options.out;
  shard.jobs = options.jobs;
  shard.force = options.force;
  shard.effort = "readout-limit " + amount(options.each.readout_limit);
  std::ostringstream limits;
  limits << "timeout " << options.each.timeout << ", memory " << options.each.memory << ", work "
         << options.each.work;
  shard.limits = limits.str();
  shard.run = [&](const CaseJob& job, const LedgerLine* line, bool shared) -> std::optional<Word> {
    const fs::path certificate = fs::path(options.out) / job.certificate;
    const std::string name = ledger_text(job.certificate.generic_string());
    std::optional<Word> same;
    const KnownCase known = [&](const Case& c, const std::string& digest) {
      if (line != nullptr && unchanged(*line, c, digest, bytes_of(certificate).view()))
        same = kept(*line, c, job.file);
      return same.has_value();
    };
    CaseOutcome outcome;
    if (shared) {
      auto result = run_small_case(job.file, certificate, options.each, known);
      if (!result) return std::nullopt;
      outcome = std::move(*result);
    } else {
      limit_process(options.each);
      outcome = run_case(job.file, certificate, options.each, known);
    }
    if (same) return same;
    Word word;
    word.status = outcome.status;
    if (!outcome.error.empty()) {
      word.line = failed(name, outcome.error);
      return word;
    }
    std::ostringstream text;
    print_case(outcome, true, text);
    word.text = text.str();
    word.line.name = word.line.certificate = name;
    word.line.sha256 = sha256_hex(outcome.certificate);
    word.line.digest = outcome.digest;
    word.line.proof = proof_digest(nlohmann::json::parse(outcome.certificate));
    for (const Json& claim : outcome.report["claims"]) {
      word.line.claims.emplace_back(claim["statement"].get<std::string>(), verdict_of(claim));
      word.line.expected = word.line.expected && claim["as_expected"].get<bool>();
    }
    word.line.limited = outcome.limited;
    word.line.seconds = outcome.report["seconds"].get<double>();
    return word;
  };
  return run_shard(find_cases(options.paths, "", options.filter), shard);
}

int check_shard(const CheckShardOptions& options) {
  ShardRun shard;
  shard.by = "check";
  shard.shard = parse_shard(options.shard, "--shard");
  shard.out = options.out;
  shard.jobs = options.jobs;
  shard.force = options.force;
  shard.limits = "memory " + amount(options.memory) + ", work " + amount(options.work);
  shard.run = [&](const CaseJob& job, const LedgerLine* known, bool shared) -> std::optional<Word> {
    limit_memory(options.memory);
    meter().limit_work(options.work);
    try {
      return check_one(job, known, options);
    } catch (const LimitError& limit) {
      if (shared) return std::nullopt;
      Word word;
      word.line = failed(ledger_text(job.certificate.generic_string()),
                         one_line(job.file.string(), 600) + ": limit: " + one_line(limit.what(), 600));
      word.status = kLimit;
      return word;
    }
  };
  return run_shard(find_certificates(options.paths), shard);
}

}  // namespace attest
