#include "cli/verify.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "cli/isolated.hpp"
#include "cli/markup.hpp"
#include "cli/report.hpp"
#include "input/numbers.hpp"
#include "proofs/proof.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

struct Job {
  fs::path file, certificate;
};

// The case files below the given paths, with the certificates that they will have.
std::vector<Job> find_cases(const VerifyOptions& options) {
  std::vector<Job> jobs;
  for (const std::string& path : options.paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
      std::vector<fs::path> files;
      for (auto it = fs::recursive_directory_iterator(path, error);
           !error && it != fs::recursive_directory_iterator(); it.increment(error))
        // Whatever is not a folder: a dangling link is reported when it is read, not passed over.
        if (std::error_code ignored; it->path().extension() == ".toml" && !it->is_directory(ignored))
          files.push_back(it->path());
      if (error)
        throw InputError(path, "", "cannot be read (" + error.message() + ")",
                         "a readable folder of case files");
      if (files.empty())
        throw InputError(path, "", "there is no case file (*.toml) in this folder", "a folder of case files");
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files)
        jobs.push_back({file, fs::path(options.out) / fs::proximate(file, path).replace_extension(".json")});
    } else {
      jobs.push_back({path, fs::path(options.out) / fs::path(path).filename().replace_extension(".json")});
    }
  }
  std::map<fs::path, fs::path> owner;
  for (const Job& job : jobs) {
    const auto [it, fresh] = owner.emplace(job.certificate, job.file);
    if (!fresh && fs::weakly_canonical(it->second) != fs::weakly_canonical(job.file))
      throw InputError(
          job.file.string(), "",
          "its certificate " + job.certificate.string() + " is also that of " + it->second.string(),
          "different names, or one folder that holds both");
  }
  return jobs;
}

// A claim, in a child process when there is a time limit.
ClaimProof prove_within(const Case& c, const Claim& claim, const Effort& effort, double timeout) {
  auto limited = [](const std::string& reason) {
    ClaimProof proof;
    proof.reason = reason;
    proof.limited = true;
    return proof;
  };
  auto guarded = [&]() -> ClaimProof {
    try {
      return prove(c, claim, effort);
    } catch (const LimitError& e) {
      return limited(e.what());
    } catch (const std::bad_alloc&) {
      return limited("the memory limit was reached");
    }
  };
  if (timeout <= 0) return guarded();
  IsolatedTask task(
      [&] {
        const ClaimProof proof = guarded();
        return Json{{"verdict", static_cast<int>(proof.verdict)},
                    {"result", proof.result},
                    {"steps", proof.steps},
                    {"reason", proof.reason},
                    {"limited", proof.limited}}
            .dump();
      },
      0);
  task.wait(timeout);
  if (task.end() == IsolatedTask::End::timed_out) return limited("the time limit of the claim was reached");
  if (task.end() == IsolatedTask::End::crashed) return limited("the memory limit was reached");
  const Json json = Json::parse(task.result());
  ClaimProof proof;
  proof.verdict = static_cast<Verdict>(json["verdict"].get<int>());
  proof.result = json["result"];
  proof.steps = json["steps"];
  proof.reason = json["reason"].get<std::string>();
  proof.limited = json["limited"].get<bool>();
  return proof;
}

// A claim that was cut short still reports the interval that nothing narrows.
void complete_result(const Case& c, const Claim& claim, ClaimProof& proof) {
  if (proof.verdict != Verdict::undecided || !proof.result.empty() || !c.layer) return;
  const std::string& s = claim.statement;
  const Dimensions& dims = *c.layer;
  const std::size_t most = std::min(dims.examples, dims.embed_dim);
  if (s == "kruskal-rank" || s == "general-position" || s == "assumption-1")
    proof.result["kruskal_rank"] = to_json(Interval{0, most});
  if (s == "proposition-1" || s == "proposition-2" || s == "proposition-5" || s == "theorem-1" ||
      s == "affine-hull-bound" || s == "rank") {
    const std::size_t trivial = dims.heads * dims.embed_dim + 1;
    proof.result["bounds"] = bounds(c, trivial);
    if (s == "rank") proof.result["rank"] = to_json(Interval{0, affine_hull_bound(c, trivial)});
  }
}

std::string interval_text(const Json& interval, const std::string& name) {
  const std::string lower = interval.at("lower").dump(), upper = interval.at("upper").dump();
  return lower == upper ? name + " = " + lower : lower + " <= " + name + " <= " + upper;
}

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(2) << seconds << " s";
  return out.str();
}

void print_case(const CaseOutcome& outcome, std::ostream& out) {
  const Json& report = outcome.report;
  out << report["path"].get<std::string>();
  if (report.contains("title")) out << "  " << report["title"].get<std::string>();
  out << "\n";
  if (!outcome.error.empty()) out << "  not run: " << outcome.error << "\n";
  for (const Json& claim : report["claims"]) {
    std::string text =
        claim["reason"].is_string() ? claim["reason"].get<std::string>() : describe_result(claim);
    out << "  " << std::left << std::setw(20) << claim["statement"].get<std::string>() << std::setw(13)
        << claim["verdict"].get<std::string>() << text;
    if (!claim["as_expected"].get<bool>())
      out << "  UNEXPECTED: the case expects " << claim["expected"].get<std::string>();
    out << "\n";
  }
}

std::string junit(const std::vector<CaseOutcome>& outcomes) {
  std::ostringstream out;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attest\">\n";
  for (const CaseOutcome& outcome : outcomes) {
    const Json& report = outcome.report;
    std::size_t failures = 0;
    for (const Json& claim : report["claims"])
      if (!claim["as_expected"].get<bool>()) ++failures;
    const std::size_t errors = outcome.error.empty() ? 0 : 1;
    const std::string name = escaped(report["path"].get<std::string>());
    out << " <testsuite name=\"" << name << "\" tests=\"" << report["claims"].size() + errors
        << "\" failures=\"" << failures << "\" errors=\"" << errors << "\" time=\""
        << report.value("seconds", 0.0) << "\">\n";
    if (errors != 0)
      out << "  <testcase name=\"case\" classname=\"" << name << "\"><error message=\""
          << escaped(outcome.error) << "\"/></testcase>\n";
    for (std::size_t k = 0; k < report["claims"].size(); ++k) {
      const Json& claim = report["claims"][k];
      out << "  <testcase name=\"" << k << " " << escaped(claim["statement"].get<std::string>())
          << "\" classname=\"" << name << "\">";
      if (!claim["as_expected"].get<bool>())
        out << "<failure message=\""
            << escaped(claim["verdict"].get<std::string>() + " instead of " +
                       claim["expected"].get<std::string>())
            << "\"/>";
      out << "</testcase>\n";
    }
    out << " </testsuite>\n";
  }
  out << "</testsuites>\n";
  return out.str();
}

Json summary(const std::vector<CaseOutcome>& outcomes) {
  Json totals = {{"verified", 0}, {"refuted", 0}, {"inapplicable", 0}, {"undecided", 0}, {"unexpected", 0}};
  Json cases = Json::array();
  for (const CaseOutcome& outcome : outcomes) {
    for (const Json& claim : outcome.report["claims"]) {
      totals[claim["verdict"].get<std::string>()] =
          totals[claim["verdict"].get<std::string>()].get<int>() + 1;
      if (!claim["as_expected"].get<bool>()) totals["unexpected"] = totals["unexpected"].get<int>() + 1;
    }
    cases.push_back(outcome.report);
  }
  return {{"attest", ATTEST_VERSION}, {"cases", cases}, {"totals", totals}};
}

void write_output(const std::string& where, const std::string& text) {
  if (where == "-")
    std::cout << text;
  else if (!where.empty())
    write_atomically(where, text);
}

// Four digits of a rational, for display.
std::string short_decimal(const std::string& number) {
  std::ostringstream out;
  out << std::setprecision(4) << parse_number(number).get_d();
  return out.str();
}

}  // namespace

int worse(int a, int b) {
  static constexpr int kOrder[] = {kAsExpected, kUnexpected, kLimit, kBadInput};
  auto place = [](int s) { return std::find(std::begin(kOrder), std::end(kOrder), s); };
  return place(a) < place(b) ? b : a;
}

std::string describe_result(const Json& result) {
  std::vector<std::string> parts;
  if (result.contains("rank")) parts.push_back(interval_text(result.at("rank"), "rank(Z)"));
  if (result.contains("kruskal_rank"))
    parts.push_back(interval_text(result.at("kruskal_rank"), "Kruskal rank"));
  if (result.contains("ranks"))
    for (const auto& [name, rank] : result.at("ranks").items())
      parts.push_back("rank " + name + " = " + rank.dump());
  if (result.contains("encoding_rank")) parts.push_back("rank = " + result.at("encoding_rank").dump());
  if (result.contains("fits"))
    parts.push_back(result.at("fits").get<bool>() ? "a network fits" : "no network fits");
  if (result.contains("bounds"))
    parts.push_back("bounds: paper " + result.at("bounds").at("paper_lower").dump() + ", affine hull " +
                    result.at("bounds").at("affine_hull").dump());
  if (result.contains("parameters")) {
    const Json& p = result.at("parameters");
    parts.push_back(p.contains("layer")
                        ? p.at("memorized").dump() + " numbers by " + p.at("layer").dump() +
                              " parameters, which allow at most " + p.at("most_examples").dump() + " examples"
                        : p.at("network").dump() + " parameters of the network");
  }
  if (result.contains("unknown_up_to"))
    parts.push_back("rank kept by every lambda above " +
                    short_decimal(result.at("unknown_up_to").get<std::string>()));
  if (result.contains("sweep") && !result.at("sweep").empty()) {
    std::size_t full = 0, lost = 0;
    for (const Json& entry : result.at("sweep")) {
      full += entry.at("lower") >= result.at("rank").at("lower") ? 1 : 0;
      lost += entry.at("binary64") < entry.at("lower") ? 1 : 0;
    }
    parts.push_back("and by " + std::to_string(full) + " of " + std::to_string(result.at("sweep").size()) +
                    " lambdas tried, of which binary64 misses it at " + std::to_string(lost));
  }
  if (result.contains("tight")) parts.push_back(result.at("tight").get<bool>() ? "tight" : "not tight");
  if (result.contains("hypotheses"))
    for (const auto& [name, status] : result.at("hypotheses").items())
      if (status != "holds") parts.push_back(name + " " + status.get<std::string>());
  if (result.contains("conclusion") && result.at("conclusion") != "proved")
    parts.push_back("conclusion open");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

CaseOutcome run_case(const fs::path& file, const fs::path& certificate_file, const VerifyOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CaseOutcome outcome;
  outcome.report = {{"path", file.generic_string()}, {"claims", Json::array()}};
  try {
    ReadOptions read;
    read.allow_outside = options.allow_outside;
    read.memory_limit = static_cast<std::size_t>(options.memory_gib * (1ull << 30));
    const Case c = read_case(file, read);
    Effort effort;
    if (options.readout_limit != 0) effort.readout_examples = options.readout_limit;
    outcome.report["title"] = c.title;
    outcome.report["certificate"] = certificate_file.generic_string();
    std::vector<ClaimProof> proofs;
    Json claims = Json::array();
    for (const Claim& claim : c.claims) {
      ClaimProof proof = prove_within(c, claim, effort, options.timeout);
      complete_result(c, claim, proof);
      const bool as_expected = proof.verdict == claim.expect;
      Json entry = {{"statement", claim.statement},
                    {"verdict", verdict_name(proof.verdict)},
                    {"expected", verdict_name(claim.expect)},
                    {"as_expected", as_expected}};
      entry.update(proof.result);
      entry["reason"] = proof.verdict == Verdict::undecided ? Json(proof.reason) : Json();
      claims.push_back(std::move(entry));
      if (!as_expected) outcome.status = worse(outcome.status, proof.limited ? kLimit : kUnexpected);
      proofs.push_back(std::move(proof));
    }
    const Json written =
        certificate(c, proofs, certificate_file.has_parent_path() ? certificate_file.parent_path() : ".");
    write_atomically(certificate_file, certificate_text(written));
    outcome.report["claims"] = std::move(claims);
    if (!options.report.empty()) outcome.html = case_html(c, written, outcome.report["claims"]);
  } catch (const InputError& e) {
    outcome.status = kBadInput;
    outcome.error = e.what();
  } catch (const LimitError& e) {
    outcome.status = kLimit;
    outcome.error = e.what();
  } catch (const std::bad_alloc&) {
    outcome.status = kLimit;
    outcome.error = file.string() + ": the memory limit was reached; --memory raises it";
  }
  outcome.report["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!outcome.error.empty()) outcome.report["error"] = outcome.error;
  return outcome;
}

int verify(const VerifyOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Job> jobs = find_cases(options);
  std::vector<CaseOutcome> outcomes(jobs.size());
  std::map<pid_t, std::pair<std::size_t, std::unique_ptr<IsolatedTask>>> running;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  std::size_t next = 0, done = 0;
  while (done < jobs.size()) {
    while (next < jobs.size() && running.size() < std::max(1u, options.jobs)) {
      const Job& job = jobs[next];
      // Room beyond the limit on data, for the libraries and their threads.
      const auto memory = static_cast<std::size_t>((options.memory_gib + 4) * (1ull << 30));
      auto task = std::make_unique<IsolatedTask>(
          [&] {
            const CaseOutcome outcome = run_case(job.file, job.certificate, options);
            return Json{{"report", outcome.report},
                        {"status", outcome.status},
                        {"error", outcome.error},
                        {"html", outcome.html}}
                .dump();
          },
          memory);
      const pid_t pid = task->pid();
      running.emplace(pid, std::make_pair(next++, std::move(task)));
    }
    int wait_status = 0;
    const pid_t pid = ::waitpid(-1, &wait_status, 0);
    const auto it = running.find(pid);
    if (it == running.end()) continue;
    auto& [index, task] = it->second;
    task->reaped(wait_status);
    CaseOutcome& outcome = outcomes[index];
    if (task->end() == IsolatedTask::End::finished) {
      const Json json = Json::parse(task->result());
      outcome = {json["report"], json["status"].get<int>(), json["error"].get<std::string>(),
                 json["html"].get<std::string>()};
    } else {
      outcome.status = kLimit;
      outcome.error = jobs[index].file.string() + ": the process was ended by " + task->ending() +
                      "; for want of memory (--memory raises the limit), or by a defect of attest";
      outcome.report = {
          {"path", jobs[index].file.generic_string()}, {"error", outcome.error}, {"claims", Json::array()}};
    }
    running.erase(it);
    ++done;
    if (terminal) std::cerr << "\r" << done << " of " << jobs.size() << " cases" << std::flush;
  }
  if (terminal) std::cerr << "\r\033[K";

  int status = kAsExpected;
  // Standard output is the JSON's when it was asked for there.
  std::ostringstream table;
  std::size_t not_run = 0;
  for (const CaseOutcome& outcome : outcomes) {
    if (!outcome.error.empty()) ++not_run;
    status = worse(status, outcome.status);
    if (!outcome.error.empty()) std::cerr << outcome.error << "\n";
    print_case(outcome, table);
  }
  const Json all = summary(outcomes);
  const Json& totals = all["totals"];
  table << jobs.size() << (jobs.size() == 1 ? " case: " : " cases: ") << totals["verified"] << " verified, "
        << totals["refuted"] << " refuted, " << totals["inapplicable"] << " inapplicable, "
        << totals["undecided"] << " undecided; " << totals["unexpected"] << " unexpected; "
        << (not_run == 0 ? "" : std::to_string(not_run) + " not run; ")
        << seconds_text(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count())
        << "\n";
  if (options.json != "-" && options.junit != "-") std::cout << table.str();
  write_output(options.json, all.dump(1) + "\n");
  write_output(options.junit, junit(outcomes));
  if (!options.report.empty()) write_atomically(options.report, report_page(outcomes, totals));
  return status;
}

}  // namespace attest
