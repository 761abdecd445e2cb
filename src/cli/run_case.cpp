#include "cli/run_case.hpp"

#include <algorithm>
#include <chrono>

#include "certificate/output.hpp"
#include "cli/claim_result.hpp"
#include "cli/isolated.hpp"
#include "cli/markup.hpp"
#include "cli/report.hpp"
#include "cli/results.hpp"
#include "input/digest.hpp"
#include "input/meter.hpp"
#include "proofs/proof.hpp"
#include "proofs/quantities.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Proved {
  Json report, steps = Json::array();
  bool limited = false;

  Json json() const { return {{"report", report}, {"steps", steps}, {"limited", limited}}; }
};

// A claim of which nothing was proved, for the reason given.
Proved nothing(const Case& c, const Claim& claim, const std::string& reason, Clock::time_point start) {
  Proved proved;
  const Finding finding = conclude(claim, FactBase(quantities(c, claim)));
  proved.report = claim_report(claim, finding, reason, seconds_since(start));
  proved.limited = finding.verdict == Verdict::undecided;
  return proved;
}

Proved proved(const Case& c, const Claim& claim, const Effort& effort) {
  const auto start = Clock::now();
  try {
    const ClaimProof proof = prove(c, claim, effort);
    return {claim_report(claim, conclude(claim, proof.script.facts()), proof.reason, seconds_since(start)),
            proof.script.steps(), proof.limited};
  } catch (const LimitError& e) {
    return nothing(c, claim, e.what(), start);
  } catch (const std::bad_alloc& e) {
    return nothing(c, claim, memory_text(e), start);
  }
}

// In a child process when there is a time limit.
Proved proved_within(const Case& c, const Claim& claim, const Effort& effort, double timeout) {
  if (timeout <= 0) return proved(c, claim, effort);
  const auto start = Clock::now();
  IsolatedTask task([&] { return json_text(proved(c, claim, effort).json()); });
  task.wait(timeout);
  using End = IsolatedTask::End;
  if (task.end() == End::timed_out)
    return nothing(c, claim, "the time limit of the claim was reached", start);
  if (task.end() == End::out_of_memory) return nothing(c, claim, task.result(), start);
  if (task.end() != End::finished)
    throw std::runtime_error("the process of the claim was ended by " + task.ending());
  const Json json = Json::parse(task.result());
  return {json["report"], json["steps"], json["limited"].get<bool>()};
}

// A certificate names its case, and JSON holds nothing but UTF-8.
void require_utf8(const fs::path& file) {
  try {
    (void)Json(file.string()).dump();
  } catch (const Json::exception&) {
    throw InputError(printable(file.string()), "", "has a name that is not UTF-8", "another name");
  }
}

}  // namespace

int worse(int a, int b) {
  static constexpr int kOrder[] = {kAsExpected, kUnexpected, kLimit, kBadInput};
  auto place = [](int s) { return std::find(std::begin(kOrder), std::end(kOrder), s); };
  return place(a) < place(b) ? b : a;
}

CaseOutcome not_run(const fs::path& file, int status, const std::string& error) {
  return {{{"path", file.generic_string()}, {"error", error}, {"claims", Json::array()}}, status, error, ""};
}

void limit_process(const CaseOptions& options) {
  limit_memory(options.memory);
  meter().limit_work(options.work);
}

ProvedCase prove_case(const Case& c, const fs::path& folder, const CaseOptions& options) {
  Effort effort;
  if (options.readout_limit != 0) effort.readout_examples = options.readout_limit;
  ProvedCase all;
  std::vector<ClaimSteps> steps;
  for (const Claim& claim : c.claims) {
    Proved result = proved_within(c, claim, effort, options.timeout);
    if (!result.report["as_expected"].get<bool>())
      all.status = worse(all.status, result.limited ? kLimit : kUnexpected);
    const Json& reason = result.report["reason"];
    steps.push_back({std::move(result.steps), reason.is_string() ? reason.get<std::string>() : ""});
    all.claims.push_back(std::move(result.report));
  }
  all.certificate = certificate(c, problem_digest(c), steps, folder);
  return all;
}

CaseOutcome run_case(const fs::path& file, const fs::path& certificate_file, const CaseOptions& options) {
  const auto start = Clock::now();
  CaseOutcome outcome;
  outcome.report = {{"path", file.generic_string()}, {"claims", Json::array()}};
  try {
    ReadOptions read;
    read.allow_outside = options.allow_outside;
    read.memory_limit = options.memory;
    require_utf8(file);
    const Case c = read_case(file, read);
    outcome.report["title"] = c.title;
    outcome.report["certificate"] = certificate_file.generic_string();
    ProvedCase proved =
        prove_case(c, certificate_file.has_parent_path() ? certificate_file.parent_path() : ".", options);
    outcome.status = proved.status;
    write_output(certificate_file, certificate_text(proved.certificate),
                 "a writable folder with room on the disk, or another one by --out");
    if (options.page) outcome.html = case_html(c, proved.certificate, proved.claims);
    outcome.report["claims"] = std::move(proved.claims);
  } catch (const InputError& e) {
    outcome.status = kBadInput;
    outcome.error = e.what();
  } catch (const LimitError& e) {
    outcome.status = kLimit;
    outcome.error = e.what();
  } catch (const std::bad_alloc& e) {
    outcome.status = kLimit;
    outcome.error = file.string() + ": " + memory_text(e);
  }
  outcome.report["seconds"] = seconds_since(start);
  if (!outcome.error.empty()) outcome.report["error"] = outcome.error;
  return outcome;
}

}  // namespace attest
