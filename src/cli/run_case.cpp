#include "cli/run_case.hpp"

#include <algorithm>
#include <chrono>

#include "certificate/output.hpp"
#include "cli/isolated.hpp"
#include "cli/markup.hpp"
#include "cli/report.hpp"
#include "cli/results.hpp"
#include "proofs/proof.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

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
  if (task.end() == IsolatedTask::End::out_of_memory) return limited("the memory limit was reached");
  if (task.end() != IsolatedTask::End::finished)
    throw std::runtime_error("the process of the claim was ended by " + task.ending());
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

CaseOutcome run_case(const fs::path& file, const fs::path& certificate_file, const CaseOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CaseOutcome outcome;
  outcome.report = {{"path", file.generic_string()}, {"claims", Json::array()}};
  try {
    ReadOptions read;
    read.allow_outside = options.allow_outside;
    read.memory_limit = static_cast<std::size_t>(options.memory_gib * (1ull << 30));
    require_utf8(file);
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
    write_output(certificate_file, certificate_text(written),
                 "a writable folder with room on the disk, or another one by --out");
    outcome.report["claims"] = std::move(claims);
    if (options.page) outcome.html = case_html(c, written, outcome.report["claims"]);
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

}  // namespace attest
