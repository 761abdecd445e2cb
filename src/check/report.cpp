// What the checker prints: a verdict line for each claim, one for each certificate, and the command line.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <new>
#include <set>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "check/check_file.hpp"

namespace attest::kernel {
namespace {

/// In quotes that the text cannot close.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return '"' + text + '"';
}

/// A path, in quotes where it could pass for several words.
std::string path_text(const std::string& path) {
  const std::string text = path_line(path);
  return text.find_first_of(" \"") == std::string::npos ? text : quoted(text);
}

/// Each part is shortened by itself: neither a title nor a path nor a number of many digits passes for the
/// verdict or pushes it out of the line.
std::string claim_line(const CheckedFile& checked, const Claim& claim, const Finding& finding) {
  std::string line = path_text(checked.case_path) + "  " + quoted(one_line(checked.source.title, 200)) +
                     "  claim " + count(claim.index) + " " + claim.statement + " (" +
                     one_line(claimed_text(claim), 300) + "): " + verdict_text(finding);
  const std::string numbers = numbers_text(finding);
  if (!numbers.empty()) line += "; " + numbers;
  const std::string expected =
      std::string(verdict_name(claim.expect)) + (claim.expect_as_stated ? "-as-stated" : "");
  return line + (as_expected(claim, finding) ? "; as expected" : "; NOT AS EXPECTED: expected " + expected);
}

/// Prints the report; returns whether every verdict is the expected one.
bool print_report(const std::string& name, const CheckedFile& checked, const ReportOptions& options,
                  std::ostream& out) {
  bool all_expected = true;
  std::map<std::string, std::size_t> verdicts;
  for (std::size_t i = 0; i < checked.report.size(); ++i) {
    const Claim& claim = checked.source.claims[i];
    const Finding& finding = checked.report[i].finding;
    const bool expected = as_expected(claim, finding);
    all_expected = all_expected && expected;
    ++verdicts[verdict_text(finding)];
    if (!options.quiet || !expected) out << claim_line(checked, claim, finding) << "\n";
  }
  const std::size_t claims = checked.report.size();
  out << name << ": valid (" << claims << (claims == 1 ? " claim" : " claims");
  const char* separator = ": ";
  for (const auto& [verdict, number] : verdicts) {
    out << separator << number << " " << verdict;
    separator = ", ";
  }
  out << ")\n";
  return all_expected;
}

}  // namespace

int run_check(const std::vector<std::filesystem::path>& certificates, const ReportOptions& options,
              std::ostream& out, std::ostream& err) {
  std::set<int> statuses;
  for (const std::filesystem::path& file : certificates) {
    const std::string name = path_text(file.string()), prefix = file.string() + ": ";
    const auto fail = [&](int status, const char* kind, std::string what) {
      if (what.starts_with(prefix)) what.erase(0, prefix.size());
      out << name << ": " << kind << ": " << one_line(what, 600) << "\n";
      statuses.insert(status);
    };
    try {
      const CheckedFile checked = check_file(file, options);
      if (!print_report(name, checked, options, out) && !options.ignore_expectations) statuses.insert(1);
    } catch (const Failure& failure) {
      fail(1, "rejected", failure.what());
    } catch (const InputError& error) {
      fail(2, "bad input", error.what());
    } catch (const LimitError& error) {
      fail(3, "limit", error.what());
    } catch (const std::bad_alloc& error) {  // the meter's, which says what is needed
      fail(3, "limit", error.what());
    } catch (const std::exception& error) {
      fail(2, "internal error", error.what());
    }
  }
  if (!out.flush()) {
    err << "attest-check: the output cannot be written\n";
    return 2;
  }
  for (const int status : {2, 1, 3}) {
    if (statuses.count(status) != 0) return status;
  }
  return 0;
}

int check_main(int argc, char** argv) {
  CLI::App app{"Checks certificates of attest against their case files, in exact arithmetic of its own.",
               "attest-check"};
  app.set_version_flag("--version",
                       std::string("attest-check " ATTEST_VERSION ", certificates ") + kCertificateFormat);
  app.footer(
      "Exit status: 0 every certificate is valid and every verdict is the expected one, 1 one is rejected or "
      "a verdict is not the expected one, 2 wrong usage or bad input, 3 a limit was hit.");
  ReportOptions options;
  std::vector<std::filesystem::path> certificates;
  std::filesystem::path case_path, problem_path;
  std::string memory = "8G", work = "2T";
  std::size_t jobs = all_cores();
  app.add_option("CERT", certificates, "certificates (JSON)")->required();
  app.add_option("--case", case_path, "the case file, when it has moved (one certificate only)");
  app.add_option("--problem", problem_path,
                 "the case as scripts/normalize_case.py --problem writes it, - for standard input: no case "
                 "file is read (one certificate only)")
      ->excludes("--case");
  app.add_flag("--allow-outside", options.allow_outside, "arrays may lie outside the folder of the case");
  app.add_flag("--ignore-expectations", options.ignore_expectations,
               "exit status 0 for valid certificates whatever their verdicts");
  app.add_option("--memory", memory, "bytes that the run may use (K, M, G, T: powers of 1024)")
      ->capture_default_str();
  app.add_option("--work", work,
                 "operations on machine words that the run may use (K, M, G, T: powers of 1000)")
      ->capture_default_str();
  app.add_option("--jobs", jobs, "threads")->check(CLI::Range(1, 1024))->default_str("cores");
  app.add_flag("--quiet", options.quiet, "no lines for claims with the expected verdict");
  try {
    app.parse(argc, argv);
    for (const auto& [name, path, option] : {std::tuple("--case", &case_path, &options.case_path),
                                             {"--problem", &problem_path, &options.problem_path}}) {
      if (path->empty()) continue;
      if (certificates.size() != 1) throw CLI::ValidationError(name, "needs exactly one certificate");
      *option = *path;
    }
    options.memory_limit = parse_amount(memory, "--memory", 1024);
    meter().limit_work(parse_amount(work, "--work", 1000));
    use_threads(jobs);
    limit_memory(options.memory_limit);
    return run_check(certificates, options, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error, std::cout, std::cerr);
    std::cout.flush();
    return status == 0 && std::cout ? 0 : 2;
  } catch (const InputError& error) {
    std::cerr << error.what() << "\n";
    return 2;
  } catch (const std::bad_alloc& error) {  // not even enough for a message about a certificate
    std::cerr << "attest-check: " << error.what() << "\n";
    return 3;
  }
}

}  // namespace attest::kernel
