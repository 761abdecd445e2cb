#include "cli/program.hpp"

#include <flint/flint.h>
#include <gmp.h>
#include <mpfr.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <span>
#include <sstream>

#include "answer/questions.hpp"
#include "answer/results.hpp"
#include "base/amount.hpp"
#include "base/hints.hpp"
#include "base/linux.hpp"
#include "base/meter.hpp"
#include "base/number_in.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/progress_line.hpp"
#include "base/text.hpp"
#include "base/wrapped.hpp"
#include "check/check_file.hpp"
#include "cli/schemas.hpp"
#include "cli/template_case.hpp"
#include "farm/find_cases.hpp"
#include "farm/report.hpp"
#include "farm/verify.hpp"
#include "problem/digest.hpp"
#include "readers/layouts.hpp"
#include "search/arithmetic/flint.hpp"
#include "search/arithmetic/meter_flint.hpp"
#include "words/explain.hpp"
#include "words/list_statements.hpp"
#include "words/markup.hpp"

namespace {

using namespace attest;

/// What the chosen command does; returns the exit status.
using Action = std::function<int()>;

std::string versions() {
  std::string text = std::string("attest ") + ATTEST_VERSION + "\nGMP " + gmp_version + ", MPFR " +
                     mpfr_get_version() + ", FLINT " + FLINT_VERSION;
#if __FLINT_RELEASE < 30000  // then Arb is a library of its own
  text += std::string(", Arb ") + arb_version;
#endif
  return text;
}

// A number of seconds: positive, finite, and not absurd.
CLI::Validator seconds() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const double value = number_in<double>(text).value_or(0);
        if (value > 0 && value <= kernel::kMostTimeout) return "";
        return text + " is not a number above 0 and up to 1e9";
      },
      "SECONDS");
}

CLI::Option* add_amount(CLI::App& command, std::uint64_t& to, const std::string& option, std::uint64_t unit,
                        const std::string& says) {
  return command.add_option_function<std::string>(
      option, [&to, option, unit](const std::string& text) { to = parse_amount(text, option, unit); }, says);
}

// As many as there are cores unless it is given.
CLI::Option* add_jobs(CLI::App& command, unsigned& jobs, const std::string& says) {
  jobs = static_cast<unsigned>(all_cores());
  return command.add_option("--jobs", jobs, says)->check(CLI::Range(1u, 1024u))->default_str("cores");
}

// The command prints this text.
void print(CLI::App& command, Action& action, std::function<std::string()> text) {
  command.callback([text, &action] {
    action = [text] {
      std::cout << text();
      return kAsExpected;
    };
  });
}

// And a heading for what is added after them.
void add_limits(CLI::App& command, CaseOptions& o, const std::string& each) {
  command.option_defaults()->group("Limits");
  command.add_option("--timeout", o.timeout, "seconds per claim; what is not decided by then is undecided")
      ->check(seconds());
  add_amount(command, o.memory, "--memory", 1024, "bytes" + each + ", like 500M or 8G (default 8G)");
  add_amount(command, o.work, "--work", 1000,
             "operations on machine words" + each + " that are counted, like 100G (default: no limit)");
}

/// Help in lines of 120 columns.
class Help : public CLI::Formatter {
public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    constexpr std::size_t kDescriptions = 30;  // the column where they begin
    std::istringstream text(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string lines;
    for (std::string line; std::getline(text, line);)
      lines += wrapped(line, line.starts_with("  ") ? kDescriptions : 0) + "\n";
    return lines;
  }
};

void add_verify(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("verify", "run every claim of every case and write one certificate per case");
  const auto o = std::make_shared<VerifyOptions>();
  command->add_option("path", o->paths, "case files, or folders that are searched for *.toml")->required();
  command->option_defaults()->group("Results");
  command->add_option("--out", o->out, "folder of the certificates")->capture_default_str();
  auto* json =
      command->add_option("--json", o->json, "write the results as JSON to a file (- for standard output)");
  command->add_option("--junit", o->junit, "write the results as JUnit XML to a file (-)");
  auto* report = command->add_option(
      "--report", o->report,
      "write a page with verdicts, proofs and figures (HTML) to a file (-), by the Python "
      "package (python3 -m attest.report)");
  auto* explain =
      command
          ->add_flag("--explain", o->explain,
                     "with --json: the proofs in words too, from which python3 -m attest.report makes pages")
          ->needs(json);
  auto* checked = command->add_flag(
      "--check", o->each.check,
      "let the checker validate each certificate, as it was written, before its verdicts are "
      "printed; a case whose certificate is rejected has none (exit status 1)");
  auto* quiet =
      command->add_flag("--quiet", o->quiet, "print only what did not come out as expected, and the totals");
  command->add_flag("-v,--verbose", o->verbose, "print every claim (of a single case file they are printed)")
      ->excludes(quiet);
  command->option_defaults()->group("Cases");
  command->add_option("--filter", o->filter,
                      "only case files whose path contains this, or matches it as a pattern");
  auto* select = command->add_option(
      "--select", o->each.select,
      "only the claims of this name (more than once: of these); no certificate is written");
  auto* changed =
      command->add_flag("--changed", o->each.changed,
                        "do not prove again what has a valid certificate in the folder of --out: check that");
  auto* prune =
      command->add_flag("--prune", o->prune, "remove certificates in the folder of --out whose case is gone");
  command->add_option("--shard", o->shard, "i/N: only the i-th of N parts of the cases (i from 1)");
  command->add_flag("--allow-outside", o->each.allow_outside,
                    "arrays may lie outside the folder of their case");
  add_limits(*command, o->each, " per case");
  add_jobs(*command, o->jobs, "cases that run at the same time");
  command->add_option("--readout-limit", o->each.readout_limit,
                      "largest T for which theorem-1 encloses the read-out (default 200)");
  select->expected(1)->take_all();
  for (CLI::Option* const other : {checked, changed, prune, report, explain}) select->excludes(other);
  command->callback([o, &action] { action = [o] { return verify(*o); }; });
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
  for (const std::string& note : answer.notes) {
    std::istringstream lines(wrapped("note: " + note, 4));
    for (std::string line; std::getline(lines, line);)
      (json ? std::cerr : std::cout) << margin << line << "\n";
  }
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

// Options of questions that are not asked would take 1.5 ms of each process.
void add_question(CLI::App& app, Action& action, const QuestionKind& kind,
                  std::span<const char* const> arguments) {
  auto* command = app.add_subcommand(kind.name, kind.says);
  if (std::find(arguments.begin(), arguments.end(), std::string_view(kind.name)) == arguments.end()) return;
  const auto q = std::make_shared<Question>(kind.name);
  for (const Argument* const argument : arguments_of(kind.name)) {
    const std::string name = argument->name, says = help_text(*argument),
                      option = (is_subject(kind, *argument) ? name + ","
                                : name == "verbose"         ? "-v,"
                                                            : "") +
                               "--" + name;
    CLI::Option* added = nullptr;
    if (argument->kind == Argument::Kind::flag)
      added = command->add_flag_callback(
          option, [q, name] { q->set(name, true); }, says);
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

struct ExplainCommand : ExplainOptions {
  std::vector<std::string> files;
  bool unchecked = false, latex = false;
};

int explain_all(const ExplainCommand& o) {
  if (o.case_path && o.files.size() != 1)
    throw InputError("--case", "", "there are " + std::to_string(o.files.size()) + " certificates",
                     "one certificate");
  int status = kAsExpected;
  if (!o.latex) {
    for (const std::string& file : o.files) status = worse(status, explain(file, o, std::cout));
    return status;
  }
  const ReportProgram program("-", "latex");
  Json all = Json::array();
  for (const std::string& file : o.files) {
    try {
      all.push_back(certified_proofs(file, o));
    } catch (const Failure& e) {
      throw Rejected(file + ": rejected: " + e.what());
    }
    if (!all.back()["as_expected"].get<bool>()) status = kUnexpected;
  }
  program.write(all);
  return status;
}

void add_explain(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("explain", "a certificate as prose and numbers, after checking it");
  const auto o = std::make_shared<ExplainCommand>();
  command->add_option("certificate", o->files, "certificates")->required();
  command->add_option("--case", o->case_path, "the case file, when it has moved (one certificate only)");
  command->add_flag("--full", o->full, "print long numbers in full");
  command->add_option("--claim", o->claim, "only this claim, counted from 0");
  auto* unchecked = command->add_flag("--unchecked", o->unchecked, "do not run the checker");
  command
      ->add_flag("--latex", o->latex,
                 "a document of LaTeX with theorems and proofs, by the Python package (python3 -m "
                 "attest.latex); nothing is written for what the checker rejects")
      ->excludes(unchecked);
  command->add_flag("--allow-outside", o->allow_outside, "arrays may lie outside the folder of their case");
  command->callback([o, &action] {
    action = [o] {
      o->check = !o->unchecked;
      return explain_all(*o);
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
  print(*command, action, [markdown, names] {
    return *markdown ? statements_markdown() : wrapped_lines(statements_text(*names));
  });
}

void add_layouts(CLI::App& app, Action& action) {
  print(*app.add_subcommand("layouts", "how weights may be stored in files (--layout)"), action,
        [] { return wrapped_lines(layouts_text()); });
}

void add_schema(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "schema", "the JSON Schema of case files, certificates, the output of --json or surveys");
  const auto of = std::make_shared<std::string>();
  static const std::set<std::string> schemas = {"case", "certificate", "survey", "verify"};
  command->add_option("of", *of, "case, certificate, survey or verify")
      ->required()
      ->check(CLI::IsMember(schemas));
  print(*command, action, [of] { return schema(*of); });
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

struct CheckCommand : kernel::ReportOptions {
  std::vector<std::string> paths;  // certificates, or folders that are searched for *.json
  std::string filter, shard;
  unsigned jobs = 1;
  bool proved = false;
  std::string arithmetic = "gmp";
};

// Where a program lies that `option` asks for: beside this one where it is built, and in ../lib/attest where
// it is installed.
std::string beside(const char* option, const std::string& name) {
  std::error_code error;
  const std::filesystem::path here = system::program_folder(), installed = here / "../lib/attest" / name;
  for (const std::filesystem::path& place : {here / name, installed})
    if (std::filesystem::exists(place, error)) return place.string();
  throw InputError(option, "", name + " is not beside this program", installed.lexically_normal().string());
}

// Another checker takes the place of this process: the one without GMP, or the independent reader with the
// proved checker, where no C++ has a part in what they do.
int check_elsewhere(const CheckCommand& o, const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> words;
  if (o.proved) {
    words = {"python3", beside("--proved", "proved_check")};
  } else {
    words = {beside("--arithmetic", "attest-check-boost"), "--memory=" + std::to_string(o.memory_limit),
             "--timeout=" + std::to_string(o.timeout), "--jobs=" + std::to_string(o.jobs)};
    if (o.problem_path) words.push_back("--problem=" + o.problem_path->string());
  }
  const std::pair<bool, const char*> flags[] = {{o.allow_outside, "--allow-outside"},
                                                {o.ignore_expectations, "--ignore-expectations"},
                                                {o.quiet, "--quiet"},
                                                {o.verbose, "--verbose"}};
  for (const auto& [given, flag] : flags)
    if (given) words.emplace_back(flag);
  if (o.case_path) words.push_back("--case=" + o.case_path->string());
  words.emplace_back("--");
  for (const auto& file : files) words.push_back(file.string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw InputError(o.proved ? "--proved" : "--arithmetic", "", words[0] + " cannot be started",
                   o.proved ? "Python 3 on the PATH" : "a program");
}

int check(const CheckCommand& o) {
  std::optional<Shard> shard;
  if (!o.shard.empty()) shard = parse_shard(o.shard, "--shard");
  // The checker says of a folder that cannot be looked into that it is no certificate.
  std::vector<std::filesystem::path> files;
  for (const CaseJob& job : find_certificates(o.paths, o.filter, shard)) files.push_back(job.file);
  if ((o.case_path || o.problem_path) && files.size() != 1)
    throw InputError(o.case_path ? "--case" : "--problem", "", "is for one certificate",
                     "exactly one certificate");
  if (o.proved || o.arithmetic == "boost") return check_elsewhere(o, files);
  use_threads(o.jobs);
  limit_memory(o.memory_limit);
  return kernel::run_check(files, o, std::cout, std::cerr);
}

void add_check(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "check", "validate certificates without trusting what verify computed (the program attest-check)");
  const auto o = std::make_shared<CheckCommand>();
  command->add_option("CERT", o->paths, "certificates, or folders that are searched for *.json")->required();
  command->add_option("--filter", o->filter,
                      "only those whose path contains this, or matches it as a pattern with * and ?");
  command->add_option("--shard", o->shard, "i/N: only the i-th of N parts of them (i from 1)");
  auto* where =
      command->add_option("--case", o->case_path, "the case file, when it has moved (one certificate only)");
  auto* problem = command
                      ->add_option("--problem", o->problem_path,
                                   "the case as scripts/normalize_case.py --problem writes it, - for "
                                   "standard input: no case file is read (one certificate only)")
                      ->excludes(where);
  command->add_flag("--allow-outside", o->allow_outside, "arrays may lie outside the folder of the case");
  command->add_flag("--ignore-expectations", o->ignore_expectations,
                    "exit status 0 for valid certificates whatever their verdicts");
  auto* quiet =
      command->add_flag("--quiet", o->quiet, "only what did not come out as expected, and the totals");
  command->add_flag("-v,--verbose", o->verbose, "every claim, also of several certificates, and all numbers")
      ->excludes(quiet);
  auto* memory =
      add_amount(*command, o->memory_limit, "--memory", 1024, "bytes that the run may use (default 8G)");
  o->timeout = kernel::kUsualTimeout;
  auto* timeout = command->add_option("--timeout", o->timeout, "seconds that the run may take; then it ends")
                      ->check(seconds())
                      ->capture_default_str();
  auto* proved = command->add_flag(
      "--proved", o->proved,
      "by the independent reader and the checker that is proved in Coq (proofs/formal/REPLAY.md)");
  auto* arithmetic =
      command
          ->add_option("--arithmetic", o->arithmetic,
                       "of which integers: gmp, or boost by the program attest-check-boost, which shares "
                       "none with the prover")
          ->check(CLI::IsMember({"gmp", "boost"}))
          ->default_str("gmp");
  auto* jobs = add_jobs(*command, o->jobs, "threads");
  for (CLI::Option* const other : {arithmetic, problem, memory, timeout, jobs}) proved->excludes(other);
  command->callback([o, &action] { action = [o] { return check(*o); }; });
}

// The options are those of the Python program.
void add_potential(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "potential",
      "what a layer could still learn: its capacity beside the rank of its weights, what holds it "
      "back, and one head more, a sink, ... (python3 -m attest.potential)");
  command->set_help_flag();
  command->prefix_command();
  command->callback([command, &action] {
    action = [options = command->remaining()] { return ReportProgram("-", "potential").run_with(options); };
  });
}

// What does the work of a word of earlier versions; usually empty.
std::string gone(const std::string& word) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"survey", "python3 -m attest.survey FOLDER, of the Python package (docs/guide.md)"},
      {"explore", "python3 -m attest.explore SWEEP.toml, of the Python package (docs/explore.md)"},
      {"merge", "attest verify --changed over all cases gives the totals (docs/guide.md, Many cases)"},
      {"--force", "without --changed everything is proved"},
      {"--svg", "--json has the numbers, and attest verify --report a page with pictures"},
      {"--rows", "attest rank takes all examples at once, on every core"},
      {"--basis", "attest rank takes all examples at once, on every core"},
      {"--combine", "attest rank takes all examples at once, on every core"},
  };
  for (const auto& [old, now] : kWords)
    if (word == old) return "there is no " + word + " any more: " + now;
  return "";
}

// What is wrong with the first argument when it is no command; usually empty.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return "";
  if (const std::string old = gone(argv[1]); !old.empty()) return old;
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

// Which argument is empty; usually none. Only names of tensors may begin with nothing.
std::string empty_argument(int argc, char** argv) {
  for (int k = 2; k < argc; ++k) {
    const std::string word = argv[k], before = argv[k - 1];
    const std::string option = word.starts_with("--") && word.ends_with("=") ? word.substr(0, word.size() - 1)
                               : !word.empty()                               ? ""
                               : before.starts_with("-")                     ? before
                                                                             : "an argument";
    if (!option.empty() && option != "--prefix") return option + " is empty; leave it out, or say what";
  }
  return "";
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
  app.formatter(std::make_shared<Help>());
  app.footer(
      "Exit status: 0 as expected (or valid), 1 not as expected (or rejected), 2 wrong usage or bad input, 3 "
      "a limit was hit (or a question is undecided).");
  Action action;
  add_verify(app, action);
  add_check(app, action);
  for (const QuestionKind& kind : question_kinds())
    add_question(app, action, kind, std::span(argv, static_cast<std::size_t>(argc)));
  add_potential(app, action);
  add_explain(app, action);
  add_digest(app, action);
  add_statements(app, action);
  add_layouts(app, action);
  add_schema(app, action);
  add_new(app, action);

  if (const std::string wrong = unknown_command(app, argc, argv); !wrong.empty()) return wrong_usage(wrong);
  if (const std::string empty = empty_argument(argc, argv); !empty.empty()) return wrong_usage(empty);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    for (int k = 2; k < argc; ++k)
      if (const std::string old = gone(std::string(argv[k]).substr(0, std::string(argv[k]).find('=')));
          old.starts_with("there is no --"))
        return wrong_usage(old);
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
    const int status = run(count, arguments.data());
    // The checker has noticed lost output itself.
    const bool check_command = count > 1 && std::string(arguments[1]) == "check";
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
