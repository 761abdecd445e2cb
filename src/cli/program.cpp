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
#include <sstream>
#include <thread>

#include "answer/questions.hpp"
#include "answer/results.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/progress_line.hpp"
#include "base/text.hpp"
#include "checker/check.hpp"
#include "cli/schemas.hpp"
#include "cli/template_case.hpp"
#include "exact/meter_flint.hpp"
#include "farm/explore/explore.hpp"
#include "farm/find_cases.hpp"
#include "farm/merge.hpp"
#include "farm/shards.hpp"
#include "farm/survey/survey.hpp"
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

// And a heading for what is added after them.
void add_limits(CLI::App& command, CaseOptions& o, const std::string& each) {
  command.option_defaults()->group("Limits");
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
  command->option_defaults()->group("Results");
  command->add_option("--out", o->out, "folder of the certificates")->capture_default_str();
  auto* json =
      command->add_option("--json", o->json, "write the results as JSON to a file (- for standard output)");
  auto* junit = command->add_option("--junit", o->junit, "write the results as JUnit XML to a file (-)");
  auto* report = command->add_option("--report", o->report,
                                     "write a page with verdicts, proofs and pictures (HTML) to a file (-)");
  command->add_flag("--check", o->each.check,
                    "let the checker validate each certificate, as it was written, before its verdicts are "
                    "printed; a case whose certificate is rejected has none (exit status 1)");
  command->add_flag("--quiet", o->quiet, "print only what did not come out as expected, and the totals");
  command->option_defaults()->group("Cases");
  command->add_option("--filter", o->filter,
                      "only case files whose path contains this, or matches it as a pattern");
  command->add_flag("--changed", o->each.changed,
                    "do not prove again what has a valid certificate in the folder of --out: check that");
  command->add_flag("--prune", o->prune, "remove certificates in the folder of --out whose case is gone");
  auto* shard =
      command
          ->add_option("--shard", o->shard,
                       "i/N: only the i-th of N parts of the cases (i from 1), with a ledger in the folder "
                       "of the certificates; what has not changed is not run again")
          ->excludes(json)
          ->excludes(junit)
          ->excludes(report);
  command->add_flag("--force", o->force, "with --shard: run what has not changed too")->needs(shard);
  command->add_flag("--allow-outside", o->each.allow_outside,
                    "arrays may lie outside the folder of their case");
  add_limits(*command, o->each, " per case");
  command->add_option("--jobs", o->jobs, "cases that run at the same time")
      ->check(CLI::Range(1u, 1024u))
      ->default_str("cores");
  command->add_option("--readout-limit", o->each.readout_limit,
                      "largest T for which theorem-1 encloses the read-out (default 200)");
  command->callback(
      [o, &action] { action = [o] { return o->shard.empty() ? verify(*o) : verify_shard(*o); }; });
}

int print_answer(const Question& q, const Answer& answer) {
  const bool case_shown = q.text("out") == "-",
             json = q.flag("json") && !case_shown && !answer.claims.empty();
  const std::string margin = case_shown ? "# " : "";
  if (case_shown) std::cout << answer.case_file << "\n";
  if (json) {
    std::cout << json_text(answer.claims, 1) << "\n";
  } else {
    for (const std::string& words : answer.words) {
      std::istringstream lines(words);
      for (std::string line; std::getline(lines, line);) std::cout << margin << printable(line) << "\n";
    }
  }
  // Standard output of --json is JSON alone.
  for (const std::string& note : answer.notes)
    (json ? std::cerr : std::cout) << margin << "note: " << note << "\n";
  if (!answer.path.empty() && !json)
    std::cout << "certificate: " << printable(answer.path.generic_string()) << "\n";
  if (!answer.trouble.empty()) complain(answer.trouble);
  return answer.status;
}

int ask_and_print(const Question& q) {
  std::optional<ProgressLine> shown(q.flag("progress"));
  const Answer answer = ask(q);
  shown.reset();
  return print_answer(q, answer);
}

void add_question(CLI::App& app, Action& action, const QuestionKind& kind) {
  auto* command = app.add_subcommand(kind.name, kind.says);
  const auto q = std::make_shared<Question>(kind.name);
  for (const Argument* const argument : arguments_of(kind.name)) {
    const std::string name = argument->name, option = "--" + name, says = help_text(*argument);
    CLI::Option* added = nullptr;
    if (argument->kind == Argument::Kind::flag)
      added = command->add_flag_callback(
          option, [q, name] { q->set(name, true); }, says);
    else if (argument->kind == Argument::Kind::files)
      added = command->add_option_function<std::vector<std::string>>(
          option, [q, name](const std::vector<std::string>& files) { q->set(name, files); }, says);
    else
      added = command->add_option_function<std::string>(
          option, [q, name](const std::string& text) { q->set(name, text); }, says);
    added->group(argument->group);
    if (argument->kind == Argument::Kind::flag) continue;
    // Completion takes words from the help.
    std::string words = argument->words;
    std::replace(words.begin(), words.end(), ' ', ',');
    if (!words.empty()) added->type_name("{" + words + "}");
    if (*argument->initial != '\0') added->default_str(argument->initial);
  }
  command->callback([q, &action] { action = [q] { return ask_and_print(*q); }; });
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
  command->add_flag("--allow-outside", o->each.allow_outside,
                    "the trained layer may lie outside the sweep's folder");
  add_limits(*command, o->each, " per cell");
  command->callback([o, &action] { action = [o] { return explore(*o); }; });
}

void add_survey(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "survey", "all layers of a model from a folder of their arrays, as JSON and a page of heat maps");
  const auto o = std::make_shared<SurveyOptions>();
  o->jobs = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("folder", o->folder, "FOLDER/LAYER/*.npy or FOLDER/LAYER.safetensors (docs/guide.md)")
      ->required();
  command
      ->add_option("--out", o->out,
                   "folder of the results; what has a valid certificate there is not proved again")
      ->capture_default_str();
  command->add_option("--layer", o->layers, "only these layers");
  command->add_option("--ask", o->ask, "only these questions, with commas between them")
      ->delimiter(',')
      ->check(CLI::IsMember(surveyed_questions()));
  for (const char* const argument : {"tolerance", "threshold"})
    command->add_option_function<std::string>(
        std::string("--") + argument,
        [o, argument](const std::string& text) { o->given.emplace_back(argument, text); },
        "an exact number, as of attest " +
            std::string(argument == std::string("threshold") ? "saturation" : "numerical-rank"));
  command->add_option("--jobs", o->jobs, "questions that are answered at the same time")
      ->check(CLI::Range(1u, 1024u))
      ->default_str("cores");
  command->add_flag("--progress", o->progress, "say how far it is, also when standard error is no terminal");
  add_limits(*command, o->each, " per question");
  command->callback([o, &action] { action = [o] { return survey_and_print(*o); }; });
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
  command->add_option("names", *names, "only these")
      ->check(CLI::IsMember(statement_names()).description("statement"));
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
  CLI::App app{"Checks one part of many certificates, with a ledger (docs/guide.md).", "attest check"};
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
           "the text, or matches it as a pattern with * and ?. --shard i/N --out FOLDER checks one of N "
           "parts "
           "and leaves a ledger (attest check --shard 1/1 --help).\n";
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

// "help" and "help rank" for --help and rank --help.
std::vector<char*> with_help(int argc, char** argv) {
  static std::string help = "--help";
  std::vector<char*> arguments(argv, argv + argc);
  if (argc < 2 || argc > 3 || std::string(argv[1]) != "help") return arguments;
  arguments.erase(arguments.begin() + 1);
  arguments.push_back(help.data());
  return arguments;
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
  for (const QuestionKind& kind : question_kinds()) add_question(app, action, kind);
  add_merge(app, action);
  add_explore(app, action);
  add_survey(app, action);
  add_explain(app, action);
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
    if (!e.argument().empty()) throw;  // it names its command
    return wrong_usage(e.what());
  }
  return action();
}

}  // namespace

int attest::run_program(int argc, char** argv) {
  try {
    meter_flint();
    std::vector<char*> arguments = with_help(argc, argv);
    const int count = static_cast<int>(arguments.size());
    // The checker has its own command line, and shares nothing else either.
    const bool check_command = count > 1 && std::string(arguments[1]) == "check";
    const int status = check_command ? check(count, arguments.data()) : run(count, arguments.data());
    // The checker has noticed lost output itself.
    if (!check_command || status != kBadInput) finish_standard_output();
    return status;
  } catch (const InputError& e) {
    complain(e.what());
    return kBadInput;
  } catch (const Rejected& e) {
    complain(e.what());
    return kUnexpected;
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
