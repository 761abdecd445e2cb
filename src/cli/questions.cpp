#include "cli/questions.hpp"

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "exact/modular.hpp"
#include "input/array_files.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A folder that disappears with its contents.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "attest-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw InputError(name, "", "no temporary folder can be made", "a writable folder for temporary files");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

std::string quoted(const std::string& text) {
  return Json(text).dump();
}

// An array argument as the value of a key, relative to the folder of the case.
std::string array_value(const std::string& argument, const fs::path& folder) {
  const auto [file, array] = split_array_argument(argument);
  const std::string path = quoted(fs::proximate(fs::absolute(file), fs::absolute(folder)).generic_string());
  if (array.empty()) return "{ file = " + path + " }";
  return "{ file = " + path + ", tensor = " + quoted(array) + " }";
}

std::vector<std::size_t> shape_of(const std::string& argument, const std::string& option, std::size_t least,
                                  std::size_t most) {
  const std::vector<std::size_t> shape = read_array_argument(argument).shape();
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
  const std::vector<std::size_t> shape = read_array_argument(argument).shape();
  if (shape != expected)
    throw InputError(argument, "",
                     "has shape " + shape_text(shape) + ", which does not fit the other arrays as " + option,
                     "shape " + shape_text(expected));
}

std::string case_text(const QuestionOptions& o, const fs::path& folder,
                      const std::vector<std::string>& statements, const std::string& title) {
  const std::vector<std::size_t> contexts =
      shape_of(o.contexts, "--contexts: (n, d) shared by all examples, or (T, n, d)", 2, 3);
  const std::vector<std::size_t> queries = shape_of(o.queries, "--queries: (T, d)", 2, 2);
  std::size_t heads = o.heads == 0 ? 1 : o.heads, head_dim = o.head_dim;
  const bool weights = !o.key.empty() || !o.query.empty() || !o.combined.empty();
  if (!o.key.empty() || !o.combined.empty()) {
    const std::vector<std::size_t> shape =
        shape_of(o.key.empty() ? o.combined : o.key, "--key: (H, d, d_h), --combined: (H, d, d)", 3, 3);
    heads = shape[0];
    if (head_dim == 0) head_dim = shape[2];
  }
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
  text << "\n[data]\ncontexts = " << array_value(o.contexts, folder)
       << "\nqueries = " << array_value(o.queries, folder) << "\n";
  if (weights) {
    text << "\n[weights]\n";
    for (const auto& [key, value] : {std::pair{"key", o.key},
                                     {"query", o.query},
                                     {"combined", o.combined},
                                     {"key_bias", o.key_bias},
                                     {"query_bias", o.query_bias}})
      if (!value.empty()) text << key << " = " << array_value(value, folder) << "\n";
  }
  for (const std::string& statement : statements)
    text << "\n[[claim]]\nstatement = " << quoted(statement) << "\n";
  return text.str();
}

// Runs the statements on the arrays; a statement that is refuted is an answer, not a failure.
int ask(const QuestionOptions& o, const std::string& name, const std::vector<std::string>& statements,
        const std::string& title) {
  std::optional<TemporaryFolder> temporary;
  if (o.out.empty()) temporary.emplace();
  const fs::path folder = temporary ? temporary->path() : fs::path(o.out);
  const fs::path file = folder / (name + ".toml");
  write_atomically(file, case_text(o, folder, statements, title));
  VerifyOptions options;
  options.allow_outside = true;
  const CaseOutcome outcome = run_case(file, folder / (name + ".json"), options);
  if (!outcome.error.empty()) {
    std::cerr << outcome.error << "\n";
    return outcome.status;
  }
  bool undecided = false;
  for (const Json& claim : outcome.report["claims"]) undecided = undecided || claim["verdict"] == "undecided";
  if (o.json) {
    std::cout << outcome.report["claims"].dump(1) << "\n";
  } else {
    for (const Json& claim : outcome.report["claims"]) {
      std::cout << claim["statement"].get<std::string>() << ": " << claim["verdict"].get<std::string>();
      const std::string result = describe_result(claim);
      if (!result.empty()) std::cout << "; " << result;
      if (claim["reason"].is_string()) std::cout << " (" << claim["reason"].get<std::string>() << ")";
      std::cout << "\n";
    }
    if (!temporary)
      std::cout << "certificate: " << (folder / (name + ".json")).generic_string()
                << " (check it with --allow-outside)\n";
  }
  return undecided ? kLimit : kAsExpected;
}

}  // namespace

int ask_rank(const QuestionOptions& o) {
  const bool weights = !o.key.empty() || !o.query.empty() || !o.combined.empty();
  return ask(o, "rank", {weights ? "rank" : "affine-hull-bound"},
             weights ? "The rank of Z for these arrays" : "The bound of rank(Z) for all weights");
}

int ask_assumptions(const QuestionOptions& o) {
  return ask(o, "assumptions",
             {"assumption-1", "assumption-2", "kruskal-rank", "general-position", "affine-hull-bound"},
             "What holds of these arrays");
}

}  // namespace attest
