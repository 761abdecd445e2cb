// The certificate: its case, its digest, and one claim after the other.
#include "checker/check.hpp"

#include <future>
#include <iostream>
#include <iterator>

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "checker/certificate.hpp"
#include "checker/problem_file.hpp"

namespace attest::checker {
namespace {

Case problem_at(const std::filesystem::path& path) {
  if (path != "-")
    return read_problem(read_regular_file(path, path.string(), kMostCertificateBytes).view(), path.string());
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  return read_problem(bytes, path.string());
}

/// The certificate, with its own keys checked. Throws InputError for another format.
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
  object(json, "format attest case claims");
  string(json.at("attest"));
  object(json.at("case"), "path digest");
  string(json.at("case").at("path"));
  return json;
}

CheckReport check(const Problem& problem, const Json& certificate) {
  const std::vector<Claim>& claims = problem.source.claims;
  const std::string& digest = string(certificate.at("case").at("digest"));
  // Hashing is serial, so it has a thread of its own when there are several.
  const auto policy = threads() > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
  const auto hashed = std::async(policy, [&] { return problem.digest(); }).share();
  const auto ensure_digest = [&] {
    ENSURE(hashed.get() == digest, "the digest of the case, " + hashed.get(),
           digest + "; if the case has changed, run attest verify again");
  };
  if (threads() == 1) ensure_digest();
  CheckReport report;
  try {
    array(certificate.at("claims"), claims.size());
    Shared shared;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      report.push_back(located("claim " + count(claims[i].index) + " (" + claims[i].statement + "): ", [&] {
        return check_claim(certificate.at("claims").at(i), problem, claims[i], shared);
      }));
    }
  } catch (...) {  // of another case nothing else is said than that
    ensure_digest();
    throw;
  }
  ensure_digest();
  return report;
}

}  // namespace

CheckReport check(const Problem& problem, std::string_view bytes, const std::string& name) {
  return check(problem, read_certificate(bytes, name));
}

CheckedFile check_file(const std::filesystem::path& file, const CheckOptions& options) {
  const FileBytes bytes = read_regular_file(file, file.string(), kMostCertificateBytes);
  return check_file(file, bytes.view(), options);
}

CheckedFile check_file(const std::filesystem::path& file, std::string_view bytes,
                       const CheckOptions& options) {
  const Json certificate = read_certificate(bytes, file.string());
  const std::string& named = string(certificate.at("case").at("path"));
  std::filesystem::path path = named;
  ENSURE(!path.empty() && path.is_relative() && named.find('\0') == std::string::npos,
         "a relative path of the case", in_quotes(named));
  path = options.problem_path.value_or(options.case_path.value_or(file.parent_path() / path));
  const ReadOptions reading{
      .allow_outside = options.allow_outside, .memory_limit = options.memory_limit, .map_copies = true};
  CheckedFile result{options.problem_path ? problem_at(path) : read_case(path, reading), path.string(), {}};
  result.report = check(Problem(result.source), certificate);
  return result;
}

}  // namespace attest::checker
