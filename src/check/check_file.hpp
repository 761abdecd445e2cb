// The front end of the kernel: certificates and their cases as files, and what attest-check prints.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string_view>
#include <vector>

#include "kernel/check.hpp"
#include "readers/case_file.hpp"

namespace attest::kernel {

struct CheckOptions {
  std::optional<std::filesystem::path> case_path{};  ///< where the case is, when it has moved
  /// The case as a canonical problem (problem_file.hpp), "-" for standard input; then no case file is read.
  std::optional<std::filesystem::path> problem_path{};
  bool allow_outside = false;  ///< as in ReadOptions
  std::size_t memory_limit = ReadOptions().memory_limit;
};

/// A certificate file and its case.
struct CheckedFile {
  Case source;
  std::string case_path;  ///< as messages call it
  CheckReport report;
};
/// Reads the certificate and its case and checks it. Throws as `check`, and InputError for unreadable files
/// and bad cases.
CheckedFile check_file(const std::filesystem::path& certificate, const CheckOptions& options = {});
/// The same for the bytes of a certificate that lies there.
CheckedFile check_file(const std::filesystem::path& certificate, std::string_view bytes,
                       const CheckOptions& options);

/// How run_check reports.
struct ReportOptions : CheckOptions {
  bool ignore_expectations = false;
  bool verbose = false;  ///< a line for every claim, also of several certificates, with all numbers
  bool quiet = false;    ///< none for claims whose verdict is the expected one, nor for folders
  /// Seconds; then the process is ended, with status 3, and standard output says of which certificate it was.
  /// 0 for no limit.
  double timeout = 0;
};

/// The timeout of the programs unless they are told otherwise, and the longest.
constexpr double kUsualTimeout = 3600, kMostTimeout = 1e9;

/// Checks each certificate and prints what did not come out as expected, a line for each of several folders,
/// and the totals; of one certificate a line for each claim. Returns the exit
/// status of the worst: 0 all valid and every verdict as expected, 1 a certificate is rejected or a verdict
/// is not the expected one, 2 unreadable or malformed, 3 a limit was hit (where several differ: 2, then 1,
/// then 3). With a timeout `out` is standard output.
int run_check(const std::vector<std::filesystem::path>& certificates, const ReportOptions& options,
              std::ostream& out, std::ostream& err);

/// The options of the command line and run_check. Status 2 for wrong usage.
int check_main(int argc, char** argv);

}  // namespace attest::kernel
