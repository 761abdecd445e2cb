#include "farm/shards.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "answer/results.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "farm/find_cases.hpp"
#include "farm/prune.hpp"
#include "farm/run_cases.hpp"
#include "kernel/certificate.hpp"
#include "problem/digest.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;
// A number, the line, and the text: small, since there is one for each of many small cases.
std::string packed(const CaseWord& word) {
  return std::to_string(2 * word.status + (word.kept ? 1 : 0)) + "\n" + ledger_line(word.line) + "\n" +
         word.text;
}

CaseWord unpacked(const std::string& text) {
  const std::size_t line = text.find('\n') + 1, rest = text.find('\n', line) + 1;
  const int number = std::stoi(text);
  return {parse_ledger_line(text.substr(line, rest - 1 - line), "the answer of a child process", 1),
          number % 2 == 1, number / 2, text.substr(rest)};
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
CaseWord kept(const LedgerLine& line, const Case& c, const fs::path& file) {
  CaseWord word{line, true};
  word.line.expected = true;
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    if (as_expected(c.claims[k], *finding_of(line.claims[k].second))) continue;
    word.line.expected = false;
    word.text += path_line(file.string()) + "  unchanged: claim " + std::to_string(k) + " " +
                 c.claims[k].statement + " " + line.claims[k].second + "  UNEXPECTED\n";
  }
  if (!word.line.expected) word.status = line.limited ? kLimit : kUnexpected;
  return word;
}

CaseWord failed(const std::string& name, const std::string& error, int status) {
  CaseWord word;
  word.line.name = name;
  word.line.error = error;
  word.status = status;
  return word;
}

// The names of the cases in ledgers. The jobs' certificates are named relative to a folder.
std::vector<std::string> names_of(const std::vector<CaseJob>& jobs) {
  std::vector<std::string> names;
  for (const CaseJob& job : jobs) {
    // What belongs to the other shards would depend on who could look into which folder.
    if (!job.error.empty()) throw InputError("--shard", "", "the set of cases is not known: " + job.error);
    names.push_back(ledger_text(job.certificate.generic_string()));
  }
  return names;
}

// Runs the shard and prints its totals. Returns the exit status.
int run_and_print(ShardRun& run, const std::vector<CaseJob>& jobs) {
  const auto start = Clock::now();
  run.names = names_of(jobs);
  run.file = [&](std::size_t k) { return jobs[k].file; };
  const ShardTotals totals = run_shard(run);
  std::cout << "shard " << run.shard << " of " << jobs.size() << " cases: " << totals.cases
            << (totals.cases == 1 ? " case, " : " cases, ") << totals.unchanged << " unchanged; "
            << counts_text(totals.verdicts) << totals.unexpected << " not as expected; "
            << (totals.not_run == 0 ? "" : std::to_string(totals.not_run) + " not run; ")
            << seconds_text(seconds_since(start)) << "\n";
  return totals.status;
}

// The bytes of a file; empty when it cannot be read.
FileBytes bytes_of(const fs::path& file) {
  try {
    return read_regular_file(file, file.string(), kernel::kMostCertificateBytes);
  } catch (const std::runtime_error&) {
    return {};
  }
}

// Checks one certificate, or finds that it and its case are those of the known line.
CaseWord check_one(const CaseJob& job, const LedgerLine* known, const CheckShardOptions& options) {
  const std::string name = ledger_text(job.certificate.generic_string());
  const std::string shown = path_line(job.file.string());
  const auto begin = Clock::now();
  const auto fail = [&](int status, const std::string& kind, const std::string& what) {
    return failed(name, shown + ": " + kind + ": " + one_line(what, 600), status);
  };
  try {
    const FileBytes bytes = read_regular_file(job.file, job.file.string(), kernel::kMostCertificateBytes);
    LedgerLine line;
    line.name = name;
    line.sha256 = sha256_hex(bytes.view());
    if (known != nullptr && known->sha256 == line.sha256) {
      const nlohmann::ordered_json json = kernel::parse_json(bytes.view(), job.file.string());
      const Case c = read_case(job.file.parent_path() / json.at("case").at("path").get<std::string>(),
                               ReadOptions{.allow_outside = options.allow_outside});
      if (unchanged(*known, c, problem_digest(c), bytes.view())) return kept(*known, c, job.file);
    }
    const kernel::CheckedFile checked = kernel::check_file(job.file, bytes.view(), options);
    line.certificate = fs::proximate(fs::absolute(job.file), fs::absolute(options.out)).generic_string();
    line.digest = problem_digest(checked.source);
    line.proof = proof_digest(kernel::parse_json(bytes.view(), job.file.string()));
    CaseWord word{line};
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

}  // namespace

LedgerLine ledger_line_of(const CaseOutcome& outcome, const std::string& name) {
  LedgerLine line;
  line.name = name;
  line.error = outcome.error;
  if (!line.error.empty()) return line;
  line.certificate = name;
  line.sha256 = sha256_hex(outcome.certificate);
  line.digest = outcome.digest;
  line.proof = proof_digest(nlohmann::json::parse(outcome.certificate));
  for (const Json& claim : outcome.report["claims"]) {
    line.claims.emplace_back(claim["statement"].get<std::string>(), verdict_of(claim));
    line.expected = line.expected && claim["as_expected"].get<bool>();
  }
  line.limited = outcome.limited;
  line.seconds = outcome.report["seconds"].get<double>();
  return line;
}

void set_options(ShardRun& run, const CaseOptions& options) {
  run.effort = "readout-limit " + std::to_string(options.readout_limit);
  std::ostringstream limits;
  limits << "timeout " << options.timeout << ", memory " << options.memory << ", work " << options.work;
  run.limits = limits.str();
}

ShardTotals run_shard(const ShardRun& run) {
  std::vector<std::string> all = run.names;
  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end())
    throw InputError("--shard", "", "two cases are called " + in_quotes(*twice), "names in UTF-8");
  LedgerHeader header{run.by,     ATTEST_VERSION,    parse_shard(run.shard, "--shard"),
                      all.size(), names_digest(all), {},
                      run.effort, run.limits};
  std::vector<std::size_t> mine;
  for (std::size_t k = 0; k < run.names.size(); ++k)
    if (shard_of(run.names[k], header.shard.count) == header.shard.index) mine.push_back(k);
  std::sort(mine.begin(), mine.end(),
            [&](std::size_t a, std::size_t b) { return run.names[a] < run.names[b]; });
  for (const std::size_t k : mine) header.names.push_back(run.names[k]);
  Ledger ledger(run.out, header);
  if (ledger.journal().torn() > 0)
    std::cerr << path_line(ledger.journal().file(), 600) << ": the last line, of " << ledger.journal().torn()
              << " bytes, was torn when its writer ended; it is dropped, and its case is run again\n";

  ShardTotals totals;
  totals.cases = mine.size();
  const auto take = [&](const CaseWord& word) {
    if (!word.kept || !ledger.has(word.line)) ledger.add(word.line);
    if (run.told) run.told(word.line);
    totals.status = worse(totals.status, word.status);
    std::cout << word.text;
    if (!word.line.error.empty()) {
      ++totals.not_run;
      std::cerr << one_line(word.line.error, 2000) << "\n";
    } else if (!word.line.expected) {
      ++totals.unexpected;
    }
    if (word.kept) ++totals.unchanged;
    for (const auto& [statement, verdict] : word.line.claims)
      ++totals.verdicts[verdict_name(finding_of(verdict)->verdict)];
  };
  const auto known = [&](std::size_t k) { return run.force ? nullptr : ledger.known(run.names[k]); };
  std::vector<std::size_t> left;
  for (const std::size_t k : mine) {
    const LedgerLine* line = run.stands ? run.stands(k, known(k)) : nullptr;
    if (line != nullptr)
      take({*line, true});
    else
      left.push_back(k);
  }
  CaseRuns runs;
  runs.count = left.size();
  runs.jobs = run.jobs;
  runs.progress = run.progress;
  runs.file = [&](std::size_t i) { return run.file(left[i]); };
  runs.run = [&](std::size_t i, bool shared) -> std::optional<std::string> {
    const auto word = run.run(left[i], known(left[i]), shared);
    if (!word) return std::nullopt;
    return packed(*word);
  };
  runs.done = [&](std::size_t i, const CaseEnding& ending) {
    take(ending.error.empty() ? unpacked(ending.answer)
                              : failed(run.names[left[i]], ending.error, ending.status));
  };
  run_cases(runs);
  // Certificates first: a ledger that is on the disk before them would only be found wrong.
  sync_outputs(run.out);
  ledger.sync();
  return totals;
}

int verify_shard(const VerifyOptions& options) {
  const std::vector<CaseJob> jobs = find_cases(options.paths, "", options.filter);
  ShardRun shard;
  shard.by = "verify";
  shard.shard = options.shard;
  shard.out = options.out;
  shard.jobs = options.jobs;
  shard.force = options.force;
  set_options(shard, options.each);
  shard.run = [&](std::size_t k, const LedgerLine* line, bool shared) -> std::optional<CaseWord> {
    const CaseJob& job = jobs[k];
    const fs::path certificate = fs::path(options.out) / job.certificate;
    std::optional<CaseWord> same;
    const KnownCase known = [&](const Case& c, const std::string& digest) {
      if (line != nullptr && unchanged(*line, c, digest, bytes_of(certificate).view()))
        same = kept(*line, c, job.file);
      return same.has_value();
    };
    const auto outcome = verify_case(shared, job.file, certificate, options.each, known);
    if (!outcome || same) return same;
    std::ostringstream text;
    if (outcome->error.empty()) print_case(*outcome, true, text);
    return CaseWord{ledger_line_of(*outcome, shard.names[k]), false, outcome->status, text.str()};
  };
  const int status = run_and_print(shard, jobs);
  if (options.prune) prune(options.out, std::cout);
  return status;
}

int check_shard(const CheckShardOptions& options) {
  const std::vector<CaseJob> jobs = find_certificates(options.paths);
  ShardRun shard;
  shard.by = "check";
  shard.shard = options.shard;
  shard.out = options.out;
  shard.jobs = options.jobs;
  shard.force = options.force;
  shard.limits = "memory " + std::to_string(options.memory_limit) + ", work " + std::to_string(options.work);
  shard.run = [&](std::size_t k, const LedgerLine* known, bool shared) -> std::optional<CaseWord> {
    limit_memory(options.memory_limit);
    meter().limit_work(options.work);
    try {
      return check_one(jobs[k], known, options);
    } catch (const LimitError& limit) {
      if (shared) return std::nullopt;
      return failed(shard.names[k],
                    path_line(jobs[k].file.string(), 600) + ": limit: " + one_line(limit.what(), 600),
                    kLimit);
    }
  };
  return run_and_print(shard, jobs);
}

}  // namespace attest
