#include "farm/run_cases.hpp"

#include <algorithm>

#include "base/isolated.hpp"
#include "base/parallel.hpp"
#include "base/progress_line.hpp"
#include "base/text.hpp"

namespace attest {

void run_cases(const CaseRuns& runs) {
  ProgressPrinter progress(runs.progress);
  std::size_t ended = 0;
  progress.show({runs.what, ended, runs.count});
  IsolatedTasks tasks;
  tasks.together = [&](std::size_t k) { return runs.run(k, true); };
  tasks.alone = [&](std::size_t k) { return *runs.run(k, false); };
  use_threads(runs.jobs / std::max<std::size_t>(runs.count, 1));  // few cases have several cores each
  run_isolated(runs.count, runs.jobs, tasks, [&](std::size_t k, const TaskEnding& task) {
    using End = IsolatedTask::End;
    CaseEnding ending;
    if (task.end == End::finished) {
      ending.answer = task.result;
    } else {
      const bool says_why = task.end == End::threw || task.end == End::out_of_memory;
      ending.error = path_line(runs.file(k).string(), std::string::npos) + ": " +
                     (says_why ? task.result
                               : "the process was ended by " + task.ending +
                                     "; for want of memory (--memory raises the limit), or by a defect of "
                                     "attest");
      ending.status = task.end == End::threw ? kBadInput : kLimit;
    }
    runs.done(k, ending);
    progress.show({runs.what, ++ended, runs.count});
  });
}

std::optional<CaseOutcome> verify_case(bool shared, const std::filesystem::path& file,
                                       const std::filesystem::path& certificate, const CaseOptions& options) {
  if (shared) return run_small_case(file, certificate, options);
  limit_process(options);
  return run_case(file, certificate, options);
}

}  // namespace attest
