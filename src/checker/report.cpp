// What the checker prints: one verdict line for each certificate, statistics, and the command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <new>
#include <set>
#include <sstream>

#include "checker/check.hpp"

namespace attest::checker {
namespace {

std::string summary(const CheckReport& report) {
  std::map<Verdict, std::size_t> counts;
  for (const ClaimReport& claim : report.claims) ++counts[claim.verdict];
  std::string text =
      std::to_string(report.claims.size()) + (report.claims.size() == 1 ? " claim" : " claims");
  const char* separator = ": ";
  for (const auto& [verdict, number] : counts) {
    text += separator + std::to_string(number) + " " + verdict_name(verdict);
    separator = ", ";
  }
  return text;
}

void print_statistics(const CheckReport& report, std::ostream& out) {
  struct Total {
    std::size_t count = 0;
    double seconds = 0;
    std::set<std::string> notes;
  };
  std::map<std::string, Total> totals;
  double all = 0;
  for (const ClaimReport& claim : report.claims) {
    for (const StepReport& step : claim.steps) {
      Total& total = totals[step.argument];
      ++total.count;
      total.seconds += step.seconds;
      all += step.seconds;
      if (!step.note.empty()) total.notes.insert(step.note);
    }
  }
  std::ostringstream table;  // so that the format of `out` stays as it is
  table << std::fixed;
  for (const auto& [argument, total] : totals) {
    table << "  " << std::left << std::setw(26) << argument << std::right << std::setw(5) << total.count
          << std::setprecision(3) << std::setw(10) << total.seconds << " s" << std::setprecision(1)
          << std::setw(7) << (all > 0 ? 100 * total.seconds / all : 0) << " %";
    for (const std::string& note : total.notes) table << "  " << note;
    table << "\n";
  }
  out << table.str();
}

}  // namespace

int run_check(const std::vector<std::filesystem::path>& certificates, const CheckPolicy& policy,
              std::ostream& out, std::ostream& err) {
  int worst = 0;
  // The verdict line goes to `out` like those of valid certificates, and to `err` for who keeps only that.
  const auto fail = [&](int status, const std::filesystem::path& file, const char* kind, std::string what) {
    const std::string name = file.string() + ": ";
    if (what.compare(0, name.size(), name) == 0) what.erase(0, name.size());
    out << name << kind << ": " << what << std::endl;
    err << name << kind << ": " << what << std::endl;
    const auto weight = [](int s) { return s == 2 ? 3 : s == 1 ? 2 : s == 3 ? 1 : 0; };
    if (weight(status) > weight(worst)) worst = status;
  };
  for (const std::filesystem::path& file : certificates) {
    try {
      const CheckReport report = check_certificate(file, policy);
      out << file.string() << ": valid (" << summary(report) << ")\n";
      if (policy.verbose) print_statistics(report, out);
    } catch (const Rejection& rejection) {
      fail(1, file, "REJECTED", rejection.what());
    } catch (const InputError& error) {
      fail(2, file, "BAD INPUT", error.what());
    } catch (const LimitError& error) {
      fail(3, file, "LIMIT", error.what());
    } catch (const std::bad_alloc&) {
      fail(3, file, "LIMIT", "out of memory");
    } catch (const std::exception& error) {
      fail(2, file, "BAD INPUT", error.what());
    }
  }
  return worst;
}

int check_main(int argc, char** argv) {
  CLI::App app{"Checks certificates of attest against their case files, in exact arithmetic of its own.",
               "attest-check"};
  app.set_version_flag("--version", "attest-check " ATTEST_VERSION ", certificates attest-certificate/1");
  app.footer(
      "Exit status: 0 every certificate is valid, 1 one is rejected, 2 wrong usage or bad input, 3 a limit "
      "was hit.");
  CheckPolicy policy;
  std::vector<std::filesystem::path> certificates;
  std::filesystem::path case_path;
  bool deterministic = false, probabilistic = false;
  app.add_option("CERT", certificates, "certificates (JSON)")->required();
  app.add_option("--case", case_path, "the case file, when it has moved (one certificate only)");
  app.add_flag("--allow-outside", policy.allow_outside, "arrays may lie outside the folder of the case");
  auto* flag = app.add_flag("--deterministic", deterministic, "check every minor by elimination");
  app.add_flag("--probabilistic", probabilistic,
               "check minors by their solutions, where there are any (error below 2^-128)")
      ->excludes(flag);
  app.add_option("--elimination-limit", policy.elimination_limit, "rows up to which minors are eliminated")
      ->capture_default_str();
  app.add_option("--max-subsets", policy.max_subsets, "eliminations of one search through subsets of queries")
      ->capture_default_str();
  app.add_option("--max-terms", policy.max_terms, "products of terms in the group ring, for each step")
      ->capture_default_str();
  app.add_option("--readout-limit", policy.readout_limit, "examples up to which read-outs are solved")
      ->capture_default_str();
  app.add_flag("--verbose", policy.verbose, "number and time of the steps of each kind");
  try {
    app.parse(argc, argv);
    if (!case_path.empty()) {
      if (certificates.size() != 1) throw CLI::ValidationError("--case", "needs exactly one certificate");
      policy.case_path = case_path;
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : 2;
  }
  if (deterministic) policy.minors = Minors::deterministic;
  if (probabilistic) policy.minors = Minors::probabilistic;
  return run_check(certificates, policy, std::cout, std::cerr);
}

}  // namespace attest::checker
