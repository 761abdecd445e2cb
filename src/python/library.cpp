#include "python/library.h"

#include <sys/mman.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "answer/questions.hpp"
#include "answer/results.hpp"
#include "base/isolated.hpp"
#include "base/linux.hpp"
#include "base/meter.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "check/check_file.hpp"
#include "problem/digest.hpp"
#include "problem/numbers.hpp"
#include "readers/array_files.hpp"
#include "search/arithmetic/binomial.hpp"
#include "search/arithmetic/meter_flint.hpp"
#include "search/arithmetic/sampled_ranks.hpp"
#include "words/explain.hpp"

// A call's work is done in a child process. The library keeps its meter, limits and settings per process and
// may end it; the caller's process must know nothing of that. A fork gives the child the arrays as they are
// at the call, without copying them, and a child can be ended at any time.

struct attest_task {
  attest::SharedProgress progress;
  std::optional<attest::IsolatedTask> child;
  std::string answer;
};

namespace attest {
namespace {

void hold(const std::vector<attest_array>& arrays) {
  // What somebody else can change is copied; all else is the child's own since the fork.
  const auto foreign = system::foreign_memory();
  static std::deque<std::unique_ptr<std::uint64_t[]>> copies;
  std::map<std::string, std::map<std::string, MemoryArray>> files;
  for (const attest_array& array : arrays) {
    const auto begin = reinterpret_cast<std::uintptr_t>(array.entries);
    const auto next = foreign.lower_bound(begin + array.bytes);
    const char* entries = static_cast<const char*>(array.entries);
    if (next != foreign.begin() && std::prev(next)->second > begin) {
      copies.push_back(std::make_unique_for_overwrite<std::uint64_t[]>((array.bytes + 7) / 8));
      std::copy_n(entries, array.bytes, reinterpret_cast<char*>(copies.back().get()));
      entries = reinterpret_cast<const char*>(copies.back().get());
    }
    files[array.file][array.name] = {array.header, {entries, array.bytes}};
  }
  for (auto& [file, held] : files) hold_in_memory(file, std::move(held));
}

using Arrays = std::vector<attest_array>;

/// {"question", "given": {argument: true, text or [texts]}} -> {"claims", "words", "notes",
/// "examples": [[sequence, position]] or null, "case", "certificate"}
Json answer_question(const Json& arguments, const Arrays&) {
  Question question(arguments["question"].get<std::string>());
  for (const auto& [argument, value] : arguments["given"].items()) {
    if (value.is_boolean())
      question.set(argument, true);
    else
      question.set(argument, value.get<std::string>());
  }
  Answer found = ask(question);
  if (!found.trouble.empty()) found.notes.push_back(found.trouble);
  return {{"claims", found.claims},  {"words", found.words},
          {"notes", found.notes},    {"examples", found.examples.empty() ? Json() : Json(found.examples)},
          {"case", found.case_file}, {"certificate", found.certificate}};
}

/// {"certificates": [path], "ignore_expectations"} -> {"status", "says"} of the checker
Json check_certificates(const Json& arguments, const Arrays&) {
  kernel::ReportOptions options;
  options.ignore_expectations = arguments["ignore_expectations"].get<bool>();
  options.verbose = true;
  use_threads(all_cores());
  std::ostringstream out;
  const auto files = arguments["certificates"].get<std::vector<std::string>>();
  const int status = kernel::run_check({files.begin(), files.end()}, options, out, out);
  return {{"status", status}, {"says", out.str()}};
}

/// {"certificate": path} -> text
Json explain_certificate(const Json& arguments, const Arrays&) {
  std::ostringstream out;
  explain(arguments["certificate"].get<std::string>(), {}, out);
  return out.str();
}

/// {"case": path} -> text
Json digest_of(const Json& arguments, const Arrays&) {
  return problem_digest(read_case(arguments["case"].get<std::string>()));
}

/// {"folder", "texts": {name: text}}: writes arrays, under the names that they go by, and texts into a
/// folder. Those that are inline in a case file are not written.
Json write_files(const Json& arguments, const Arrays& arrays) {
  const std::filesystem::path folder = arguments["folder"].get<std::string>();
  std::set<std::string> files;
  for (const attest_array& array : arrays)
    if (!is_inline(array.file)) files.insert(array.file);
  const auto write = [&](const std::string& name, const std::string& text) {
    require_regular(folder / name);
    write_output(folder / name, text);
  };
  for (const std::string& file : files) write(file, memory_file_content(file));
  for (const auto& [name, text] : arguments["texts"].items()) write(name, text.get<std::string>());
  return nullptr;
}

/// {"count", "size", "seed", "effort"}, and "tolerance" (text, or null): ranks of `count` row subsets of the
/// one array (search/arithmetic/ sampled_ranks.hpp) -> {"independent", "dependent", "open",
/// "dependent_share": [lower, upper], "witness":
/// {"rows": [int], "relation": [text]} or null}, with a tolerance also "numerical": {"subsets": [[rank,
/// number]], "open"}
Json rank_samples(const Json& arguments, const Arrays& arrays) {
  const std::string file = arrays.at(0).file;
  const ExactArray vectors = memory_array(file, "", file, [](std::uint64_t) {});
  const auto count = arguments["count"].get<std::size_t>(), size = arguments["size"].get<std::size_t>();
  const auto seed = arguments["seed"].get<std::uint64_t>();
  const SampledRanks found = sampled_ranks(vectors, count, size, seed, arguments["effort"].get<double>());
  const Share share =
      count == 0 ? Share{0, 1} : clopper_pearson(found.dependent, found.dependent + found.open, count);
  Json witness;
  if (found.witness) {
    Json coefficients = Json::array();
    for (const mpz_class& c : found.witness->relation) coefficients.push_back(c.get_str());
    witness = {{"rows", found.witness->rows}, {"relation", coefficients}};
  }
  Json answer = {{"independent", found.independent},
                 {"dependent", found.dependent},
                 {"open", found.open},
                 {"dependent_share", {share.lower.get_d(), share.upper.get_d()}},
                 {"witness", witness}};
  if (arguments["tolerance"].is_null()) return answer;
  mpq_class tolerance;
  const auto text = arguments["tolerance"].get<std::string>();
  try {
    tolerance = parse_number(text);
  } catch (const std::invalid_argument&) {
    throw InputError("tolerance", "", "is " + in_quotes(text), "an exact number above 0");
  }
  const NumericalRanks numerical = sampled_numerical_ranks(vectors, count, size, seed, tolerance);
  answer["numerical"] = {{"subsets", Json::array()}, {"open", numerical.open}};
  for (const auto& [rank, subsets] : numerical.subsets)
    answer["numerical"]["subsets"].push_back(Json::array({rank, subsets}));
  return answer;
}

Json do_function(const std::string& function, const std::string& arguments, const Arrays& arrays) {
  static const std::map<std::string, Json (*)(const Json&, const Arrays&)> functions = {
      {"ask", answer_question}, {"check", check_certificates}, {"explain", explain_certificate},
      {"digest", digest_of},    {"write", write_files},        {"sampled_ranks", rank_samples}};
  return functions.at(function)(Json::parse(arguments), arrays);
}

/// In the child.
std::string work_of(const std::string& function, const std::string& arguments, const Arrays& arrays) {
  try {
    meter_gmp();
    meter_flint();
    hold(arrays);
    return json_text({{"answer", do_function(function, arguments, arrays)}});
  } catch (const InputError& e) {
    return json_text({{"input", {e.file(), e.place(), e.wrong(), e.right(), e.argument()}}});
  } catch (const LimitError& e) {
    return json_text({{"limit", e.what()}});
  } catch (const Rejected& e) {
    return json_text({{"rejected", e.what()}});
  }
}

std::string answer_of(const IsolatedTask& child) {
  using End = IsolatedTask::End;
  if (child.end() == End::out_of_memory) return json_text({{"limit", child.result()}});
  if (child.end() == End::threw) return json_text({{"failed", "internal error: " + child.result()}});
  // When a host that ignores SIGCHLD has lost how the child ended, its answer is complete or no JSON.
  std::string text = child.output();
  if (Json::accept(text)) return text;
  return json_text({{"failed", "its process was ended by " + child.ending()}});
}

std::string questions_text() {
  Json out = Json::array();
  for (const QuestionKind& kind : question_kinds()) {
    Json arguments = Json::array();
    for (const Argument* argument : arguments_of(kind.name))
      if (!of_command_line_alone(*argument))
        arguments.push_back({{"name", argument->name},
                             {"says", help_text(*argument)},
                             {"kind", kind_name(argument->kind)},
                             {"subject", is_subject(kind, *argument)},
                             {"group", argument->group},
                             {"initial", argument->initial},
                             {"words", argument->words}});
    out.push_back({{"name", kind.name}, {"says", kind.says}, {"arguments", arguments}});
  }
  return json_text(out);
}

}  // namespace
}  // namespace attest

#define ATTEST_EXPORT extern "C" __attribute__((visibility("default")))

ATTEST_EXPORT const char* attest_version() {
  return ATTEST_VERSION;
}

ATTEST_EXPORT const char* attest_questions() {
  static const std::string text = attest::questions_text();
  return text.c_str();
}

ATTEST_EXPORT attest_task* attest_start(const char* function, const char* arguments,
                                        const attest_array* arrays, size_t count, int observed) {
  auto* const task = new attest_task;
  try {
    task->child.emplace(
        [&] {
          if (observed != 0) task->progress.listen();
          return attest::work_of(function, arguments, {arrays, arrays + count});
        },
        attest::IsolatedTask::Parent::host);
  } catch (const std::exception& e) {
    task->answer = attest::json_text({{"failed", e.what()}});
  }
  return task;
}

ATTEST_EXPORT int attest_ended(attest_task* task, double seconds) {
  return !task->child || task->child->ended_within(seconds) ? 1 : 0;
}

ATTEST_EXPORT const char* attest_progress(attest_task* task, uint64_t* done, uint64_t* total) {
  const attest::Progress now = task->progress.read();
  *done = now.done;
  *total = now.total;
  return now.phase;
}

ATTEST_EXPORT const char* attest_answer(attest_task* task) {
  if (task->child && task->answer.empty()) task->answer = attest::answer_of(*task->child);
  return task->answer.c_str();
}

ATTEST_EXPORT void attest_end(attest_task* task) {
  delete task;
}
