#include "farm/verify.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <optional>
#include <sstream>

#include "answer/results.hpp"
#include "base/errors.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "farm/find_cases.hpp"
#include "farm/prune.hpp"
#include "farm/report.hpp"
#include "farm/run_cases.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

// From so many cases on reports have no figures: their numbers take longer than proofs, and a browser would
// read 30 KB for each.
constexpr std::size_t kCasesWithoutFigures = 1000;

std::string packed(const CaseOutcome& outcome) {
  return json_text(Json{{"report", outcome.report},
                        {"status", outcome.status},
                        {"error", outcome.error},
                        {"explained", outcome.explained}});
}

// Runs the jobs, at most `options.jobs` at a time.
std::vector<CaseOutcome> run_all(const std::vector<CaseJob>& jobs, const VerifyOptions& options) {
  std::vector<CaseOutcome> outcomes(jobs.size());
  std::vector<std::size_t> runnable;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (jobs[k].error.empty())
      runnable.push_back(k);
    else
      outcomes[k] = not_run(jobs[k].file, kBadInput, jobs[k].error);
  }
  CaseRuns runs;
  runs.count = runnable.size();
  runs.jobs = options.jobs;
  runs.file = [&](std::size_t k) { return jobs[runnable[k]].file; };
  runs.run = [&](std::size_t k, bool shared) -> std::optional<std::string> {
    const CaseJob& job = jobs[runnable[k]];
    const auto outcome = verify_case(shared, job.file, job.certificate, options.each);
    if (!outcome) return std::nullopt;
    return packed(*outcome);
  };
  runs.done = [&](std::size_t k, const CaseEnding& ending) {
    CaseOutcome& outcome = outcomes[runnable[k]];
    if (!ending.error.empty()) {
      outcome = not_run(jobs[runnable[k]].file, ending.status, ending.error);
      return;
    }
    const Json json = Json::parse(ending.answer);
    outcome = {json["report"], json["status"].get<int>(), json["error"].get<std::string>(),
               json["explained"]};
  };
  run_cases(runs);
  return outcomes;
}

// Whether both outputs are the same terminal, pipe or file, so that what goes to both is seen twice.
bool one_place() {
  struct stat out, err;
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::fstat(STDERR_FILENO, &err) == 0 && out.st_dev == err.st_dev &&
         out.st_ino == err.st_ino;
}

// Ensures that no result takes the place of a case.
void keep_cases(const VerifyOptions& options, const std::vector<CaseJob>& jobs) {
  for (const auto& [option, where] :
       {std::pair("--json", &options.json), {"--junit", &options.junit}, {"--report", &options.report}}) {
    std::error_code error;
    if (where->empty() || !std::filesystem::is_regular_file(*where, error)) continue;
    for (const CaseJob& job : jobs)
      if (std::filesystem::equivalent(*where, job.file, error))
        throw InputError(option, "", in_quotes(*where) + " is a case, which it would replace",
                         "another file");
  }
}

}  // namespace

int verify(const VerifyOptions& options) {
  const auto begin = Clock::now();
  // Standard output is that of one of them when it was asked for there, and not the table's.
  int on_standard_output = 0;
  for (const std::string* where : {&options.json, &options.junit, &options.report})
    if (!where->empty() && is_standard_output(*where)) ++on_standard_output;
  if (on_standard_output > 1)
    throw InputError("attest", "", "more than one of --json, --junit and --report is standard output",
                     "standard output for one of them");
  const bool table_shown = on_standard_output == 0;

  VerifyOptions all_options = options;
  all_options.each.explain = options.explain || !options.report.empty();
  std::optional<Shard> shard;
  if (!options.shard.empty()) shard = parse_shard(options.shard, "--shard");
  const std::vector<CaseJob> jobs = find_cases(options.paths, options.out, options.filter, shard);
  keep_cases(options, jobs);
  all_options.each.figures = jobs.size() < kCasesWithoutFigures;
  const std::optional<ReportProgram> report =
      options.report.empty() ? std::nullopt : std::optional<ReportProgram>(options.report);
  const std::vector<CaseOutcome> outcomes = run_all(jobs, all_options);
  sync_outputs(options.out);

  int status = kAsExpected;
  std::ostringstream table;
  std::size_t not_run = 0, unchanged = 0;
  const bool errors_in_table_only = table_shown && one_place();
  for (const CaseOutcome& outcome : outcomes) {
    status = worse(status, outcome.status);
    if (outcome.report.contains("unchanged")) ++unchanged;
    print_case(outcome, options.quiet, table);
    if (outcome.error.empty()) continue;
    ++not_run;
    if (!errors_in_table_only) complain(outcome.error);
  }
  if (!options.quiet && not_run < outcomes.size())
    table << "certificates are in " << printable(options.out) << "\n";
  const Json all = run_report(outcomes, options.explain);
  const Json& totals = all["totals"];
  table << jobs.size() << (jobs.size() == 1 ? " case: " : " cases: ") << totals["verified"] << " verified, "
        << totals["refuted"] << " refuted, " << totals["inapplicable"] << " inapplicable, "
        << totals["undecided"] << " undecided; "
        << (totals["hypotheses_undecided"] == 0
                ? ""
                : totals["hypotheses_undecided"].dump() + " with hypotheses undecided; ")
        << totals["unexpected"] << " unexpected; "
        << (not_run == 0 ? "" : std::to_string(not_run) + " not run; ")
        << (unchanged == 0 ? "" : std::to_string(unchanged) + " unchanged; ")
        << seconds_text(seconds_since(begin)) << "\n";
  if (table_shown) std::cout << table.str();
  if (options.prune) prune(options.out, table_shown ? std::cout : std::cerr);
  if (!options.json.empty()) write_output(options.json, json_text(all, 1) + "\n");
  if (!options.junit.empty()) write_output(options.junit, junit(outcomes));
  if (report) report->write(run_report(outcomes, true));
  return status;
}

}  // namespace attest
