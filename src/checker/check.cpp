// The certificate: its case, its digest, and one claim after the other.
#include "checker/check.hpp"

#include "checker/certificate.hpp"
#include "checker/rules.hpp"
#include "input/errors.hpp"
#include "input/regular_file.hpp"
#include "input/text.hpp"

namespace attest::checker {
namespace {

constexpr const char* kFormat = "attest-certificate/2";

/// Adds the place to a Failure and to a LimitError.
template <class Check>
auto located(const std::string& place, Check check) {
  try {
    return check();
  } catch (const Failure& failure) {
    throw Rejection(place, failure.expected, failure.found);
  } catch (const LimitError& limit) {
    throw LimitError(place + limit.what());
  }
}

/// The certificate's own keys. Throws InputError for another format.
struct Certificate {
  Json json;
  std::string case_path, digest;
  const Json* claims = nullptr;

  Certificate(std::string_view bytes, const std::string& name) : json(parse_json(bytes, name)) {
    const auto format = json.is_object() ? json.find("format") : json.end();
    if (format == json.end() || !format->is_string()) {
      throw InputError(name, "", "not a certificate: no \"format\"",
                       std::string("\"format\": \"") + kFormat + "\"");
    }
    if (*format != kFormat) {
      throw InputError(name, "", "the format " + in_quotes(format->get<std::string>()) + " is not known",
                       std::string("this program checks ") + kFormat);
    }
    located("", [&] {
      Object object(json);
      string(object["format"]);
      string(object["attest"]);
      claims = &array(object["claims"]);
      Object named(object["case"]);
      case_path = string(named["path"]);
      digest = string(named["digest"]);
      named.done();
      object.done();
    });
  }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
};

ClaimReport check_claim(const Json& value, const Problem& problem, const Claim& claim) {
  const std::string place = "claim " + count(claim.index) + " (" + claim.statement + ")";
  ClaimReport report;
  const Json* steps = nullptr;
  located(place + ": ", [&] {
    Object object(value);
    const std::string& statement = string(object["statement"]);
    ENSURE(statement == claim.statement, "the statement " + claim.statement, in_quotes(statement));
    steps = &array(object["steps"]);
    if (const Json* reason = object.find("reason")) report.reason = string(*reason);
    object.done();
  });
  ClaimChecker checker(problem, claim);
  for (std::size_t i = 0; i < steps->size(); ++i) {
    const Json& step = (*steps)[i];
    const std::string rule = step.is_object() ? step.value("rule", Json()).dump() : "?";
    StepReport done;
    done.fact = located(place + ", step " + count(i) + " (" + one_line(rule, 40) + "): ",
                        [&] { return checker.check(step); });
    done.rule = step["rule"].get<std::string>();
    if (step.contains("label")) done.label = step["label"].get<std::string>();
    report.steps.push_back(std::move(done));
  }
  report.finding = located(place + ": ", [&] { return conclude(claim, checker.facts()); });
  return report;
}

CheckReport check(const Problem& problem, const Certificate& certificate) {
  const Case& source = problem.source;
  located("", [&] {
    ENSURE(problem.digest() == certificate.digest, "the digest of the case, " + problem.digest(),
           certificate.digest);
    array(*certificate.claims, source.claims.size());
  });
  CheckReport report;
  for (std::size_t i = 0; i < source.claims.size(); ++i)
    report.claims.push_back(check_claim((*certificate.claims)[i], problem, source.claims[i]));
  return report;
}

}  // namespace

Rejection::Rejection(const std::string& place, const std::string& expected, const std::string& found)
    : std::runtime_error(place + "expected " + one_line(expected) + ", found " + one_line(found)) {}

CheckReport check(const Problem& problem, std::string_view bytes, const std::string& name) {
  return check(problem, Certificate(bytes, name));
}

CheckReport check(const Case& source, std::string_view bytes, const std::string& name) {
  return check(Problem(source), bytes, name);
}

CheckedFile check_file(const std::filesystem::path& file, const CheckOptions& options) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;
  const FileBytes bytes = read_regular_file(file, file.string(), kMostBytes);
  return check_file(file, bytes.view(), options);
}

CheckedFile check_file(const std::filesystem::path& file, std::string_view bytes,
                       const CheckOptions& options) {
  const Certificate certificate(bytes, file.string());
  std::filesystem::path path = certificate.case_path;
  located("", [&] {
    ENSURE(!path.empty() && path.is_relative(), "a relative path of the case",
           in_quotes(certificate.case_path));
  });
  path = options.case_path.value_or(file.parent_path() / path);
  ReadOptions reading;
  reading.allow_outside = options.allow_outside;
  reading.memory_limit = options.memory_limit;
  reading.map_copies = true;
  CheckedFile result{read_case(path, reading), path.string(), {}};
  result.report = check(Problem(result.source), certificate);
  return result;
}

}  // namespace attest::checker
