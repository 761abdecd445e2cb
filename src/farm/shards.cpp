#include "farm/shards.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "answer/results.hpp"
#include "base/output.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "farm/run_cases.hpp"

namespace attest {
namespace {

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

CaseWord failed(const std::string& name, const std::string& error, int status) {
  CaseWord word;
  word.line.name = name;
  word.line.error = error;
  word.status = status;
  return word;
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

}  // namespace attest
