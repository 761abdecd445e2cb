// The program: its commands and their options. What they do is in the files of their names.
#include <arb.h>
#include <flint/flint.h>
#include <gmp.h>
#include <mpfr.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <thread>

#include "checker/check.hpp"
#include "cli/explain.hpp"
#include "cli/export_coq.hpp"
#include "cli/questions.hpp"
#include "cli/template_case.hpp"
#include "cli/verify.hpp"
#include "exact/modular.hpp"
#include "input/digest.hpp"
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
                  "contexts, (n, d) shared by all examples or (T, n, d): file.npy, file.npz:name or "
                  "file.safetensors:tensor")
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
  command.add_option("--out", o.out, "folder that keeps the case file and its certificate");
  command.add_flag("--json", o.json, "print the result as JSON");
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
  verify_command->add_option("--junit", verify_options.junit, "write the results as JUnit XML to a file");
  verify_command->add_option("--report", verify_options.report,
                             "write a page with verdicts, proofs and pictures (HTML) to a file");
  verify_command
      ->add_option("--timeout", verify_options.timeout,
                   "seconds per claim; what is not decided by then is undecided")
      ->check(CLI::NonNegativeNumber);
  verify_command->add_option("--memory", verify_options.memory_gib, "GiB per case")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verify_command->add_option("--readout-limit", verify_options.readout_limit,
                             "largest T for which theorem-1 encloses the read-out (default 200)");
  verify_command->add_flag("--allow-outside", verify_options.allow_outside,
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

  std::vector<std::string> digested;
  bool digest_outside = false;
  auto* digest_command = app.add_subcommand("digest", "the digest of the exact contents of case files");
  digest_command->add_option("case", digested, "case files")->required();
  digest_command->add_flag("--allow-outside", digest_outside,
                           "arrays may lie outside the folder of their case");

  std::string new_file;
  auto* new_command = app.add_subcommand("new", "write a commented template of a case file");
  new_command->add_option("file", new_file, "where to (default: standard output)");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::cerr << "attest: " << e.what()
              << "; attest --help shows the commands, attest COMMAND --help their options\n";
    return kBadInput;
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
  if (*digest_command) {
    ReadOptions options;
    options.allow_outside = digest_outside;
    int status = kAsExpected;
    for (const std::string& file : digested) {
      try {
        std::cout << problem_digest(read_case(file, options)) << "  " << file << "\n";
      } catch (const InputError& e) {
        std::cerr << e.what() << "\n";
        status = worse(status, kBadInput);
      } catch (const LimitError& e) {
        std::cerr << e.what() << "\n";
        status = worse(status, kLimit);
      }
    }
    return status;
  }
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
  try {
    blas::use_threads(1);
    // The checker has its own command line, and shares nothing else either.
    if (argc > 1 && std::string(argv[1]) == "check") return checker::check_main(argc - 1, argv + 1);
    return run(argc, argv);
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
