#include "cli/questions.hpp"

#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "certificate/output.hpp"
#include "cli/claim_result.hpp"
#include "cli/markup.hpp"
#include "cli/results.hpp"
#include "cli/temporary_folder.hpp"
#include "exact/modular.hpp"
#include "input/array_files.hpp"
#include "input/layouts.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

AnswerObserver observer;

std::string quoted(const std::string& text) {
  return Json(text).dump();
}

// The arrays of a case in `folder`: files that do not lie below it are named, or copied into it.
class ArrayValues {
public:
  ArrayValues(fs::path folder, bool copy) : folder_(std::move(folder)), copy_(copy) {}

  /// An array argument as the value of a key.
  std::string value(const std::string& argument) {
    const auto [file, array] = split_array_argument(argument);
    const std::string path = this->file(file);
    if (array.empty()) return "{ file = " + path + " }";
    return "{ file = " + path + ", tensor = " + quoted(array) + " }";
  }

  /// A file as the value of a key.
  std::string file(const std::string& name) { return quoted(located(name).generic_string()); }

private:
  fs::path located(const std::string& file) {
    if (is_in_memory(file)) {
      if (copy_) write_output(folder_ / file, memory_file_content(file));
      return file;
    }
    const fs::path relative = fs::proximate(fs::absolute(file), fs::absolute(folder_));
    if (!copy_ || relative.begin()->string() != "..") return relative;
    const auto known = copies_.find(file);
    if (known != copies_.end()) return known->second;
    fs::path name = fs::path(file).filename();
    for (int k = 2; !names_.insert(name.string()).second; ++k)
      name = fs::path(file).stem().string() + "-" + std::to_string(k) + fs::path(file).extension().string();
    std::error_code error;
    fs::create_directories(folder_, error);
    fs::copy_file(file, folder_ / name, fs::copy_options::overwrite_existing, error);
    if (error)
      throw InputError(file, "", "cannot be copied to " + folder_.string() + " (" + error.message() + ")",
                       "a folder for --out that is writable and has room");
    return copies_[file] = name;
  }

  fs::path folder_;
  bool copy_;
  std::map<std::string, fs::path> copies_;
  std::set<std::string> names_;
};

std::vector<std::size_t> shape_of(const std::string& argument, const std::string& option, std::size_t least,
                                  std::size_t most) {
  const std::vector<std::size_t> shape = shape_of_array_argument(argument);
  if (shape.size() < least || shape.size() > most)
    throw InputError(argument, "", "has shape " + shape_text(shape) + ", which does not fit " + option,
                     "an array of " + std::to_string(least) +
                         (most > least ? " or " + std::to_string(most) : "") + " dimensions");
  return shape;
}

// Refuses an array (empty: none) whose shape is not the one that the others imply.
void expect_shape(const std::string& argument, const std::string& option,
                  const std::vector<std::size_t>& expected) {
  if (argument.empty()) return;
  const std::vector<std::size_t> shape = shape_of_array_argument(argument);
  if (shape != expected)
    throw InputError(argument, "",
                     "has shape " + shape_text(shape) + ", which does not fit the other arrays as " + option,
                     "shape " + shape_text(expected));
}

// Whether the logits are scaled because the layout's models do so.
bool default_scale(const QuestionOptions& o) {
  return !o.weights.empty() && o.logit_scale.empty() && !find_layout(o.layout)->stacked;
}

// What the answer is about, where that is not what was typed.
std::vector<std::string> notes(const QuestionOptions& o) {
  std::vector<std::string> out;
  if (o.weights.empty()) return out;
  if (default_scale(o))
    out.push_back("the logits are multiplied by 1/sqrt(d_h), as in models of layout " + o.layout +
                  "; --logit-scale says otherwise");
  if (const std::string left_out = find_layout(o.layout)->left_out; !left_out.empty())
    out.push_back(left_out);
  return out;
}

std::string case_text(const QuestionOptions& o, ArrayValues arrays,
                      const std::vector<std::string>& statements, const std::string& title) {
  const std::vector<std::size_t> contexts =
      shape_of(o.contexts, "--contexts: (n, d) shared by all examples, or (T, n, d)", 2, 3);
  const std::vector<std::size_t> queries = shape_of(o.queries, "--queries: (T, d)", 2, 2);
  std::size_t heads = o.heads, head_dim = o.head_dim;
  const bool weights = !o.key.empty() || !o.query.empty() || !o.combined.empty();
  if (!o.weights.empty()) {
    WeightSizes sizes{heads, contexts.back(), head_dim};
    read_layout_argument(*find_layout(o.layout), o.prefix, o.weights, sizes);
    heads = sizes.heads;
    head_dim = sizes.head_dim;
  }
  if (!o.key.empty() || !o.combined.empty()) {
    const std::vector<std::size_t> shape =
        shape_of(o.key.empty() ? o.combined : o.key, "--key: (H, d, d_h), --combined: (H, d, d)", 3, 3);
    const std::string& weights_file = o.key.empty() ? o.combined : o.key;
    if (heads != 0 && heads != shape[0])
      throw InputError(
          weights_file, "",
          "has " + std::to_string(shape[0]) + " heads, but --heads says " + std::to_string(heads),
          "--heads only for arrays without weights");
    if (head_dim != 0 && head_dim != shape[2] && !o.key.empty())
      throw InputError(weights_file, "",
                       "has the head dimension " + std::to_string(shape[2]) + ", but --head-dim says " +
                           std::to_string(head_dim),
                       "--head-dim only for arrays without weights");
    heads = shape[0];
    if (head_dim == 0) head_dim = shape[2];
  }
  if (heads == 0)
    heads = 1;  // the statements that are asked for without weights and --heads do not depend on it
  if (head_dim == 0) head_dim = contexts.back();
  const std::size_t T = queries[0], d = contexts.back();
  expect_shape(o.queries, "--queries", {T, d});
  if (contexts.size() == 3) expect_shape(o.contexts, "--contexts", {T, contexts[1], d});
  expect_shape(o.key, "--key", {heads, d, head_dim});
  expect_shape(o.query, "--query", {heads, d, head_dim});
  expect_shape(o.combined, "--combined", {heads, d, d});
  expect_shape(o.key_bias, "--key-bias", {heads, head_dim});
  expect_shape(o.query_bias, "--query-bias", {heads, head_dim});
  // A single large Z gets all cores.
  constexpr std::size_t kLargeZ = 2000000;
  if (queries[0] * heads * contexts.back() >= kLargeZ)
    blas::use_threads(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  std::ostringstream text;
  text << "format = 1\ntitle = " << quoted(title) << "\n\n[layer]\nheads = " << heads
       << "\ncontext = " << contexts[contexts.size() - 2] << "\nembed_dim = " << contexts.back()
       << "\nhead_dim = " << head_dim << "\nexamples = " << queries[0] << "\nbase = " << quoted(o.base)
       << "\n";
  if (!o.logit_scale.empty()) text << "logit_scale = " << quoted(o.logit_scale) << "\n";
  if (default_scale(o)) text << "logit_scale = \"1/sqrt(d_h)\"\n";
  text << "\n[data]\ncontexts = " << arrays.value(o.contexts) << "\nqueries = " << arrays.value(o.queries)
       << "\n";
  if (weights) {
    text << "\n[weights]\n";
    for (const auto& [key, value] : {std::pair{"key", o.key},
                                     {"query", o.query},
                                     {"combined", o.combined},
                                     {"key_bias", o.key_bias},
                                     {"query_bias", o.query_bias}})
      if (!value.empty()) text << key << " = " << arrays.value(value) << "\n";
  }
  if (!o.weights.empty()) {
    text << "\n[weights]\nlayout = " << quoted(o.layout) << "\nfile = " << arrays.file(o.weights) << "\n";
    if (!o.prefix.empty()) text << "prefix = " << quoted(o.prefix) << "\n";
  }
  for (const std::string& statement : statements)
    text << "\n[[claim]]\nstatement = " << quoted(statement) << "\n";
  return text.str();
}

// An error about the case file that was written for the question, as one about the question: nobody has seen
// that file.
std::string about_the_question(const std::string& error, const fs::path& file, const std::string& name) {
  const std::string start = file.string() + ": ";
  if (error.compare(0, start.size(), start) != 0) return error;
  const std::string rest = error.substr(start.size());
  static const std::regex place("^line [0-9]+, column [0-9]+: ");
  return "attest " + name + ": " + std::regex_replace(rest, place, "");
}

std::string answer(const Json& claim) {
  std::string text = claim["statement"].get<std::string>() + ": " + claim["verdict"].get<std::string>();
  const std::string found = describe(claim);
  if (!found.empty()) text += "; " + found;
  return text;
}

// Runs the statements on the arrays; a statement that is refuted is an answer, not a failure.
int ask(const QuestionOptions& o, const std::string& name, const std::vector<std::string>& statements,
        const std::string& title) {
  const bool kept = !o.out.empty() && o.out != "-";
  std::optional<TemporaryFolder> temporary;
  if (!kept) temporary.emplace();
  const fs::path folder = kept ? fs::path(o.out) : temporary->path();
  const fs::path file = folder / (name + ".toml");
  write_output(file, case_text(o, ArrayValues(folder, kept), statements, title),
               "a folder for --out that is writable and has room");
  CaseOptions options = o.each;
  options.allow_outside = true;
  limit_process(options);
  const CaseOutcome outcome = run_case(file, folder / (name + ".json"), options);
  if (!outcome.error.empty()) {
    std::cerr << about_the_question(outcome.error, file, name) << "\n";
    return outcome.status;
  }
  if (observer) observer(file, folder / (name + ".json"));
  const Json& claims = outcome.report["claims"];
  if (o.out == "-") std::cout << case_text(o, ArrayValues(".", false), statements, title) << "\n";
  if (o.json && o.out != "-") std::cout << json_text(claims, 1) << "\n";
  bool undecided = false;
  for (const Json& claim : claims) {
    undecided = undecided || claim["verdict"] == "undecided";
    if (o.out == "-")
      std::cout << "# " << printable(answer(claim)) << "\n";
    else if (!o.json)
      std::cout << printable(answer(claim)) << "\n";
  }
  // Standard output of --json is JSON alone.
  for (const std::string& note : notes(o))
    (o.json && o.out != "-" ? std::cerr : std::cout)
        << (o.out == "-" ? "# " : "") << "note: " << note << "\n";
  if (kept && !o.json)
    std::cout << "certificate: " << printable((folder / (name + ".json")).generic_string()) << "\n";
  return undecided ? kLimit : kAsExpected;
}

}  // namespace

void on_answer(AnswerObserver wanted) {
  observer = std::move(wanted);
}

int ask_rank(const QuestionOptions& o) {
  if (o.key.empty() && o.combined.empty() && o.weights.empty())
    throw InputError("attest rank", "", "there are no weights",
                     "--key and --query, --combined, or --weights and --layout; attest capacity asks for the "
                     "largest rank over all weights");
  if (!o.weights.empty() && find_layout(o.layout) == nullptr) {
    const auto [wrong, right] = layout_defect(o.layout);
    throw InputError("attest rank", "", wrong, right);
  }
  return ask(o, "rank", {"rank"}, "The rank of Z for these arrays");
}

int ask_capacity(const QuestionOptions& o) {
  if (o.heads == 0)
    throw InputError("attest capacity", "", "the number of heads is missing",
                     "--heads, and --head-dim unless it is d");
  return ask(o, "capacity", {"capacity", "affine-hull-bound"}, "The largest rank of Z over all weights");
}

int ask_assumptions(const QuestionOptions& o) {
  std::vector<std::string> statements = {"assumption-1", "assumption-2", "assumption-3", "kruskal-rank",
                                         "general-position"};
  if (o.heads != 0) statements.push_back("affine-hull-bound");  // it depends on H
  return ask(o, "assumptions", statements, "What holds of these arrays");
}

}  // namespace attest
