#include "check/check_file.hpp"

#include <iostream>
#include <iterator>

#include "base/errors.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "kernel/problem_file.hpp"

namespace attest::kernel {
namespace {

Case problem_at(const std::filesystem::path& path) {
  if (path != "-")
    return read_problem(read_regular_file(path, path.string(), kMostCertificateBytes).view(), path.string());
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  return read_problem(bytes, path.string());
}

}  // namespace

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
  result.report = check_claims(Problem(result.source), certificate);
  return result;
}

}  // namespace attest::kernel
