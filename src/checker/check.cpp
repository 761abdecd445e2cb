// The certificate as a file: its case, its hashes, and one claim after the other.
#include "checker/check.hpp"

#include <chrono>

#include "checker/certificate_text.hpp"
#include "checker/layer.hpp"
#include "checker/statements.hpp"
#include "checker/steps.hpp"
#include "input/sha256.hpp"

namespace attest::checker {
namespace {

constexpr const char* kFormat = "attest-certificate/1";

void ensure_format(const Json& certificate, const std::string& name) {
  if (!certificate.is_object() || !certificate.contains("format") || !certificate["format"].is_string()) {
    throw InputError(name, "", "not a certificate: no \"format\"",
                     std::string("\"format\": \"") + kFormat + "\"");
  }
  const std::string format = certificate["format"].get<std::string>();
  if (format != kFormat) {
    throw InputError(name, "", "the format \"" + format.substr(0, 60) + "\" is not known",
                     std::string("this program checks ") + kFormat);
  }
}

/// Reads the case that the certificate names and ensures that it is the one that was certified.
Case read_certified_case(const Json& value, const std::filesystem::path& folder, const CheckPolicy& policy) {
  Object object(value);
  const std::string& path = string(object["path"]);
  const std::string& sha256 = string(object["sha256"]);
  const Json& arrays = array(object["arrays"]);
  object.done();
  ensure(!path.empty() && std::filesystem::path(path).is_relative(), "a relative path of the case",
         path.substr(0, 60));
  const std::filesystem::path file = policy.case_path.value_or(folder / path);
  // Before the case is parsed: a changed case is a rejection even when it is malformed.
  const std::string found = sha256_file(file);
  ensure(found == sha256, "a case file with SHA-256 " + sha256.substr(0, 64), found);
  ReadOptions options;
  options.allow_outside = policy.allow_outside;
  Case result = read_case(file, options);
  ensure(result.sha256 == sha256, "a case file with SHA-256 " + sha256.substr(0, 64), result.sha256);
  ensure(arrays.size() == result.arrays.size(), std::to_string(result.arrays.size()) + " array files",
         std::to_string(arrays.size()));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    Object entry(arrays[i]);
    const SourceFile& actual = result.arrays[i];
    ensure(string(entry["path"]) == actual.path, "the array file " + actual.path,
           string(entry["path"]).substr(0, 60));
    ensure(string(entry["sha256"]) == actual.sha256,
           actual.path + " with SHA-256 " + string(entry["sha256"]).substr(0, 64), actual.sha256);
    entry.done();
  }
  return result;
}

/// Adds the place to a Failure.
template <class Check>
auto located(std::optional<std::size_t> claim, const std::string& statement, std::optional<std::size_t> step,
             const std::string& argument, Check check) {
  try {
    return check();
  } catch (const Failure& failure) {
    throw Rejection(claim, statement, step, argument, failure.expected, failure.found);
  } catch (const LimitError& limit) {
    if (!claim) throw;
    throw LimitError("claim " + std::to_string(*claim) + " (" + statement + ")" +
                     (step ? ", step " + std::to_string(*step) + " (" + argument + ")" : "") + ": " +
                     limit.what());
  }
}

ClaimReport check_claim(const Json& value, const Problem& problem, const Claim& claim,
                        const CheckPolicy& policy) {
  ClaimReport report;
  report.statement = claim.statement;
  const auto in_claim = [&](auto check) {
    return located(claim.index, claim.statement, std::nullopt, "", check);
  };
  const Json* steps = nullptr;
  const Json* stated_result = nullptr;
  std::string stated_verdict;
  in_claim([&] {
    Object object(value);
    ensure(word(object["index"]) == claim.index, "index " + std::to_string(claim.index),
           object["index"].dump());
    ensure(string(object["statement"]) == claim.statement, "the statement " + claim.statement,
           string(object["statement"]).substr(0, 40));
    stated_verdict = string(object["verdict"]);
    stated_result = &object["result"];
    steps = &array(object["steps"]);
    if (const Json* reason = object.find("reason")) {
      string(*reason);
      ensure(stated_verdict == "undecided", "a reason only with the verdict undecided",
             stated_verdict.substr(0, 40));
    }
    object.done();
  });
  ClaimChecker checker(problem, claim, policy);
  for (std::size_t i = 0; i < steps->size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    StepReport step;
    step.argument = ClaimChecker::argument_of((*steps)[i]);
    step.note =
        located(claim.index, claim.statement, i, step.argument, [&] { return checker.check((*steps)[i]); });
    step.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.steps.push_back(std::move(step));
  }
  in_claim([&] {
    const Conclusion end = conclude(problem, claim, checker.facts());
    const nlohmann::json expected = end.result, found = *stated_result;  // without the order of keys
    ensure(expected == found, "result " + expected.dump(), found.dump());
    ensure(verdict_name(end.verdict) == stated_verdict, std::string("verdict ") + verdict_name(end.verdict),
           stated_verdict.substr(0, 40));
    report.verdict = end.verdict;
  });
  return report;
}

std::string rejection_text(std::optional<std::size_t> claim, const std::string& statement,
                           std::optional<std::size_t> step, const std::string& argument,
                           const std::string& expected, const std::string& found) {
  std::string text;
  if (claim) text += "claim " + std::to_string(*claim) + " (" + statement + ")";
  if (step) text += ", step " + std::to_string(*step) + " (" + argument + ")";
  return (text.empty() ? "" : text + ": ") + "expected " + expected + ", found " + found;
}

}  // namespace

Rejection::Rejection(std::optional<std::size_t> the_claim, std::string the_statement,
                     std::optional<std::size_t> the_step, std::string the_argument, std::string what_expected,
                     std::string what_found)
    : std::runtime_error(
          rejection_text(the_claim, the_statement, the_step, the_argument, what_expected, what_found)),
      claim(the_claim),
      statement(std::move(the_statement)),
      step(the_step),
      argument(std::move(the_argument)),
      expected(std::move(what_expected)),
      found(std::move(what_found)) {}

CheckReport check_certificate(const std::filesystem::path& file, const CheckPolicy& policy) {
  const Json certificate = read_json(file);
  ensure_format(certificate, file.string());
  const Json* claims = nullptr;
  const Case source = located(std::nullopt, "", std::nullopt, "", [&] {
    Object object(certificate);
    object["format"];
    string(object["attest"]);
    claims = &array(object["claims"]);
    const Json& named = object["case"];
    object.done();
    return read_certified_case(named, file.parent_path(), policy);
  });
  const Problem problem(source);
  CheckReport report;
  std::optional<LimitError> limit;  // a later claim may still be wrong, which is worth more
  located(std::nullopt, "", std::nullopt, "", [&] { array(*claims, source.claims.size()); });
  for (std::size_t i = 0; i < source.claims.size(); ++i) {
    try {
      report.claims.push_back(check_claim((*claims)[i], problem, source.claims[i], policy));
    } catch (const LimitError& error) {
      if (!limit) limit = error;
    }
  }
  if (limit) throw *limit;
  return report;
}

}  // namespace attest::checker
