#include "farm/verify.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "answer/results.hpp"
#include "base/errors.hpp"
#include "base/hints.hpp"
#include "base/output.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "base/wrapped.hpp"
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

// Ensures that no result takes the place of a case, a certificate or another result.
void keep_others(const VerifyOptions& options, const std::vector<CaseJob>& jobs) {
  std::map<std::filesystem::path, std::string> taken;
  std::error_code error;
  const auto place = [&](const std::filesystem::path& file) {
    const std::filesystem::path whole = std::filesystem::absolute(file),
                                real = std::filesystem::weakly_canonical(whole, error);
    return error ? whole : real;
  };
  for (const CaseJob& job : jobs) {
    taken.emplace(place(job.file), "a case");
    if (options.each.select.empty()) taken.emplace(place(job.certificate), "the place of a certificate");
  }
  for (const auto& [option, where] :
       {std::pair("--json", &options.json), {"--junit", &options.junit}, {"--report", &options.report}}) {
    if (where->empty() || is_standard_output(*where)) continue;
    const std::filesystem::path file = place(*where);
    if (std::filesystem::is_directory(file, error))
      throw InputError(option, "", in_quotes(*where) + " is a folder", "a file");
    if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) continue;
    const auto [other, free] = taken.emplace(file, std::string("that of ") + option);
    if (!free)
      throw InputError(option, "", in_quotes(*where) + " is " + other->second + ", which it would replace",
                       "another file");
  }
}

// Of the cases those with a claim that was selected, and those that were not run.
void keep_selected(const VerifyOptions& options, std::vector<CaseJob>& jobs,
                   std::vector<CaseOutcome>& outcomes) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (outcomes[k].error.empty() && outcomes[k].report["claims"].empty()) continue;
    jobs[kept] = jobs[k];
    outcomes[kept++] = std::move(outcomes[k]);
  }
  jobs.resize(kept);
  outcomes.resize(kept);
  if (kept == 0)
    throw InputError(
        "--select", "", "no claim of these cases is named " + in_quotes(joined(options.each.select, "or")),
        "a name as attest verify --json has it, the key name of the claim if the case gives one");
}

// The case that a certificate names, as far as its first bytes say.
std::filesystem::path case_of(const std::filesystem::path& certificate) {
  static const std::regex kCase("\"case\":\\s*\\{\\s*\"path\":\\s*(\"(?:[^\"\\\\]|\\\\.)*\")");
  constexpr std::uint64_t kHead = 4096;
  const FileBytes bytes = RegularFile(AT_FDCWD, certificate).read(kHead);
  const std::string head(bytes.view());
  std::smatch found;
  if (!std::regex_search(head, found, kCase)) return {};
  const Json path = Json::parse(found[1].str(), nullptr, false);
  return path.is_string() ? certificate.parent_path() / path.get<std::string>() : std::filesystem::path();
}

// Why a certificate must not be written there: what is below the folder of --out may come from anybody, and
// nothing that lies there may lead elsewhere, or be of another case but those of this run. Usually empty.
std::string place_trouble(const std::filesystem::path& out, const CaseJob& job,
                          const std::vector<CaseJob>& jobs) {
  namespace fs = std::filesystem;
  const auto trouble = [&](const fs::path& where, const std::string& wrong, const std::string& right) {
    return std::string(InputError(where.string(), "", wrong, right).what());
  };
  std::error_code error;
  fs::path where = out;
  for (const fs::path& part : job.certificate.lexically_relative(out)) {
    where /= part;
    const fs::file_status status = fs::symlink_status(where, error);
    if (!fs::exists(status)) return "";
    const bool last = where == job.certificate;
    if (status.type() != (last ? fs::file_type::regular : fs::file_type::directory))
      return trouble(
          where, last ? "is not a regular file" : "is a link or no folder",
          "certificates are written into regular files and folders below --out only: remove it, or "
          "another folder by --out");
  }
  try {
    const fs::path other = case_of(job.certificate);
    const auto is_other = [&](const CaseJob& each) { return fs::equivalent(other, each.file, error); };
    if (!other.empty() && fs::exists(other, error) && !is_other(job) && std::ranges::none_of(jobs, is_other))
      return trouble(job.certificate,
                     "is the certificate of another case, " + in_quotes(other.lexically_normal().string()),
                     "another folder by --out, or remove it");
  } catch (const FileError&) {  // what cannot be read is replaced
  }
  return "";
}

// Fails at once when nothing can be written to the folder of --out, or the first above it that there is.
void require_writable(const std::string& out) {
  std::filesystem::path folder = std::filesystem::absolute(out);
  std::error_code error;
  while (!std::filesystem::exists(std::filesystem::symlink_status(folder, error)) &&
         folder.has_relative_path())
    folder = folder.parent_path();
  std::string trial = folder / ".attest-XXXXXX";  // no folder: who walks through this one would enter it
  const int file = ::mkostemp(trial.data(), O_CLOEXEC);
  if (file < 0)
    throw InputError(out, "", "cannot be written to (" + std::string(std::strerror(errno)) + ")", kWritable);
  ::close(file);
  std::filesystem::remove(trial, error);
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
  std::vector<CaseJob> jobs = find_cases(options.paths, options.out, options.filter, shard);
  keep_others(options, jobs);
  const std::optional<ReportProgram> report =
      options.report.empty() ? std::nullopt : std::optional<ReportProgram>(options.report);
  if (options.each.select.empty()) require_writable(options.out);
  for (CaseJob& job : jobs)
    if (job.error.empty()) job.error = place_trouble(options.out, job, jobs);
  all_options.each.figures = jobs.size() < kCasesWithoutFigures;
  std::vector<CaseOutcome> outcomes = run_all(jobs, all_options);
  sync_outputs(options.out);

  if (!options.each.select.empty()) keep_selected(options, jobs, outcomes);

  int status = kAsExpected;
  std::ostringstream table;
  Totals totals;
  std::map<std::filesystem::path, Totals> folders;
  const bool errors_in_table_only = table_shown && one_place();
  const bool each = options.verbose || (!options.quiet && jobs.size() == 1 && jobs[0].named);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const CaseOutcome& outcome = outcomes[k];
    status = worse(status, outcome.status);
    totals.add(outcome);
    folders[jobs[k].file.parent_path()].add(outcome);
    print_case(outcome, each, options.verbose, table);
    (table_shown ? table : std::cerr) << annotations(outcome);
    if (!outcome.error.empty() && !errors_in_table_only) complain(outcome.error);
  }
  if (folders.size() > 1 && !options.quiet)
    for (const auto& [folder, sum] : folders)
      table << std::left << std::setw(40) << path_line(folder.empty() ? "." : folder.generic_string()) << " "
            << sum.briefly() << "\n";
  std::string total = totals.text();
  if (options.each.select.empty() && totals.of("not_run") < outcomes.size())
    total += "; certificates are in " + printable(options.out);
  table << wrapped(total + "; " + seconds_text(seconds_since(begin)), 4) << "\n";
  const Json all = run_report(outcomes, options.explain);
  if (table_shown) std::cout << table.str();
  if (options.prune) prune(options.out, table_shown ? std::cout : std::cerr);
  if (!options.json.empty()) write_output(options.json, json_text(all, 1) + "\n");
  if (!options.junit.empty()) write_output(options.junit, junit(outcomes));
  if (report) report->write(run_report(outcomes, true));
  return status;
}

}  // namespace attest
