#include "kernel/check.hpp"

#include <algorithm>
#include <future>

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "problem/digest.hpp"

namespace attest::kernel {

/// Checks the certificate's object for a claim, and its steps, which it names among all. A Failure when it is
/// not well-formed, or a step does not prove its fact. `found` is of this problem; `named` gets the steps.
static ClaimReport check_claim(const Json& value, const Json& all, const Problem& problem, const Claim& claim,
                               const std::shared_ptr<Found>& found, std::vector<bool>& named) {
  object(value, "statement steps reason?");
  const std::string& statement = string(value.at("statement"));
  ENSURE(statement == claim.statement, "the statement " + claim.statement, in_quotes(statement));
  const NumberedSteps steps = named_steps(value.at("steps"), all);
  for (const NumberedStep& step : steps) named[step.number] = true;
  const auto report = [&](Proof& proof) -> ClaimReport {
    proof.check_all(steps);
    ClaimReport result{
        conclude(claim, proof.facts()), {}, value.contains("reason") ? string(value.at("reason")) : ""};
    for (const auto& [number, fact] : proof.proved()) result.facts.push_back(fact);
    return result;
  };
  if (own_problem(problem.source, claim)) {
    CaseProof other(problem.source, &claim);
    return report(other.proof);
  }
  Proof proof(problem, claim, found);
  return report(proof);
}

Json read_certificate(std::string_view bytes, const std::string& name) {
  Json json = parse_json(bytes, name);
  const Json format = json.is_object() && json.contains("format") ? json.at("format") : Json();
  if (format != kCertificateFormat) {
    throw InputError(name, "",
                     format.is_string()
                         ? "the format " + in_quotes(format.get<std::string>()) + " is not known"
                         : "not a certificate: no \"format\"",
                     std::string("this program checks ") + kCertificateFormat + "; run attest verify again");
  }
  object(json, "format attest case steps claims");
  string(json.at("attest"));
  object(json.at("case"), "path digest");
  string(json.at("case").at("path"));
  return json;
}

CheckReport check_claims(const Problem& problem, const Json& certificate) {
  const std::vector<Claim>& claims = problem.source.claims;
  const std::string& digest = string(certificate.at("case").at("digest"));
  // Hashing is serial, so it has a thread of its own when there are several.
  const auto policy = threads() > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
  const auto hashed = std::async(policy, [&] { return problem_digest(problem.source); }).share();
  const auto ensure_digest = [&] {
    ENSURE(hashed.get() == digest, "the digest of the case, " + hashed.get(),
           digest + "; if the case has changed, run attest verify again");
  };
  if (threads() == 1) ensure_digest();
  CheckReport report;
  try {
    array(certificate.at("claims"), claims.size());
    const Json& steps = array(certificate.at("steps"));
    std::vector<bool> named(steps.size());
    const auto found = std::make_shared<Found>();
    for (std::size_t i = 0; i < claims.size(); ++i) {
      report.push_back(located("claim " + count(claims[i].index) + " (" + claims[i].statement + "): ", [&] {
        return check_claim(certificate.at("claims").at(i), steps, problem, claims[i], found, named);
      }));
    }
    const auto unnamed = std::ranges::find(named, false);
    ENSURE(unnamed == named.end(), "a claim that names each step",
           "none for step " + count(static_cast<std::size_t>(unnamed - named.begin())));
  } catch (...) {  // of another case nothing else is said than that
    ensure_digest();
    throw;
  }
  ensure_digest();
  return report;
}

CheckReport check(const Problem& problem, std::string_view bytes, const std::string& name) {
  return check_claims(problem, read_certificate(bytes, name));
}

}  // namespace attest::kernel
