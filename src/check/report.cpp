// What the checker prints, and its command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <map>
#include <new>
#include <set>
#include <sstream>

#include "base/amount.hpp"
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/wrapped.hpp"
#include "check/check_file.hpp"
#include "check/memory_limit.hpp"
#include "check/time_limit.hpp"

namespace attest::kernel {
namespace {

/// In quotes that the text cannot close.
std::string quoted(const std::string& text) {
  std::string result(1, '"');
  for (const char c : text) {
    if (c == '"') result += '\\';
    result += c;
  }
  return result += '"';
}

/// A path, in quotes where it could pass for several words or is not of plain letters.
std::string path_text(const std::string& path) {
  const std::string text = path_line(path);
  const bool plain = std::ranges::none_of(
      text, [](char c) { return c == ' ' || c == '"' || static_cast<unsigned char>(c) >= 0x80; });
  return plain ? text : quoted(text);
}

/// As workflows name a file: without `..`, unless a link makes that another file.
std::string plain_path(const std::string& path) {
  const std::string plain = std::filesystem::path(path).lexically_normal().string();
  std::error_code error;
  return std::filesystem::equivalent(path, plain, error) ? plain : path;
}

/// Each part is shortened by itself: neither a title nor a path nor a number of many digits passes for the
/// verdict or pushes it out of the line. `all`: with the numbers that nobody asked for.
std::string claim_line(const CheckedFile& checked, const Claim& claim, const Finding& finding, bool all) {
  const bool expected = as_expected(claim, finding);
  std::string line = path_text(plain_path(checked.case_path));
  if (!expected && claim.line != 0) line += ":" + count(claim.line) + ":" + count(claim.column);
  line += "  " + quoted(one_line(checked.source.title, 200)) + "  claim " + count(claim.index) + " " +
          claim.statement + " (" + one_line(claimed_text(claim), 300) + "): " + verdict_text(finding);
  const std::string numbers = numbers_text(all ? finding : asked_about(claim, finding));
  if (!numbers.empty()) line += "; " + numbers;
  return line + (expected ? "; as expected"
                          : "; UNEXPECTED: the case expects " + std::string(verdict_name(claim.expect)) +
                                (claim.expect_as_stated ? "-as-stated" : ""));
}

/// "1 claim", "2 claims"
std::string counted(std::size_t number, const std::string& what) {
  return count(number) + " " + what + (number == 1 ? "" : "s");
}

/// What certificates came to, together.
struct Totals {
  std::size_t valid = 0, claims = 0, unexpected = 0, hypotheses_undecided = 0;
  std::map<std::string, std::size_t> failed;    // "rejected", "bad input", ...
  std::map<std::string, std::size_t> verdicts;  // of the claims of valid certificates

  /// "4 claims: 2 refuted, 2 verified"
  std::string claims_text() const {
    std::string text = counted(claims, "claim");
    const char* separator = ": ";
    for (const auto& [verdict, number] : verdicts) {
      text += separator + count(number) + " " + verdict;
      separator = ", ";
    }
    return hypotheses_undecided == 0
               ? text
               : text + "; " + count(hypotheses_undecided) + " with hypotheses undecided";
  }
  /// "2 certificates: 1 valid, 1 rejected; 4 claims: 2 refuted, 2 verified; 0 unexpected"
  std::string text() const {
    std::size_t all = valid;
    std::string others;
    for (const auto& [kind, number] : failed) {
      all += number;
      others += ", " + count(number) + " " + kind;
    }
    return counted(all, "certificate") + ": " + count(valid) + " valid" + others + "; " + claims_text() +
           "; " + count(unexpected) + " unexpected";
  }
  void add(const Totals& other) {
    valid += other.valid;
    claims += other.claims;
    unexpected += other.unexpected;
    hypotheses_undecided += other.hypotheses_undecided;
    for (const auto& [kind, number] : other.failed) failed[kind] += number;
    for (const auto& [verdict, number] : other.verdicts) verdicts[verdict] += number;
  }
};

/// Prints the claims of a valid certificate, all of them or those with an unexpected verdict.
Totals print_report(const std::string& name, const CheckedFile& checked, bool all, bool numbers,
                    std::ostream& out) {
  Totals totals;
  totals.valid = 1;
  totals.claims = checked.report.size();
  for (std::size_t i = 0; i < checked.report.size(); ++i) {
    const Claim& claim = checked.source.claims[i];
    const Finding& finding = checked.report[i].finding;
    const bool expected = as_expected(claim, finding);
    if (!expected) ++totals.unexpected;
    if (finding.hypotheses_undecided) ++totals.hypotheses_undecided;
    ++totals.verdicts[verdict_name(finding.verdict)];
    if (expected && !all) continue;
    const std::string line = claim_line(checked, claim, finding, numbers);
    out << wrapped(line, 4) << "\n";
    if (!expected) out << annotation(plain_path(checked.case_path), claim.line, claim.column, line);
  }
  if (all) out << wrapped(name + ": valid (" + totals.claims_text() + ")", 4) << "\n";
  return totals;
}

std::string totals_line(const Totals& totals, double seconds) {
  std::ostringstream line;
  line << totals.text() << "; " << std::fixed << std::setprecision(2) << seconds << " s";
  return wrapped(line.str(), 4) + "\n";
}

int worst(const std::set<int>& statuses) {
  for (const int status : {2, 1, 3}) {
    if (statuses.count(status) != 0) return status;
  }
  return 0;
}

}  // namespace

int run_check(const std::vector<std::filesystem::path>& certificates, const ReportOptions& options,
              std::ostream& out, std::ostream& err) {
  const auto start = std::chrono::steady_clock::now();
  const bool all = options.verbose || (certificates.size() == 1 && !options.quiet);
  std::set<int> statuses;
  Totals totals;
  std::map<std::string, Totals> folders;
  TimeLimit limit(options.timeout);
  std::size_t left = certificates.size();
  for (const std::filesystem::path& file : certificates) {
    const std::string name = path_text(file.string()), prefix = file.string() + ": ";
    Totals& folder = folders[file.parent_path().string()];
    const auto failed = [&](const char* kind, std::string what) {
      if (what.starts_with(prefix)) what.erase(0, prefix.size());
      const std::string line = name + ": " + kind + ": " + one_line(what, 600);
      return wrapped(line, 4) + "\n" + annotation(file.string(), 0, 0, line);
    };
    const auto fail = [&](int status, const char* kind, const std::string& what) {
      limit.may_not_end();
      out << failed(kind, what);
      ++folder.failed[kind];
      ++totals.failed[kind];
      statuses.insert(status);
    };
    --left;
    try {
      if (options.timeout > 0) {
        Totals then = totals;
        ++then.failed["limit"];
        if (left > 0) then.failed["not checked"] += left;
        std::set<int> with_limit = statuses;
        with_limit.insert(3);
        out.flush();
        limit.may_end(failed("limit", "the time limit of the run was reached (--timeout)") +
                          totals_line(then, options.timeout),
                      worst(with_limit));
      }
      const CheckedFile checked = check_file(file, options);
      limit.may_not_end();
      const Totals its = print_report(name, checked, all, options.verbose, out);
      folder.add(its);
      totals.add(its);
      if (its.unexpected != 0 && !options.ignore_expectations) statuses.insert(1);
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
  for (const auto& [folder, each] : folders) {
    if (folders.size() > 1 && !options.quiet)
      out << wrapped(path_text(folder.empty() ? "." : folder) + ": " + each.text(), 4) << "\n";
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  out << totals_line(totals, seconds.count());
  if (!out.flush()) {
    err << "attest-check: the output cannot be written\n";
    return 2;
  }
  return worst(statuses);
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
  std::string memory = "8G";
  options.timeout = kUsualTimeout;
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
  app.add_option("--timeout", options.timeout, "seconds that the run may take; then it ends")
      ->capture_default_str();
  app.add_option("--jobs", jobs, "threads")->check(CLI::Range(1, 1024))->default_str("cores");
  auto* quiet =
      app.add_flag("--quiet", options.quiet, "only what did not come out as expected, and the totals");
  app.add_flag("-v,--verbose", options.verbose, "every claim, also of several certificates, and all numbers")
      ->excludes(quiet);
  try {
    app.parse(argc, argv);
    for (const auto& [name, path, option] : {std::tuple("--case", &case_path, &options.case_path),
                                             {"--problem", &problem_path, &options.problem_path}}) {
      if (path->empty()) continue;
      if (certificates.size() != 1) throw CLI::ValidationError(name, "needs exactly one certificate");
      *option = *path;
    }
    if (!(options.timeout > 0 && options.timeout <= kMostTimeout))
      throw CLI::ValidationError("--timeout", "needs a number of seconds above 0 and up to 1e9");
    options.memory_limit = parse_amount(memory, "--memory", 1024);
    use_threads(jobs);
    limit_process_memory(options.memory_limit);
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
