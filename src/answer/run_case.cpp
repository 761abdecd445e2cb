#include "answer/run_case.hpp"

#include <sys/time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <optional>

#include "answer/figures.hpp"
#include "answer/results.hpp"
#include "base/isolated.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "problem/digest.hpp"
#include "proofs/kruskal_rank.hpp"
#include "proofs/proof.hpp"
#include "words/claim_result.hpp"
#include "words/explained.hpp"
#include "words/markup.hpp"
#include "words/proved_facts.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

struct Proved {
  Json report, steps = Json::array();
  bool limited = false;  // undecided because a limit was hit
  bool cut_off = false;  // a limit was hit

  /// Without the steps.
  Json json() const { return {{"report", report}, {"limited", limited}, {"cut_off", cut_off}}; }
};

// A claim of which these steps were proved until a limit was hit.
Proved until_limit(const Case& c, const Claim& claim, Json steps, const std::string& reason,
                   Clock::time_point start) {
  Proved proved;
  const kernel::NumberedSteps all = kernel::all_steps(steps);
  const FactBase facts = facts_of(c, claim, all);
  const bool open = conclude(claim, facts).verdict == Verdict::undecided;
  proved.report = claim_report(c, claim, facts, all, open ? reason : "", seconds_since(start));
  proved.steps = std::move(steps);
  proved.limited = open;
  proved.cut_off = true;
  return proved;
}

// [{"index", "lower", "upper"}, ...], the index from 0: enclosures as binary64 numbers, rounded outwards.
Json singular_values_report(const std::vector<SingularValue>& values) {
  Json result = Json::array();
  for (const SingularValue& value : values) {
    // mpq_get_d rounds down.
    const double upper = std::nextafter(value.upper.get_d(), std::numeric_limits<double>::infinity());
    result.push_back({{"index", value.index}, {"lower", value.lower.get_d()}, {"upper", upper}});
  }
  return result;
}

// {"size", "samples", "seed", "independent", "dependent", "open", "dependent_share": {"lower", "upper"}}.
Json sampled_report(const SampledSubsets& sampled) {
  const Share& share = sampled.dependent_share;  // multiples of 2^-20
  return {{"size", sampled.size},
          {"samples", sampled.samples},
          {"seed", sampled.seed},
          {"independent", sampled.independent},
          {"dependent", sampled.dependent},
          {"open", sampled.open},
          {"dependent_share", {{"lower", share.lower.get_d()}, {"upper", share.upper.get_d()}}}};
}

Proved proved(const Case& c, const Claim& claim, const Effort& effort) {
  const auto start = Clock::now();
  try {
    const ClaimProof proof = prove(c, claim, effort);
    Proved result{claim_report(c, claim, proof.script.facts(), kernel::all_steps(proof.script.steps()),
                               proof.reason, seconds_since(start)),
                  proof.script.steps(), proof.limited, proof.cut_off};
    if (!proof.singular_values.empty())
      result.report["singular_values"] = singular_values_report(proof.singular_values);
    if (proof.sampled) result.report["sampled"] = sampled_report(*proof.sampled);
    return result;
  } catch (const LimitError& e) {
    return until_limit(c, claim, Json::array(), e.what(), start);
  } catch (const std::bad_alloc& e) {
    return until_limit(c, claim, Json::array(), memory_text(e), start);
  }
}

// In a child process when there is a time limit. It leaves a line for each step as soon as that is proved.
Proved proved_within(const Case& c, const Claim& claim, const Effort& effort, double timeout) {
  if (timeout <= 0) return proved(c, claim, effort);
  const auto start = Clock::now();
  IsolatedTask task([&] {
    try {
      Effort telling = effort;
      telling.told = [](const Json& step) { leave(json_text(step) + "\n"); };
      return json_text(proved(c, claim, telling).json());
    } catch (const Contradiction& e) {  // to be thrown again outside
      return json_text({{"contradiction", e.what()}});
    }
  });
  task.wait(timeout);
  using End = IsolatedTask::End;
  Json steps = Json::array();
  std::string last = task.output();
  std::size_t at = 0;
  for (std::size_t end = 0; (end = last.find('\n', at)) != std::string::npos; at = end + 1) {
    Json step = Json::parse(last.begin() + static_cast<long>(at), last.begin() + static_cast<long>(end));
    // Of what comes early the same or more comes later, unless a limit is hit.
    if (step.erase("early") == 0 || task.end() != IsolatedTask::End::finished)
      steps.push_back(std::move(step));
  }
  last.erase(0, at);
  if (task.end() == End::timed_out) last = "the time limit of the claim was reached";
  if (task.end() == End::timed_out || task.end() == End::out_of_memory)
    return until_limit(c, claim, std::move(steps), last, start);
  if (task.end() != End::finished)
    throw std::runtime_error("the process of the claim was ended by " +
                             (task.end() == End::threw ? "an error (" + last + ")" : task.ending()));
  const Json json = Json::parse(last);
  if (json.contains("contradiction")) throw Contradiction(json["contradiction"].get<std::string>());
  return {json["report"], std::move(steps), json["limited"].get<bool>(), json["cut_off"].get<bool>()};
}

// In this process, which a time limit ends soon: what takes longer gets a process of its own.
Proved proved_soon(const Case& c, const Claim& claim, const Effort& effort, double timeout) {
  constexpr double kSoon = 0.1;
  struct Alarm {
    explicit Alarm(double seconds) { set(seconds); }
    ~Alarm() { set(0); }
    static void set(double seconds) {
      itimerval timer{};
      timer.it_value.tv_usec = static_cast<suseconds_t>(std::ceil(1e6 * seconds));
      ::setitimer(ITIMER_REAL, &timer, nullptr);
    }
  };
  if (timeout <= 0) return proved(c, claim, effort);
  const Alarm alarm(std::min(timeout, kSoon));
  return proved(c, claim, effort);
}

// An answer of the kernel, which only a clock can end: in a child process when there is a time limit.
Json answer_within(double seconds, const std::string& what, const std::function<Json()>& answer) {
  if (seconds <= 0) return answer();
  IsolatedTask task([&] {
    try {
      return json_text({{"answer", answer()}});
    } catch (const LimitError& e) {
      return json_text({{"limit", e.what()}});
    }
  });
  task.wait(seconds);
  using End = IsolatedTask::End;
  if (task.end() == End::timed_out) throw LimitError(what + ": the time limit of its check was reached");
  if (task.end() == End::out_of_memory) throw LimitError(what + ": " + task.result());
  if (task.end() != End::finished)
    throw std::runtime_error("the process that checks " + what + " was ended by " + task.ending());
  Json json = Json::parse(task.result());
  if (json.contains("limit")) throw LimitError(json["limit"].get<std::string>());
  return std::move(json["answer"]);
}

}  // namespace

std::optional<ProvedCase> still_valid(const Case& c, const fs::path& file, const CaseOptions& options) {
  try {
    const auto start = Clock::now();
    const FileBytes bytes = read_regular_file(file, file.string(), options.memory);
    const double limit = options.timeout * static_cast<double>(c.claims.size());
    const Json found = answer_within(limit, file.string(), [&] {
      const kernel::CheckReport report = kernel::check(kernel::Problem(c), bytes.view());
      Json claims = Json::array();
      for (std::size_t k = 0; k < report.size(); ++k)
        claims.push_back({{"decided", report[k].finding.verdict != Verdict::undecided},
                          {"as_expected", as_expected(c.claims[k], report[k].finding)},
                          {"reason", report[k].reason}});
      return claims;
    });
    const double seconds = seconds_since(start) / static_cast<double>(c.claims.size());  // each claim's share
    ProvedCase all;
    all.certificate = Json::parse(bytes.view());
    if (all.certificate["case"] != certificate(c, problem_digest(c), {}, folder_of(file))["case"]) return {};
    for (std::size_t k = 0; k < c.claims.size(); ++k) {
      if (!found[k]["decided"].get<bool>()) return {};
      const kernel::NumberedSteps steps = steps_of(all.certificate, k);
      all.claims.push_back(claim_report(c, c.claims[k], facts_of(c, c.claims[k], steps), steps,
                                        found[k]["reason"].get<std::string>(), seconds));
      if (options.check) all.claims.back()["checked"] = true;
      if (!found[k]["as_expected"].get<bool>()) all.status = kUnexpected;
    }
    return all;
  } catch (const std::exception&) {  // whatever is wrong with it: the case is proved again
    return {};
  }
}

namespace {

// A certificate names its case, and JSON holds nothing but UTF-8.
void require_utf8(const fs::path& file) {
  try {
    (void)Json(file.string()).dump();
  } catch (const Json::exception&) {
    throw InputError(printable(file.string()), "", "has a name that is not UTF-8", "another name");
  }
}

}  // namespace

void mark_checked(Json& claims, const std::string& name, double timeout,
                  const std::function<kernel::CheckReport()>& check) {
  const auto reject = [&](const std::string& why) {
    throw Rejected(name + ": rejected by the checker: " + one_line(why, 600));
  };
  const double limit = timeout * static_cast<double>(claims.size());
  const Json found = answer_within(limit, name, [&]() -> Json {  // the verdicts, or why it is rejected
    try {
      Json verdicts = Json::array();
      for (const kernel::ClaimReport& claim : check())
        verdicts.push_back(verdict_name(claim.finding.verdict));
      return verdicts;
    } catch (const Failure& e) {
      return e.what();
    } catch (const InputError& e) {
      return e.about(name);
    }
  });
  if (found.is_string()) reject(found.get<std::string>());
  for (std::size_t k = 0; k < claims.size(); ++k) {
    if (claims[k]["verdict"] != found.at(k))
      reject("claim " + std::to_string(k) + " is " + found[k].get<std::string>() + ", not " +
             claims[k]["verdict"].get<std::string>());
    claims[k]["checked"] = true;
  }
}

void limit_process(const CaseOptions& options) {
  limit_memory(options.memory);
  meter().limit_work(options.work);
}

namespace {

using ProveClaim = Proved (*)(const Case&, const Claim&, const Effort&, double timeout);

// Without a certificate when a limit was hit and `only_unlimited`.
ProvedCase prove_claims(const Case& c, const std::function<std::string()>& digest, const fs::path& folder,
                        const CaseOptions& options, ProveClaim prove_claim, bool only_unlimited) {
  Effort effort;
  if (options.readout_limit != 0) effort.readout_examples = options.readout_limit;
  effort.samples = options.samples;
  effort.seed = options.seed;
  effort.guess = options.guess;
  effort.searches = std::make_shared<VectorSearches>();
  ProvedCase all;
  std::vector<ClaimSteps> steps;
  std::vector<bool> limited;
  for (const Claim& claim : c.claims) {
    Proved result = prove_claim(c, claim, effort, options.timeout);
    limited.push_back(result.limited);
    all.cut_off = all.cut_off || result.cut_off;
    all.limited = all.limited || result.limited || result.cut_off;
    if (only_unlimited && all.cut_off) return all;
    const Json& reason = result.report["reason"];
    steps.push_back({std::move(result.steps), reason.is_string() ? reason.get<std::string>() : ""});
    all.claims.push_back(std::move(result.report));
  }
  meter().limit_work(0);  // what was proved is written down, whatever that takes
  all.certificate = certificate(c, digest(), std::move(steps), folder);
  for (const std::size_t k : share_facts(c, all.certificate)) {
    Json& claim = all.certificate["claims"][k];
    const kernel::NumberedSteps all_steps = steps_of(all.certificate, k);
    const FactBase facts = facts_of(c, c.claims[k], all_steps);
    if (conclude(c.claims[k], facts).verdict != Verdict::undecided) claim.erase("reason");
    all.claims[k].update(claim_report(c, c.claims[k], facts, all_steps, claim.value("reason", ""),
                                      all.claims[k]["seconds"].get<double>()));
  }
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    if (all.claims[k]["as_expected"].get<bool>()) continue;
    const bool open = all.claims[k]["verdict"] == "undecided";
    all.status = worse(all.status, limited[k] && open ? kLimit : kUnexpected);
  }
  meter().limit_work(options.work);
  return all;
}

Json explained_case(const Case& c, const ProvedCase& proved, bool figures) {
  Json words = explained(c, proved.certificate, proved.claims);
  // Figures are of what enters the layer, which no array holds behind other layers.
  if (!figures || !c.stack.empty()) return words;
  if (Json figure = saturation_figure(c); !figure.is_null()) words["figures"] = {std::move(figure)};
  for (std::size_t k = 0; k < c.claims.size(); ++k)
    words["claims"][k]["figures"] = claim_figures(c, c.claims[k], steps_of(proved.certificate, k));
  return words;
}

// Nothing is written when a limit was hit and `only_unlimited`.
CaseOutcome run(const fs::path& file, const fs::path& certificate_file, const CaseOptions& options,
                ProveClaim prove_claim, bool only_unlimited) {
  const auto start = Clock::now();
  CaseOutcome outcome;
  outcome.report = {{"path", file.generic_string()}, {"claims", Json::array()}};
  try {
    require_utf8(file);
    Case c = read_case(file, ReadOptions{.allow_outside = options.allow_outside,
                                         .memory_limit = options.memory,
                                         .map_copies = options.changed});  // the checker has a say
    outcome.report["title"] = c.title;
    const auto& names = options.select;
    std::erase_if(c.claims, [&](const Claim& claim) {
      return !names.empty() && std::find(names.begin(), names.end(), claim.name) == names.end();
    });
    if (c.claims.empty()) return outcome;
    const bool write = names.empty();
    if (write) outcome.report["certificate"] = certificate_file.generic_string();
    outcome.digest = problem_digest(c);
    std::optional<ProvedCase> proved;
    if (options.changed) proved = still_valid(c, certificate_file, options);
    if (proved) {
      outcome.report["unchanged"] = true;
      outcome.certificate = certificate_text(proved->certificate);
    } else {
      proved = prove_claims(
          c, [&] { return outcome.digest; }, folder_of(certificate_file), options, prove_claim,
          only_unlimited);
      outcome.limited = proved->limited;
      outcome.cut_off = proved->cut_off;
      if (only_unlimited && proved->cut_off) return outcome;
      outcome.certificate = certificate_text(proved->certificate);
      if (write) write_output(certificate_file, outcome.certificate, kWritable, Sync::later);
    }
    outcome.status = proved->status;
    if (options.check && !outcome.report.contains("unchanged")) {
      mark_checked(proved->claims, certificate_file.string(), options.timeout, [&] {
        return kernel::check_file(certificate_file,
                                  {.allow_outside = options.allow_outside, .memory_limit = options.memory})
            .report;
      });
    }
    if (options.explain) outcome.explained = explained_case(c, *proved, options.figures);
    outcome.report["claims"] = std::move(proved->claims);
  } catch (const InputError& e) {
    outcome.status = kBadInput;
    outcome.error = e.what();
  } catch (const LimitError& e) {
    outcome.status = kLimit;
    outcome.limited = outcome.cut_off = true;
    outcome.error = e.what();
  } catch (const Rejected& e) {
    outcome.status = kUnexpected;
    outcome.error = e.what();
  } catch (const Contradiction& e) {
    outcome.status = kBadInput;
    outcome.error = e.what();
  } catch (const std::bad_alloc& e) {
    outcome.status = kLimit;
    outcome.limited = outcome.cut_off = true;
    outcome.error = file.string() + ": " + memory_text(e);
  }
  outcome.report["seconds"] = seconds_since(start);
  if (!outcome.error.empty()) outcome.report["error"] = outcome.error;
  return outcome;
}

}  // namespace

ProvedCase prove_case(const Case& c, const fs::path& folder, const CaseOptions& options) {
  // Hashing is serial, so it has a thread of its own; not when the order of what is done shows in the result,
  // nor beside a fork.
  const bool beside = threads() > 1 && options.work == 0 && options.timeout <= 0;
  auto digest = std::async(beside ? std::launch::async | std::launch::deferred : std::launch::deferred, [&] {
                  return problem_digest(c);
                }).share();
  if (!beside) digest.wait();
  return prove_claims(
      c, [&] { return digest.get(); }, folder, options, proved_within, false);
}

CaseOutcome run_case(const fs::path& file, const fs::path& certificate, const CaseOptions& options) {
  return run(file, certificate, options, proved_within, false);
}

std::optional<CaseOutcome> run_small_case(const fs::path& file, const fs::path& certificate,
                                          const CaseOptions& options) {
  limit_process(options);
  CaseOutcome outcome = run(file, certificate, options, proved_soon, true);
  if (outcome.cut_off) return std::nullopt;
  return outcome;
}

}  // namespace attest
