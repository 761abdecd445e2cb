// The program: its commands and their options. What they do is in the files of their names.
#include <arb.h>
#include <fcntl.h>
#include <flint/flint.h>
#include <gmp.h>
#include <mpfr.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <thread>

#include "certificate/output.hpp"
#include "checker/check.hpp"
#include "cli/explain.hpp"
#include "cli/export_coq.hpp"
#include "cli/find_cases.hpp"
#include "cli/questions.hpp"
#include "cli/template_case.hpp"
#include "cli/verify.hpp"
#include "exact/modular.hpp"
#include "input/digest.hpp"
#include "input/text.hpp"
#include "proofs/proof.hpp"

namespace {

using namespace attest;

std::string versions() {
  return std::string("attest ") + ATTEST_VERSION + "\nGMP " + gmp_version + ", MPFR " + mpfr_get_version() +
         ", FLINT " + FLINT_VERSION + ", Arb " + arb_version;
}

void print_statements() {
  for (const Statement& s : statements())
    std::cout << s.name << "\n  claims:     " << s.says << "\n  hypotheses: " << s.hypotheses
              << "\n  executed:   " << s.executed << "\n";
}

void add_question(CLI::App& command, QuestionOptions& o, bool weights) {
  command
      .add_option("--contexts", o.contexts,
                  "contexts, (n, d) shared by all examples or (T, n, d): file.npy or file.safetensors:tensor")
      ->required();
  command.add_option("--queries", o.queries, "queries, (T, d)")->required();
  if (weights) {
    auto* key = command.add_option("--key", o.key, "key weights, (H, d, d_h)");
    auto* query = command.add_option("--query", o.query, "query weights, (H, d, d_h)");
    key->needs(query);
    query->needs(key);
    command.add_option("--combined", o.combined, "W_h = W_K,h W_Q,h^T, (H, d, d), instead of key and query")
        ->excludes(key);
    command.add_option("--key-bias", o.key_bias, "(H, d_h)")->needs(key);
    command.add_option("--query-bias", o.query_bias, "(H, d_h)")->needs(key);
    command.add_option("--base", o.base, "base of the softmax")
        ->check(CLI::IsMember({"e", "2"}))
        ->capture_default_str();
    command.add_option("--logit-scale", o.logit_scale, "a rational, 1/sqrt(d) or 1/sqrt(d_h)");
  }
  command.add_option("--heads", o.heads, "H, when there are no weights (default 1)");
  command.add_option("--head-dim", o.head_dim, "d_h, when there are no weights (default d)");
  command.add_option(
      "--out", o.out,
      "folder that keeps the case file, the arrays and the certificate; - prints the case file");
  command.add_flag("--json", o.json, "print the result as JSON");
}

// A number of seconds or GiB: positive, finite, and not absurd.
std::string positive_amount(const std::string& text) {
  constexpr double kMost = 1e9;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value > 0 && value <= kMost) return "";
  return text + " is not a number above 0 and up to 1e9";
}

// Open descriptors in place of closed standard ones: no file that is opened later takes their numbers, and
// printing fails, as it should.
void occupy_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0)
      return;
}

// The arguments of `attest check` with folders replaced by the certificates below them.
std::vector<std::string> with_certificates_below(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int k = 1; k < argc; ++k) {
    std::error_code error;
    const bool folder =
        k > 1 && std::string(argv[k - 1]) != "--case" && std::filesystem::is_directory(argv[k], error);
    if (!folder) {
      arguments.push_back(argv[k]);
      continue;
    }
    std::vector<std::string> errors;
    const auto files = files_below(argv[k], ".json", errors);
    if (files.empty() && errors.empty())
      throw InputError(argv[k], "", "there is no certificate (*.json) in this folder",
                       "a folder of certificates");
    for (const auto& file : files) arguments.push_back(file.string());
    // The checker says of what cannot be looked into that it is not a certificate.
    if (!errors.empty()) arguments.push_back(argv[k]);
  }
  return arguments;
}

int check(int argc, char** argv) {
  std::vector<std::string> arguments = with_certificates_below(argc, argv);
  std::vector<char*> pointers;
  for (std::string& text : arguments) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return checker::check_main(static_cast<int>(arguments.size()), pointers.data());
}

// What is wrong with the first argument when it is no command; usually empty.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return "";
  const std::string near = nearest(argv[1], names);
  return "there is no command " + in_quotes(argv[1]) + (near.empty() ? "" : " (did you mean " + near + "?)");
}

int wrong_usage(const std::string& what) {
  std::cerr << "attest: " << what
            << "; attest --help shows the commands, attest COMMAND --help their options\n";
  return kBadInput;
}

int run(int argc, char** argv) {
  CLI::App app{"attest proves, in exact arithmetic, what multi-head attention layers can memorize.",
               "attest"};
  app.require_subcommand(1);
  app.set_version_flag("--version", versions());
  app.footer(
      "Exit status: 0 as expected (or valid), 1 not as expected (or rejected), 2 wrong usage or bad input, 3 "
      "a limit was hit.");

  VerifyOptions verify_options;
  verify_options.jobs = std::max(1u, std::thread::hardware_concurrency());
  auto* verify_command =
      app.add_subcommand("verify", "run every claim of every case and write one certificate per case");
  verify_command
      ->add_option("path", verify_options.paths, "case files, or folders that are searched for *.toml")
      ->required();
  verify_command->add_option("--out", verify_options.out, "folder of the certificates")
      ->capture_default_str();
  verify_command->add_option("--jobs", verify_options.jobs, "cases that run at the same time")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  verify_command->add_option("--json", verify_options.json,
                             "write the results as JSON to a file (- for standard output)");
  verify_command->add_option("--junit", verify_options.junit, "write the results as JUnit XML to a file (-)");
  verify_command->add_option("--report", verify_options.report,
                             "write a page with verdicts, proofs and pictures (HTML) to a file (-)");
  verify_command
      ->add_option("--timeout", verify_options.each.timeout,
                   "seconds per claim; what is not decided by then is undecided")
      ->check(CLI::Validator(positive_amount, "POSITIVE"));
  verify_command->add_option("--memory", verify_options.each.memory_gib, "GiB per case")
      ->check(CLI::Validator(positive_amount, "POSITIVE"))
      ->capture_default_str();
  verify_command->add_option("--filter", verify_options.filter,
                             "only case files whose path contains this, or matches it as a pattern");
  verify_command->add_flag("--quiet", verify_options.quiet,
                           "print only what did not come out as expected, and the totals");
  verify_command->add_option("--readout-limit", verify_options.each.readout_limit,
                             "largest T for which theorem-1 encloses the read-out (default 200)");
  verify_command->add_flag("--allow-outside", verify_options.each.allow_outside,
                           "arrays may lie outside the folder of their case");

  app.add_subcommand(
      "check", "validate certificates without trusting what verify computed (the program attest-check)");

  QuestionOptions rank_options, assumption_options;
  auto* rank_command = app.add_subcommand("rank", "the exact rank of Z for one's own arrays");
  add_question(*rank_command, rank_options, true);
  auto* assumptions_command =
      app.add_subcommand("assumptions", "which of the paper's assumptions hold for one's own arrays");
  add_question(*assumptions_command, assumption_options, false);

  std::vector<std::string> explained;
  bool full = false;
  auto* explain_command = app.add_subcommand("explain", "a certificate as prose and numbers");
  explain_command->add_option("certificate", explained, "certificates")->required();
  explain_command->add_flag("--full", full, "print long numbers in full");

  ExportOptions export_options;
  std::size_t exported_claim = 0;
  auto* export_command = app.add_subcommand(
      "export", "one claim of a certificate as a file for a proof assistant, which proves it again");
  export_command
      ->add_flag("--coq", export_options.coq, "for Coq, with the development proofs/formal (the only target)")
      ->required();
  export_command->add_option("certificate", export_options.certificate, "a certificate")->required();
  auto* export_claim = export_command->add_option(
      "--claim", exported_claim, "index of the claim (default: the first that can be exported)");
  export_command->add_option("--out", export_options.out, "file to write (default: standard output)");
  export_command->add_flag("--allow-outside", export_options.allow_outside,
                           "arrays may lie outside the folder of their case");

  auto* statements_command =
      app.add_subcommand("statements", "the statements it knows, their hypotheses, and what is executed");

  std::string new_file;
  auto* new_command = app.add_subcommand("new", "write a commented template of a case file");
  new_command->add_option("file", new_file, "where to (default: standard output)");

  if (const std::string wrong = unknown_command(app, argc, argv); !wrong.empty()) return wrong_usage(wrong);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return wrong_usage(e.what());
  }

  if (*verify_command) return verify(verify_options);
  if (*rank_command) return ask_rank(rank_options);
  if (*assumptions_command) return ask_assumptions(assumption_options);
  if (*explain_command) {
    for (const std::string& file : explained) explain(file, full, std::cout);
    return kAsExpected;
  }
  if (*export_command) {
    if (export_claim->count() > 0) export_options.claim = exported_claim;
    export_coq(export_options);
    return kAsExpected;
  }
  if (*statements_command) print_statements();
  if (*new_command) {
    if (new_file.empty())
      std::cout << template_case();
    else
      write_template(new_file);
  }
  return kAsExpected;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  try {
    // The checker has its own command line, and shares nothing else either.
    const bool check_command = argc > 1 && std::string(argv[1]) == "check";
    const int status = check_command ? check(argc, argv) : run(argc, argv);
    finish_standard_output();
    return status;
  } catch (const InputError& e) {
    std::cerr << e.what() << "\n";
    return kBadInput;
  } catch (const LimitError& e) {
    std::cerr << e.what() << "\n";
    return kLimit;
  } catch (const std::bad_alloc&) {
    std::cerr << "attest: out of memory\n";
    return kLimit;
  } catch (const std::exception& e) {
    std::cerr << "attest: internal error: " << e.what() << "\n";
    return kBadInput;
  }
}
