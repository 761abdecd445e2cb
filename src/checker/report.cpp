// What the checker prints: a verdict line for each claim, one for each certificate, and the command line.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <new>

#include "checker/check.hpp"
#include "checker/failure.hpp"
#include "input/errors.hpp"
#include "input/meter.hpp"
#include "input/text.hpp"

namespace attest::checker {
namespace {

std::string summary(const CheckReport& report) {
  std::map<std::string, std::size_t> counts;
  for (const ClaimReport& claim : report.claims) ++counts[verdict_text(claim.finding)];
  std::string text = count(report.claims.size()) + (report.claims.size() == 1 ? " claim" : " claims");
  const char* separator = ": ";
  for (const auto& [verdict, number] : counts) {
    text += separator + count(number) + " " + verdict;
    separator = ", ";
  }
  return text;
}

/// What the case says comes in quotes that it cannot close, and each part is shortened by itself: neither a
/// title nor a name nor a number of many digits passes for the verdict or pushes it out of the line.
std::string claim_line(const CheckedFile& checked, const Claim& claim, const Finding& finding) {
  std::string title = one_line(checked.source.title, 200);
  for (std::size_t at = 0; (at = title.find('"', at)) != std::string::npos; at += 2) title.insert(at, "\\");
  std::string line = one_line(checked.case_path, 600) + "  \"" + title + "\"  claim " + count(claim.index) +
                     " " + claim.statement + " (" + one_line(claimed_text(claim), 300) +
                     "): " + verdict_text(finding);
  const std::string numbers = numbers_text(finding);
  if (!numbers.empty()) line += "; " + numbers;
  const std::string expected =
      std::string(verdict_name(claim.expect)) + (claim.expect_as_stated ? "-as-stated" : "");
  return line + (as_expected(claim, finding) ? "; as expected" : "; NOT AS EXPECTED: expected " + expected);
}

/// Prints the report; returns whether every verdict is the expected one.
bool print_report(const std::string& name, const CheckedFile& checked, const ReportOptions& options,
                  std::ostream& out) {
  bool expected = true;
  for (std::size_t i = 0; i < checked.report.claims.size(); ++i) {
    const Claim& claim = checked.source.claims[i];
    const Finding& finding = checked.report.claims[i].finding;
    const bool as = as_expected(claim, finding);
    expected = expected && as;
    if (!options.quiet || !as) out << claim_line(checked, claim, finding) << "\n";
  }
  out << name << ": valid (" << summary(checked.report) << ")\n";
  return expected;
}

}  // namespace

int run_check(const std::vector<std::filesystem::path>& certificates, const ReportOptions& options,
              std::ostream& out, std::ostream& err) {
  int worst = 0;
  const auto worsen = [&](int status) {
    const auto weight = [](int s) { return s == 2 ? 3 : s == 1 ? 2 : s == 3 ? 1 : 0; };
    if (weight(status) > weight(worst)) worst = status;
  };
  const auto fail = [&](int status, const std::filesystem::path& file, const char* kind, std::string what) {
    const std::string name = file.string() + ": ";
    if (what.starts_with(name)) what.erase(0, name.size());
    out << one_line(file.string(), 600) << ": " << kind << ": " << one_line(what, 600) << "\n";
    worsen(status);
  };
  for (const std::filesystem::path& file : certificates) {
    try {
      const CheckedFile checked = check_file(file, options);
      if (!print_report(one_line(file.string(), 600), checked, options, out) && !options.ignore_expectations)
        worsen(1);
    } catch (const Rejection& rejection) {
      fail(1, file, "rejected", rejection.what());
    } catch (const InputError& error) {
      fail(2, file, "bad input", error.what());
    } catch (const LimitError& error) {
      fail(3, file, "limit", error.what());
    } catch (const std::bad_alloc& error) {  // the meter's, which says what is needed
      fail(3, file, "limit", error.what());
    } catch (const std::exception& error) {
      fail(2, file, "internal error", error.what());
    }
  }
  out.flush();
  if (!out) {
    err << "attest-check: the output cannot be written\n";
    return 2;
  }
  return worst;
}

int check_main(int argc, char** argv) {
  CLI::App app{"Checks certificates of attest against their case files, in exact arithmetic of its own.",
               "attest-check"};
  app.set_version_flag("--version", "attest-check " ATTEST_VERSION ", certificates attest-certificate/2");
  app.footer(
      "Exit status: 0 every certificate is valid and every verdict is the expected one, 1 one is rejected or "
      "a "
      "verdict is not the expected one, 2 wrong usage or bad input, 3 a limit was hit.");
  ReportOptions options;
  std::vector<std::filesystem::path> certificates;
  std::filesystem::path case_path;
  std::string memory = "8G", work = "2T";
  app.add_option("CERT", certificates, "certificates (JSON)")->required();
  app.add_option("--case", case_path, "the case file, when it has moved (one certificate only)");
  app.add_flag("--allow-outside", options.allow_outside, "arrays may lie outside the folder of the case");
  app.add_flag("--ignore-expectations", options.ignore_expectations,
               "exit status 0 for valid certificates whatever their verdicts");
  app.add_option("--memory", memory, "bytes that the run may use (K, M, G, T: powers of 1024)")
      ->capture_default_str();
  app.add_option("--work", work,
                 "operations on machine words that the run may use (K, M, G, T: powers of 1000)")
      ->capture_default_str();
  app.add_flag("--quiet", options.quiet, "no lines for claims with the expected verdict");
  try {
    app.parse(argc, argv);
    if (!case_path.empty()) {
      if (certificates.size() != 1) throw CLI::ValidationError("--case", "needs exactly one certificate");
      options.case_path = case_path;
    }
    options.memory_limit = parse_amount(memory, "--memory", 1024);
    meter().limit_work(parse_amount(work, "--work", 1000));
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

}  // namespace attest::checker
