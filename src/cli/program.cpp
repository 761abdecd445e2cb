#include "cli/program.hpp"

#include <arb.h>
#include <flint/flint.h>
#include <gmp.h>
#include <mpfr.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <iostream>
#include <memory>
#include <thread>

#include "answer/questions.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "checker/check.hpp"
#include "cli/schemas.hpp"
#include "cli/template_case.hpp"
#include "exact/meter_flint.hpp"
#include "farm/explore/explore.hpp"
#include "farm/find_cases.hpp"
#include "farm/merge.hpp"
#include "farm/shards.hpp"
#include "farm/verify.hpp"
#include "input/digest.hpp"
#include "input/layouts.hpp"
#include "words/explain.hpp"
#include "words/list_statements.hpp"
#include "words/markup.hpp"

namespace {

using namespace attest;

/// What the chosen command does; returns the exit status.
using Action = std::function<int()>;

std::string versions() {
  return std::string("attest ") + ATTEST_VERSION + "\nGMP " + gmp_version + ", MPFR " + mpfr_get_version() +
         ", FLINT " + FLINT_VERSION + ", Arb " + arb_version;
}

// A number of seconds: positive, finite, and not absurd.
CLI::Validator seconds() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        constexpr double kMost = 1e9;
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value > 0 && value <= kMost)
          return "";
        return text + " is not a number above 0 and up to 1e9";
      },
      "SECONDS");
}

void add_limits(CLI::App& command, CaseOptions& o, const std::string& each) {
  command.add_option("--timeout", o.timeout, "seconds per claim; what is not decided by then is undecided")
      ->check(seconds());
  command.add_option_function<std::string>(
      "--memory", [&o](const std::string& text) { o.memory = parse_amount(text, "--memory", 1024); },
      "bytes" + each + ", like 500M or 8G (default 8G)");
  command.add_option_function<std::string>(
      "--work", [&o](const std::string& text) { o.work = parse_amount(text, "--work", 1000); },
      "operations on machine words" + each + " that are counted, like 100G (default: no limit)");
}

void add_verify(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("verify", "run every claim of every case and write one certificate per case");
  const auto o = std::make_shared<VerifyOptions>();
  o->jobs = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("path", o->paths, "case files, or folders that are searched for *.toml")->required();
  command->add_option("--out", o->out, "folder of the certificates")->capture_default_str();
  command->add_option("--jobs", o->jobs, "cases that run at the same time")
      ->check(CLI::Range(1u, 1024u))
      ->default_str("cores");
  auto* json =
      command->add_option("--json", o->json, "write the results as JSON to a file (- for standard output)");
  auto* junit = command->add_option("--junit", o->junit, "write the results as JUnit XML to a file (-)");
  auto* report = command->add_option("--report", o->report,
                                     "write a page with verdicts, proofs and pictures (HTML) to a file (-)");
  auto* shard =
      command
          ->add_option("--shard", o->shard,
                       "i/N: only the i-th of N parts of the cases (i from 1), with a ledger in the folder "
                       "of the certificates; what has not changed is not run again")
          ->excludes(json)
          ->excludes(junit)
          ->excludes(report);
  command->add_flag("--force", o->force, "with --shard: run what has not changed too")->needs(shard);
  add_limits(*command, o->each, " per case");
  command->add_option("--filter", o->filter,
                      "only case files whose path contains this, or matches it as a pattern");
  command->add_flag("--changed", o->each.changed,
                    "do not prove again what has a valid certificate in the folder of --out: check that");
  command->add_flag("--prune", o->prune, "remove certificates in the folder of --out whose case is gone");
  command->add_flag("--quiet", o->quiet, "print only what did not come out as expected, and the totals");
  command->add_option("--readout-limit", o->each.readout_limit,
                      "largest T for which theorem-1 encloses the read-out (default 200)");
  command->add_flag("--allow-outside", o->each.allow_outside,
                    "arrays may lie outside the folder of their case");
  command->callback(
      [o, &action] { action = [o] { return o->shard.empty() ? verify(*o) : verify_shard(*o); }; });
}

// What `accuracy` needs beside what other questions about given weights need.
void add_whole_layer(CLI::App& command, QuestionOptions& o) {
  auto* classes = command.add_option(
      "--classes", o.classes,
      "the right class of each example, (T), from 0; with one score: 1 where it should be positive, else 0");
  auto* labels = command.add_option("--labels", o.labels, "labels, (T) or (T, d_out), with --epsilon");
  auto* epsilon = command
                      .add_option("--epsilon", o.epsilon,
                                  "an exact number: right is every score at most that far from its label")
                      ->needs(labels)
                      ->excludes(classes);
  labels->needs(epsilon);
  command.add_option("--value", o.value, "value weights, (H, d, d_v); a layout has them");
  command.add_option("--value-bias", o.value_bias, "(H, d_v)");
  command.add_option("--output", o.output, "output weights, (H, d_v, m) or (H d_v, m); a layout has them");
  command.add_option("--output-bias", o.output_bias, "(m)");
  auto* skip = command.add_flag("--skip", o.skip, "the query is added to the outputs (m = d)");
  command.add_option("--skip-vectors", o.skip_vectors, "(T, m): these are added")->excludes(skip);
  auto* readout = command.add_option("--readout", o.readout, "(m, d_out): from outputs to scores");
  command
      .add_option("--readout-linear", o.readout_linear,
                  "the same as (d_out, m), the weight of a torch.nn.Linear")
      ->excludes(readout);
  command.add_option("--readout-bias", o.readout_bias, "(d_out)");
}

void add_question(CLI::App& app, Action& action, const char* name, const char* says, bool weights,
                  int (*ask)(const QuestionOptions&)) {
  auto* command = app.add_subcommand(name, says);
  const auto o = std::make_shared<QuestionOptions>();
  if (ask == ask_assumptions) o->each.samples = 5000;  // as in the paper
  auto* contexts =
      command->add_option("--contexts", o->contexts,
                          "contexts, (n, d) shared by all examples or (T, n, d): file.npy, file.npz:name or "
                          "file.safetensors:tensor");
  auto* queries = command->add_option("--queries", o->queries, "queries, (T, d)");
  auto* hidden = command
                     ->add_option("--hidden", o->hidden,
                                  "hidden vectors (S, L, d) instead of contexts and queries: an example is a "
                                  "position of a sequence")
                     ->excludes(contexts)
                     ->excludes(queries);
  auto* positions =
      command->add_option("--positions", o->positions, "which positions: last, all, or I,J,... from 0")
          ->needs(hidden);
  hidden->needs(positions);
  command->add_flag("--causal", o->causal, "the context ends with the example's own position")->needs(hidden);
  command->add_option("--mask", o->mask, "1 for tokens that take part: (T, n), or (S, L) with --hidden");
  if (ask == ask_saturation)
    command->add_option("--threshold", o->threshold, "an exact number")->capture_default_str();
  if (ask == ask_numerical_rank)
    command->add_option("--tolerance", o->tolerance, "TAU, a positive exact number: 0.001, 1e-9, 0x1p-40")
        ->required();
  if (ask == ask_assumptions) {
    command
        ->add_option("--samples", o->each.samples,
                     "random subsets that are drawn where going through all of them takes too long; 0: none")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    command->add_option("--seed", o->each.seed, "of the draws")
        ->check(CLI::Range(std::uint64_t{0}, (std::uint64_t{1} << 63) - 1))
        ->capture_default_str();
  }
  if (ask == ask_memorizes)
    command->add_option("--labels", o->labels, "labels, (T) or (T, d_out); without them: any labels");
  if (ask == ask_accuracy) add_whole_layer(*command, *o);
  if (weights) {
    auto* projected = command
                          ->add_option("--projected-queries", o->projected_queries,
                                       "(T, H, d_h): queries as the softmax sees them, instead of --queries "
                                       "and weights (with --hidden also (S, L, H, d_h))")
                          ->excludes(queries);
    auto* keys = command
                     ->add_option("--projected-keys", o->projected_keys,
                                  "(T, n, H_kv, d_h), or (S, L, H_kv, d_h) with --hidden")
                     ->needs(projected);
    projected->needs(keys);
    auto* logits = command
                       ->add_option("--logits", o->logits,
                                    "(T, H, n): what goes into the softmax (with --hidden also (S, H, L, L))")
                       ->excludes(queries)
                       ->excludes(projected);
    auto* key = command->add_option("--key", o->key, "key weights, (H, d, d_h)");
    auto* query = command->add_option("--query", o->query, "query weights, (H, d, d_h)");
    key->needs(query)->excludes(projected)->excludes(logits);
    query->needs(key);
    auto* combined = command->add_option("--combined", o->combined,
                                         "W_h = W_K,h W_Q,h^T, (H, d, d), instead of key and query");
    combined->excludes(key)->excludes(projected)->excludes(logits);
    command->add_option("--key-bias", o->key_bias, "(H, d_h)")->needs(key);
    command->add_option("--query-bias", o->query_bias, "(H, d_h)")->needs(key);
    auto* file = command
                     ->add_option("--weights", o->weights,
                                  "weights and biases as a model stores them, instead of --key and --query: "
                                  "file.npz or file.safetensors")
                     ->excludes(key)
                     ->excludes(combined)
                     ->excludes(projected)
                     ->excludes(logits);
    auto* layout = command
                       ->add_option("--layout", o->layout,
                                    "how: see attest layouts; then --heads or --head-dim is needed")
                       ->needs(file);
    file->needs(layout);
    command->add_option("--prefix", o->prefix, "what the names of the tensors begin with")->needs(file);
  }
  if (ask == ask_rank) {
    auto* rows = command->add_option(
        "--rows", o->rows, "a:b: only the examples a to b - 1, of whose rows of Z --basis gets a basis");
    auto* basis = command->add_option("--basis", o->basis, "the file that --rows writes")->needs(rows);
    rows->needs(basis);
    command
        ->add_option("--combine", o->combine, "files of --basis, of all blocks: where to look for the rank")
        ->excludes(rows);
  }
  command->add_option("--base", o->base, "base of the softmax")
      ->check(CLI::IsMember({"e", "2"}))
      ->capture_default_str();
  command->add_option("--logit-scale", o->logit_scale, "a rational, 1/sqrt(d) or 1/sqrt(d_h)");
  constexpr std::size_t kMostHeads = std::size_t{1} << 40;
  command->add_option("--heads", o->heads, weights ? "H; what the weights say" : "H")
      ->check(CLI::Range(std::size_t{1}, kMostHeads));
  command->add_option("--head-dim", o->head_dim, weights ? "d_h; what the weights say" : "d_h (default d)")
      ->check(CLI::Range(std::size_t{1}, kMostHeads));
  command->add_option(
      "--out", o->out,
      "folder that keeps the case file, the arrays and the certificate; - prints the case file");
  command->add_flag("--json", o->json, "print the result as JSON");
  if (ask == ask_rank) {
    command->add_flag(
        "--float", o->binary64,
        "also the rank that numpy.linalg.matrix_rank reports in binary64, which decides nothing");
    command->add_flag("--after-heads", o->after_heads, "also the rank of the first h heads, for every h");
  }
  if (ask == ask_rank || ask == ask_saturation || ask == ask_numerical_rank)
    command->add_option("--svg", o->svg,
                        ask == ask_rank         ? "a file for a picture of the rank after each head"
                        : ask == ask_saturation ? "a file for a picture of the largest coefficients by head "
                                                  "and example"
                                                : "a file for a picture of the singular values of Z");
  command->add_option("--jobs", o->jobs, "threads of linear algebra (default: all cores for a large Z)")
      ->check(CLI::Range(1u, 1024u));
  command->add_flag("--progress", o->progress, "say how far it is, also when standard error is no terminal");
  add_limits(*command, o->each, "");
  command->callback([o, ask, &action] { action = [o, ask] { return ask(*o); }; });
}

void add_merge(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("merge", "the ledgers of all shards as one manifest, and its root");
  const auto o = std::make_shared<MergeOptions>();
  command->add_option("ledger", o->ledgers, "ledgers of verify --shard or of check --shard")->required();
  command->add_option("--out", o->out, "the manifest (default: manifest.jsonl beside the first ledger)");
  command->callback([o, &action] { action = [o] { return merge(*o); }; });
}

void add_explore(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "explore",
      "capacities and ranks over a grid of layers and data sets, as CSV, JSON and a page of heat maps");
  const auto o = std::make_shared<ExploreOptions>();
  o->jobs = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("sweep", o->sweep, "the grid (docs/explore.md)")->required();
  command->add_option("--out", o->out, "folder of the results; what is there is not run again")
      ->capture_default_str();
  command->add_option("--jobs", o->jobs, "cells that run at the same time")
      ->check(CLI::Range(1u, 1024u))
      ->default_str("cores");
  command->add_option("--shard", o->shard, "i/N: only the i-th of N parts of the cells, 1 <= i <= N");
  command->add_option("--cell", o->cell, "only write the cases and certificates of this cell, to --out");
  command->add_flag("--keep", o->keep, "keep the cases and certificates of all cells, in OUT/cells");
  command->add_flag("--progress", o->progress, "say how far it is, also when standard error is no terminal");
  add_limits(*command, o->each, " per cell");
  command->add_flag("--allow-outside", o->each.allow_outside,
                    "the trained layer may lie outside the sweep's folder");
  command->callback([o, &action] { action = [o] { return explore(*o); }; });
}

void add_questions(CLI::App& app, Action& action) {
  add_question(app, action, "rank", "the exact rank of Z for one's own arrays and weights", true, ask_rank);
  add_question(app, action, "memorizes",
               "whether a linear read-out of given weights fits given labels exactly, or any labels", true,
               ask_memorizes);
  add_question(app, action, "accuracy",
               "for how many examples the exact output of a whole layer is right, by class or within epsilon",
               true, ask_accuracy);
  add_question(app, action, "saturation",
               "how many coefficients of given weights are above a threshold, by head", true, ask_saturation);
  add_question(app, action, "numerical-rank",
               "how many singular values of Z exceed a tolerance, for one's own arrays and weights", true,
               ask_numerical_rank);
  add_question(app, action, "injective", "whether given weights give different examples different outputs",
               true, ask_injective);
  add_question(app, action, "capacity", "the largest rank of Z over all weights, for one's own arrays", false,
               ask_capacity);
  add_question(app, action, "assumptions", "which of the paper's assumptions hold for one's own arrays",
               false, ask_assumptions);
}

void add_explain(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("explain", "a certificate as prose and numbers, after checking it");
  struct Options : ExplainOptions {
    std::vector<std::string> files;
    bool unchecked = false;
  };
  const auto o = std::make_shared<Options>();
  command->add_option("certificate", o->files, "certificates")->required();
  command->add_flag("--full", o->full, "print long numbers in full");
  command->add_option("--claim", o->claim, "only this claim, counted from 0");
  command->add_flag("--unchecked", o->unchecked, "do not run the checker");
  command->add_flag("--allow-outside", o->allow_outside, "arrays may lie outside the folder of their case");
  command->callback([o, &action] {
    action = [o] {
      o->check = !o->unchecked;
      for (const std::string& file : o->files) explain(file, *o, std::cout);
      return kAsExpected;
    };
  });
}

// The command that used to write Coq files says what does now.
void add_export(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("export", "says how to write claims of a certificate as a file for Coq");
  struct Options {
    std::string certificate, claim, out;
    bool coq = false, allow_outside = false;
  };
  const auto o = std::make_shared<Options>();
  command->add_flag("--coq", o->coq, "for Coq, with the development proofs/formal (the only target)")
      ->required();
  command->add_option("certificate", o->certificate, "a certificate")->required();
  command->add_option("--claim", o->claim, "as of scripts/replay_in_coq");
  command->add_option("--out", o->out, "as of scripts/replay_in_coq");
  command->add_flag("--allow-outside", o->allow_outside, "as of scripts/replay_in_coq");
  command->callback([o, &action] {
    action = [o]() -> int {
      throw InputError(o->certificate, "", "attest does not write Coq files itself",
                       "scripts/replay_in_coq, which shares no code with it, with these arguments (see "
                       "proofs/formal/REPLAY.md)");
    };
  });
}

void add_digest(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("digest", "the digest of the exact contents of case files");
  struct Options : ReadOptions {
    std::vector<std::string> files;
  };
  const auto o = std::make_shared<Options>();
  command->add_option("case", o->files, "case files")->required();
  command->add_flag("--allow-outside", o->allow_outside, "arrays may lie outside the folder of their case");
  command->callback([o, &action] {
    action = [o] {
      int status = kAsExpected;
      for (const std::string& file : o->files) {
        try {
          std::cout << problem_digest(read_case(file, *o)) << "  " << path_line(file, std::string::npos)
                    << "\n";
        } catch (const InputError& e) {
          complain(e.what());
          status = worse(status, kBadInput);
        } catch (const LimitError& e) {
          complain(e.what());
          status = worse(status, kLimit);
        }
      }
      return status;
    };
  });
}

void add_statements(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("statements", "the statements it knows, their hypotheses, and what is executed");
  const auto markdown = std::make_shared<bool>(false);
  const auto names = std::make_shared<std::vector<std::string>>();
  command->add_flag("--markdown", *markdown, "docs/statements.md, with propositions and theorems");
  command->add_option("names", *names, "only these")->check(CLI::IsMember(statement_names()));
  command->callback([markdown, names, &action] {
    action = [markdown, names] {
      std::cout << (*markdown ? statements_markdown() : statements_text(*names));
      return kAsExpected;
    };
  });
}

void add_layouts(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("layouts", "how weights may be stored in files (--layout)");
  command->callback([&action] {
    action = [] {
      std::cout << layouts_text();
      return kAsExpected;
    };
  });
}

void add_schema(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("schema", "the JSON Schema of case files, certificates or the output of --json");
  const auto of = std::make_shared<std::string>();
  command->add_option("of", *of, "case, certificate or verify")
      ->required()
      ->check(CLI::IsMember({"case", "certificate", "verify"}));
  command->callback([of, &action] {
    action = [of] {
      std::cout << (*of == "case" ? case_schema() : *of == "verify" ? verify_schema() : certificate_schema());
      return kAsExpected;
    };
  });
}

void add_new(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("new", "write a commented template of a case file");
  const auto file = std::make_shared<std::string>("-");
  command->add_option("file", *file, "where to (default: standard output)");
  command->callback([file, &action] {
    action = [file] {
      write_template(*file);
      return kAsExpected;
    };
  });
}

// Takes `--filter TEXT` out of the arguments of `attest check`: it selects files, which the checker does not
// do.
std::string take_filter(std::vector<std::string>& arguments) {
  const std::string option = "--filter";
  std::string filter;
  for (std::size_t k = 1; k < arguments.size();) {
    const bool joined = arguments[k].starts_with(option + "=");
    if (!joined && arguments[k] != option) {
      ++k;
      continue;
    }
    if (!joined && k + 1 == arguments.size())
      throw InputError(option, "", "has no value", "a part of a path, or a pattern with * and ?");
    filter = joined ? arguments[k].substr(option.size() + 1) : arguments[k + 1];
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(k);
    arguments.erase(at, at + (joined ? 1 : 2));
  }
  return filter;
}

// The arguments of `attest check` with folders replaced by the certificates below them.
std::vector<std::string> with_certificates_below(const std::vector<std::string>& given,
                                                 const std::string& filter) {
  std::vector<std::string> arguments = {given[0]};
  for (std::size_t k = 1; k < given.size(); ++k) {
    std::error_code error;
    const bool folder = given[k - 1] != "--case" && std::filesystem::is_directory(given[k], error);
    if (!folder) {
      arguments.push_back(given[k]);
      continue;
    }
    std::vector<std::string> errors;
    auto files = files_below(given[k], ".json", errors);
    if (files.empty() && errors.empty())
      throw InputError(given[k], "", "there is no certificate (*.json) in this folder",
                       "a folder of certificates");
    std::erase_if(files, [&](const std::filesystem::path& file) { return !selected(file, filter); });
    if (files.empty() && errors.empty())
      throw InputError("--filter", "", "selects no certificate below " + given[k],
                       "a part of a path, or a pattern with * and ?");
    for (const auto& file : files) arguments.push_back(file.string());
    // The checker says of what cannot be looked into that it is not a certificate.
    if (!errors.empty()) arguments.push_back(given[k]);
  }
  return arguments;
}

// `attest check --shard`: the checker has no shards, and no ledgers that it would have to trust.
int check_one_shard(int argc, char** argv) {
  CLI::App app{"Checks one part of many certificates, with a ledger (docs/clusters.md).", "attest check"};
  CheckShardOptions o;
  o.jobs = std::max(1u, std::thread::hardware_concurrency());
  const auto amount = [](std::uint64_t& to, const char* option, std::uint64_t unit) {
    return [&to, option, unit](const std::string& text) { to = parse_amount(text, option, unit); };
  };
  app.add_option("CERT", o.paths, "certificates, or folders that are searched for *.json")->required();
  app.add_option("--shard", o.shard, "i/N: the i-th of N parts of the certificates (i from 1)")->required();
  app.add_option("--out", o.out, "folder of the ledger, not that of attest verify --shard")->required();
  app.add_option("--jobs", o.jobs, "certificates that are checked at the same time")
      ->check(CLI::Range(1u, 1024u))
      ->capture_default_str();
  app.add_flag("--force", o.force, "check what has not changed too");
  app.add_flag("--allow-outside", o.allow_outside, "arrays may lie outside the folder of the case");
  app.add_flag("--ignore-expectations", o.ignore_expectations,
               "exit status 0 for valid certificates whatever their verdicts");
  app.add_option_function<std::string>("--memory", amount(o.memory, "--memory", 1024),
                                       "bytes per certificate (default 8G)");
  app.add_option_function<std::string>("--work", amount(o.work, "--work", 1000),
                                       "operations on machine words per certificate (default 2T)");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    complain(std::string("attest check: ") + e.what() +
             "; attest check --shard 1/1 --help shows the options");
    return kBadInput;
  }
  return check_shard(o);
}

int check(int argc, char** argv) {
  for (int k = 2; k < argc; ++k)
    if (std::string(argv[k]) == "--shard" || std::string(argv[k]).starts_with("--shard="))
      return check_one_shard(argc, argv);
  std::vector<std::string> given(argv + 1, argv + argc);
  const std::string filter = take_filter(given);
  std::vector<std::string> arguments = with_certificates_below(given, filter);
  std::vector<char*> pointers;
  for (std::string& text : arguments) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const int status = checker::check_main(static_cast<int>(arguments.size()), pointers.data());
  if (std::find(given.begin(), given.end(), "--help") != given.end())
    std::cout
        << "\nA folder stands for the certificates below it; --filter TEXT keeps those whose path contains "
           "the text, or matches it as a pattern with * and ?.\n";
  return status;
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
  complain("attest: " + what + "; attest --help shows the commands, attest COMMAND --help their options");
  return kBadInput;
}

int run(int argc, char** argv) {
  CLI::App app{"attest proves, in exact arithmetic, what multi-head attention layers can memorize.",
               "attest"};
  app.require_subcommand(1);
  app.set_version_flag("--version", versions());
  app.footer(
      "Exit status: 0 as expected (or valid), 1 not as expected (or rejected), 2 wrong usage or bad input, 3 "
      "a limit was hit (or a question is undecided).");
  Action action;
  add_verify(app, action);
  app.add_subcommand(
      "check",
      "validate certificates without trusting what verify computed (the program attest-check); "
      "--shard i/N for one part of many");
  add_questions(app, action);
  add_merge(app, action);
  add_explore(app, action);
  add_explain(app, action);
  add_export(app, action);
  add_digest(app, action);
  add_statements(app, action);
  add_layouts(app, action);
  add_schema(app, action);
  add_new(app, action);

  if (const std::string wrong = unknown_command(app, argc, argv); !wrong.empty()) return wrong_usage(wrong);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return wrong_usage(e.what());
  } catch (const InputError& e) {
    return wrong_usage(e.what());
  }
  return action();
}

}  // namespace

Json attest::questions() {
  CLI::App app;
  Action action;
  add_questions(app, action);
  Json out = Json::array();
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    Json options = Json::array();
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
      options.push_back({{"name", option->get_lnames()[0]},
                         {"says", option->get_description()},
                         {"flag", option->get_expected_max() == 0}});
    }
    out.push_back(
        {{"name", command->get_name()}, {"says", command->get_description()}, {"options", options}});
  }
  return out;
}

int attest::run_program(int argc, char** argv) {
  try {
    meter_flint();
    // The checker has its own command line, and shares nothing else either.
    const bool check_command = argc > 1 && std::string(argv[1]) == "check";
    const int status = check_command ? check(argc, argv) : run(argc, argv);
    // The checker has noticed lost output itself.
    if (!check_command || status != kBadInput) finish_standard_output();
    return status;
  } catch (const InputError& e) {
    complain(e.what());
    return kBadInput;
  } catch (const LimitError& e) {
    complain(e.what());
    return kLimit;
  } catch (const MemoryLimitError& e) {
    complain(std::string("attest: ") + e.what());
    return kLimit;
  } catch (const std::bad_alloc&) {
    std::cerr << "attest: out of memory\n";
    return kLimit;
  } catch (const std::exception& e) {
    complain(std::string("attest: internal error: ") + e.what());
    return kBadInput;
  }
}
