#include "answer/questions.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "answer/question_extras.hpp"
#include "answer/rank_basis.hpp"
#include "answer/results.hpp"
#include "base/output.hpp"
#include "base/progress_line.hpp"
#include "base/temporary_folder.hpp"
#include "base/text.hpp"
#include "exact/modular.hpp"
#include "input/array_files.hpp"
#include "input/digest.hpp"
#include "input/layouts.hpp"
#include "proofs/rank.hpp"
#include "words/claim_result.hpp"
#include "words/markup.hpp"

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
  /// How a case in `folder` names files elsewhere: as copies that are made in it, as they lie beside it, or
  /// (in a folder that nobody knows) as the user would find them.
  enum class Names { copied, relative, absolute };
  ArrayValues(fs::path folder, Names names) : folder_(std::move(folder)), how_(names) {}

  /// An array argument as the value of a key.
  std::string value(const std::string& argument, const std::string& more = "") {
    const auto [file, array] = split_array_argument(argument);
    const std::string path = this->file(file);
    if (array.empty()) return "{ file = " + path + more + " }";
    return "{ file = " + path + ", tensor = " + quoted(array) + more + " }";
  }

  /// A file as the value of a key.
  std::string file(const std::string& name) { return quoted(located(name).generic_string()); }

private:
  fs::path located(const std::string& file) {
    if (is_in_memory(file)) {
      if (how_ == Names::copied) write_output(folder_ / file, memory_file_content(file));
      return file;
    }
    if (how_ == Names::absolute) return fs::absolute(file);
    const fs::path relative = fs::proximate(fs::absolute(file), fs::absolute(folder_));
    if (how_ == Names::relative || relative.begin()->string() != "..") return relative;
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
  Names how_;
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
  if (std::ranges::count(shape, 0) > 0)
    throw InputError(argument, "", "has shape " + shape_text(shape) + " and so no entries, as " + option,
                     "every dimension is at least 1");
  return shape;
}

// Refuses an array (empty: none) whose shape is not the one that the others imply.
void expect_shape(const std::string& argument, const std::string& option,
                  const std::vector<std::size_t>& expected) {
  if (argument.empty()) return;
  const std::vector<std::size_t> shape = shape_of_array_argument(argument);
  if (shape == expected) return;
  std::vector<std::size_t> transposed = shape;
  if (shape.size() > 1) std::swap(transposed.back(), transposed[shape.size() - 2]);
  throw InputError(argument, "",
                   "has shape " + shape_text(shape) + ", which does not fit the other arrays as " + option +
                       (transposed == expected ? ": it is transposed" : ""),
                   "shape " + shape_text(expected));
}

bool projected(const QuestionOptions& o) {
  return !o.projected_queries.empty() || !o.logits.empty();
}

// Whether the logits are scaled because the layout's models do so.
bool default_scale(const QuestionOptions& o) {
  if (!o.logit_scale.empty()) return false;
  return !o.projected_queries.empty() || (!o.weights.empty() && !find_layout(o.layout)->stacked);
}

// Whether every example has n tokens that it shares with no other, or all have the same n.
bool of_one_length(const QuestionOptions& o) {
  if (o.causal || !o.mask.empty()) return false;
  return o.hidden.empty() || o.positions.find_first_not_of("0123456789") == std::string::npos ||
         o.positions == "last" || shape_of_array_argument(o.hidden).front() == 1;
}

// What the answer is about, where that is not what was typed.
std::vector<std::string> notes(const QuestionOptions& o, const std::vector<std::string>& statements) {
  std::vector<std::string> out;
  if (statements.front() == "any-labels")
    out.push_back("without --labels: any labels are fitted exactly when rank(Z) = T");
  if (statements.front() == "kruskal-rank")
    out.push_back(
        "Assumptions 1 to 3 are about contexts of n tokens that share none, and are not asked here");
  if (default_scale(o))
    out.push_back("the logits are multiplied by 1/sqrt(d_h), as in " +
                  (o.weights.empty() ? "transformers" : "models of layout " + o.layout) +
                  "; --logit-scale says otherwise");
  if (!o.logits.empty() && o.head_dim == 0)
    out.push_back(
        "logits do not show the head dimension; d_h = d is taken where a number of the paper needs "
        "it (--head-dim)");
  if (o.weights.empty()) return out;
  if (const std::string left_out = find_layout(o.layout)->left_out; !left_out.empty())
    out.push_back(left_out);
  return out;
}

// T, n and d.
struct Examples {
  std::size_t count = 0, context = 0, embed_dim = 0;
  std::string positions;  // as a value of TOML
};

// --positions as a value of TOML, and how many examples each of S sequences of n tokens has.
Examples hidden_examples(const QuestionOptions& o) {
  const std::vector<std::size_t> shape = shape_of(o.hidden, "--hidden: (S, L, d)", 3, 3);
  Examples result{shape[0], shape[1], shape[2], quoted(o.positions)};
  if (o.positions == "last") return result;
  if (o.positions == "all") {
    result.count = shape[0] * shape[1];
    if (o.mask.empty()) return result;
    expect_shape(o.mask, "--mask", {shape[0], shape[1]});
    const ExactArray mask = read_array_argument(o.mask);
    result.count = 0;
    for (std::size_t k = 0; k < mask.size(); ++k) result.count += mask.at(k) == 0 ? 0 : 1;
    return result;
  }
  static const std::regex list("[0-9]{1,18}(,[0-9]{1,18})*");
  if (!std::regex_match(o.positions, list))
    throw InputError("attest", "--positions", "positions are " + in_quotes(o.positions),
                     "last, all, or positions counted from 0, like 0,5");
  result.count =
      shape[0] * (1 + static_cast<std::size_t>(std::count(o.positions.begin(), o.positions.end(), ',')));
  result.positions = "[";  // whatever zeros they begin with
  std::istringstream positions(o.positions);
  for (std::string each; std::getline(positions, each, ',');)
    result.positions += (result.positions.size() > 1 ? ", " : "") + std::to_string(std::stoull(each));
  result.positions += "]";
  return result;
}

Examples examples_of(const QuestionOptions& o) {
  if (!o.hidden.empty()) return hidden_examples(o);
  const std::vector<std::size_t> contexts =
      shape_of(o.contexts, "--contexts: (n, d) shared by all examples, or (T, n, d)", 2, 3);
  Examples result{0, contexts[contexts.size() - 2], contexts.back(), ""};
  if (!o.logits.empty())
    result.count = shape_of(o.logits, "--logits: (T, H, n)", 3, 3)[0];
  else if (projected(o))
    result.count = shape_of(o.projected_queries, "--projected-queries: (T, H, d_h)", 3, 3)[0];
  else
    result.count = shape_of(o.queries, "--queries: (T, d)", 2, 2)[0];
  if (!o.logits.empty()) {
    const std::vector<std::size_t> logits = shape_of_array_argument(o.logits);
    const bool turned = logits[1] == result.context;
    if (logits[2] != result.context)
      expect_shape(o.logits, "--logits", {result.count, logits[turned ? 2 : 1], result.context});
  }
  expect_shape(o.mask, "--mask", {result.count, result.context});
  expect_shape(o.queries, "--queries", {result.count, result.embed_dim});
  if (contexts.size() == 3)
    expect_shape(o.contexts, "--contexts", {result.count, result.context, result.embed_dim});
  return result;
}

// A number that an array and an option say.
std::size_t agreed(std::size_t found, std::size_t given, const std::string& array, const std::string& what,
                   const std::string& option) {
  if (given != 0 && given != found)
    throw InputError(array, "",
                     "has the " + what + " " + std::to_string(found) + ", but " + option + " says " +
                         std::to_string(given),
                     option + " only for arrays that do not show it");
  return found;
}

// The arrays of the whole layer, as keys of [weights].
std::vector<std::pair<const char*, std::string>> whole_layer(const QuestionOptions& o) {
  return {{"value", o.value},      {"value_bias", o.value_bias},
          {"output", o.output},    {"output_bias", o.output_bias},
          {"readout", o.readout},  {"readout_bias", o.readout_bias},
          {"skip", o.skip_vectors}};
}

// How many scores the whole layer has: what its last matrix says. The case says what else has to fit.
std::size_t scores_of(const QuestionOptions& o, const Weights& from_layout, std::size_t heads,
                      std::size_t d) {
  if (!o.readout.empty()) return shape_of(o.readout, "--readout: (m, d_out)", 2, 2)[1];
  if (!o.readout_linear.empty()) return shape_of(o.readout_linear, "--readout-linear: (d_out, m)", 2, 2)[0];
  if (from_layout.output) return from_layout.output->shape().back();
  if (!o.output.empty()) return shape_of(o.output, "--output: (H, d_v, m) or (H d_v, m)", 2, 3).back();
  if (from_layout.value) return heads * from_layout.value->shape().back();
  return heads * (o.value.empty() ? d : shape_of(o.value, "--value: (H, d, d_v)", 3, 3)[2]);
}

std::string case_text(const QuestionOptions& o, ArrayValues arrays,
                      const std::vector<std::string>& statements, const std::string& title) {
  const auto [T, n, d, positions] = examples_of(o);
  std::size_t heads = o.heads, head_dim = o.head_dim;
  const bool weights = !o.key.empty() || !o.query.empty() || !o.combined.empty(),
             accuracy = statements.front() == "accuracy";
  Weights from_layout;
  if (!o.weights.empty()) {
    WeightSizes sizes{heads, d, head_dim};
    from_layout = read_layout_argument(*find_layout(o.layout), o.prefix, o.weights, sizes, accuracy);
    heads = sizes.heads;
    head_dim = sizes.head_dim;
  }
  if (!o.key.empty() || !o.combined.empty()) {
    const std::vector<std::size_t> shape =
        shape_of(o.key.empty() ? o.combined : o.key, "--key: (H, d, d_h), --combined: (H, d, d)", 3, 3);
    const std::string& weights_file = o.key.empty() ? o.combined : o.key;
    if (shape[1] != d && shape[2] == d) expect_shape(o.key, "--key", {shape[0], d, shape[1]});
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
  if (!o.projected_queries.empty()) {
    const std::vector<std::size_t> shape =
        shape_of(o.projected_queries, "--projected-queries: (T, H, d_h), with --hidden also (S, L, H, d_h)",
                 3, o.hidden.empty() ? 3 : 4);
    heads = agreed(shape[shape.size() - 2], heads, o.projected_queries, "number of heads", "--heads");
    head_dim = agreed(shape.back(), head_dim, o.projected_queries, "head dimension", "--head-dim");
  }
  if (!o.logits.empty()) {
    const std::vector<std::size_t> shape = shape_of(
        o.logits, "--logits: (T, H, n), with --hidden also (S, H, L, L)", 3, o.hidden.empty() ? 3 : 4);
    heads = agreed(shape[1], heads, o.logits, "number of heads", "--heads");
  }
  std::size_t d_out = 1;
  if (!o.labels.empty()) {
    const std::vector<std::size_t> shape = shape_of(o.labels, "--labels: (T) or (T, d_out)", 1, 2);
    if (shape[0] != T)
      expect_shape(o.labels, "--labels", shape.size() == 1 ? std::vector{T} : std::vector{T, shape[1]});
    if (shape.size() == 2) d_out = shape[1];
  }
  if (heads == 0)
    heads = 1;  // the statements that are asked for without weights and --heads do not depend on it
  if (accuracy) {
    const std::size_t scores = scores_of(o, from_layout, heads, d);
    if (!o.labels.empty() && scores != d_out)
      throw InputError(o.labels, "",
                       "has " + std::to_string(d_out) + " labels for each example, but the layer puts out " +
                           std::to_string(scores) + " scores",
                       "as many; --readout is the matrix that makes the scores");
    d_out = scores;
  }
  if (head_dim == 0) head_dim = d;
  expect_shape(o.key, "--key", {heads, d, head_dim});
  expect_shape(o.query, "--query", {heads, d, head_dim});
  expect_shape(o.combined, "--combined", {heads, d, d});
  expect_shape(o.key_bias, "--key-bias", {heads, head_dim});
  expect_shape(o.query_bias, "--query-bias", {heads, head_dim});
  // A single large Z gets all cores.
  constexpr std::size_t kLargeZ = 2000000;
  if (o.jobs != 0 || T * heads * d >= kLargeZ)
    blas::use_threads(
        static_cast<int>(o.jobs != 0 ? o.jobs : std::max(1u, std::thread::hardware_concurrency())));
  std::ostringstream text;
  text << "format = 1\ntitle = " << quoted(title) << "\n\n[layer]\nheads = " << heads << "\ncontext = " << n
       << "\nembed_dim = " << d << "\nhead_dim = " << head_dim << "\nexamples = " << T
       << (o.labels.empty() && !accuracy ? "" : "\noutput_dim = " + std::to_string(d_out))
       << "\nbase = " << quoted(o.base) << "\n";
  if (!o.logit_scale.empty()) text << "logit_scale = " << quoted(o.logit_scale) << "\n";
  if (default_scale(o)) text << "logit_scale = \"1/sqrt(d_h)\"\n";
  text << "\n[data]\n";
  for (const auto& [key, value] : {std::pair{"contexts", o.contexts},
                                   {"queries", o.queries},
                                   {"labels", o.labels},
                                   {"hidden", o.hidden},
                                   {"mask", o.mask}})
    if (!value.empty()) text << key << " = " << arrays.value(value) << "\n";
  if (!o.hidden.empty()) text << "positions = " << positions << (o.causal ? "\ncausal = true" : "") << "\n";
  if (projected(o)) {
    text << "\n[weights]\n";
    for (const auto& [key, value] : {std::pair{"projected_queries", o.projected_queries},
                                     {"projected_keys", o.projected_keys},
                                     {"logits", o.logits}})
      if (!value.empty()) text << key << " = " << arrays.value(value) << "\n";
  }
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
  for (const auto& [key, value] : whole_layer(o))
    if (!value.empty()) text << key << " = " << arrays.value(value) << "\n";
  if (!o.readout_linear.empty())
    text << "readout = " << arrays.value(o.readout_linear, ", transpose = true") << "\n";
  if (o.skip) text << "skip = true\n";
  for (const std::string& statement : statements) {
    const bool any_labels = statement == "any-labels";  // are fitted when the rows of Z are independent
    text << "\n[[claim]]\nstatement = " << quoted(any_labels ? "rank" : statement) << "\n";
    if (any_labels) text << "at_least = " << T << "\n";
    if (statement == "numerical-rank") text << "tolerance = " << quoted(o.tolerance) << "\n";
    if (!o.classes.empty()) text << "classes = " << arrays.value(o.classes) << "\n";
    if (!o.epsilon.empty()) text << "epsilon = " << quoted(o.epsilon) << "\n";
    if (statement != "saturation") continue;
    text << "threshold = " << quoted(o.threshold) << "\n";
    for (std::size_t h = 0; h < heads; ++h)
      text << "\n[[claim]]\nstatement = \"saturation\"\nhead = " << h
           << "\nthreshold = " << quoted(o.threshold) << "\n";
  }
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

std::vector<std::string> answer(const Json& claim) {
  std::string text = claim["statement"].get<std::string>();
  const std::string arguments = claim.value("arguments", "");
  text += (arguments.empty() ? "" : " (" + arguments + ")") + ": " + claim["verdict"].get<std::string>();
  const std::string found = describe(claim);
  if (!found.empty()) text += "; " + found;
  std::vector<std::string> lines = {text};
  for (const std::string& line : extras_text(claim)) lines.push_back(line);
  for (const Json& value : claim.value("singular_values", Json::array()))
    lines.push_back("  singular value " + std::to_string(value["index"].get<std::size_t>()) +
                    " (from 0) lies in [" + value["lower"].dump() + ", " + value["upper"].dump() + "]");
  if (const auto sampled = claim.find("sampled"); sampled != claim.end()) {
    const Json& share = (*sampled)["dependent_share"];
    lines.push_back("  estimate, not a proof: of " + (*sampled)["samples"].dump() + " random subsets of " +
                    (*sampled)["size"].dump() + " vectors (seed " + (*sampled)["seed"].dump() + ") " +
                    (*sampled)["independent"].dump() + " are independent, " + (*sampled)["dependent"].dump() +
                    " dependent, " + (*sampled)["open"].dump() + " open; share of dependent subsets: " +
                    share["lower"].dump() + " to " + share["upper"].dump() + " (Clopper-Pearson, 95 %)");
  }
  return lines;
}

// Whether the options say which vectors are contexts and queries; they are required by hand, because
// --hidden and projected queries take their place.
void require_data(const QuestionOptions& o, const std::string& name) {
  if (o.hidden.empty() && o.contexts.empty())
    throw InputError(name, "", "there are no contexts",
                     "--contexts, or --hidden and --positions; see --help");
  if (o.hidden.empty() && o.queries.empty() && !projected(o))
    throw InputError(name, "", "there are no queries", "--queries, or --hidden and --positions; see --help");
}

void require_weights(const QuestionOptions& o, const std::string& name) {
  if (o.key.empty() && o.combined.empty() && o.weights.empty() && !projected(o))
    throw InputError(name, "", "there are no weights",
                     "--key and --query, --combined, --weights and --layout, --projected-queries and "
                     "--projected-keys, or --logits; attest capacity asks for the largest rank over all "
                     "weights; see --help");
  if (!o.weights.empty() && find_layout(o.layout) == nullptr) {
    const auto [wrong, right] = layout_defect(o.layout);
    throw InputError(name, "", wrong, right);
  }
}

// Runs the statements on the arrays; a statement that is refuted is an answer, not a failure.
int ask(const QuestionOptions& o, const std::string& name, const std::vector<std::string>& statements,
        const std::string& title) {
  require_data(o, "attest " + name);
  if (is_standard_output(o.svg))
    throw InputError("--svg", "", in_quotes(o.svg) + " is standard output, where the answer goes", "a file");
  const bool kept = !o.out.empty() && o.out != "-";
  std::optional<TemporaryFolder> temporary;
  if (!kept) temporary.emplace();
  const fs::path folder = kept ? fs::path(o.out) : temporary->path();
  const fs::path file = folder / (name + ".toml");
  write_output(
      file,
      case_text(o, ArrayValues(folder, kept ? ArrayValues::Names::copied : ArrayValues::Names::absolute),
                statements, title),
      "a folder for --out that is writable and has room");
  CaseOptions options = o.each;
  options.allow_outside = true;
  // Before the limits, as it needs a thread. A host shows it itself.
  std::optional<ProgressLine> shown;
  if (!observer) shown.emplace(o.progress);
  report_progress("reading", 0, 0);
  limit_process(options);
  std::vector<RankBasis> bases;
  for (const std::string& basis : o.combine) bases.push_back(read_basis(basis));
  std::size_t examples = 0;
  // The case is read in the meantime: what the bases are about shows before anything is proved.
  const KnownCase combine = [&](const Case& c, const std::string& digest) {
    examples = c.layer->examples;
    if (!bases.empty()) options.rows_of_z = combined_rows(bases, o.combine, digest, examples);
    return false;
  };
  CaseOutcome outcome = run_case(file, folder / (name + ".json"), options, combine);
  std::string extras_error;  // the answer is there all the same
  int extras_status = kBadInput;
  if (outcome.error.empty()) {
    try {
      report_progress("what is shown beside the answer", 0, 0);
      add_extras(o, file, examples, outcome.certificate, outcome.report["claims"]);
    } catch (const InputError& e) {
      extras_error = e.what();
    } catch (const LimitError& e) {
      extras_error = e.what();
      extras_status = kLimit;
    }
  }
  shown.reset();
  if (kept) sync_outputs(folder);
  if (!outcome.error.empty()) {
    complain(about_the_question(outcome.error, file, name));
    return outcome.status;
  }
  if (observer) observer(file, folder / (name + ".json"));
  const Json& claims = outcome.report["claims"];
  if (o.out == "-")
    std::cout << case_text(o, ArrayValues(".", ArrayValues::Names::relative), statements, title) << "\n";
  if (o.json && o.out != "-") std::cout << json_text(claims, 1) << "\n";
  bool undecided = false;
  for (const Json& claim : claims) {
    undecided = undecided || claim["verdict"] == "undecided";
    if (o.json && o.out != "-") continue;
    for (const std::string& line : answer(claim))
      std::cout << (o.out == "-" ? "# " : "") << printable(line) << "\n";
  }
  // Standard output of --json is JSON alone.
  for (const std::string& note : notes(o, statements))
    (o.json && o.out != "-" ? std::cerr : std::cout)
        << (o.out == "-" ? "# " : "") << "note: " << note << "\n";
  if (kept && !o.json)
    std::cout << "certificate: " << printable((folder / (name + ".json")).generic_string()) << "\n";
  if (!extras_error.empty()) {
    complain(extras_error);
    return extras_status;
  }
  return undecided ? kLimit : kAsExpected;
}

}  // namespace

namespace {

// Writes the basis of a block of rows of Z.
int ask_basis(const QuestionOptions& o) {
  RankBasis basis = parse_rows(o.rows);
  require_data(o, "attest rank");
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "rank.toml";
  write_output(file, case_text(o, ArrayValues(folder.path(), ArrayValues::Names::absolute), {"rank"},
                               "A block of rows of Z"));
  limit_process(o.each);
  ReadOptions reading;
  reading.allow_outside = true;
  reading.memory_limit = o.each.memory;
  try {
    const Case c = read_case(file, reading);
    const std::size_t examples = c.layer->examples;
    if (basis.last > examples)
      throw InputError("--rows", "",
                       in_quotes(o.rows) + " goes beyond the " + std::to_string(examples) + " examples",
                       "a:b with 0 <= a < b <= T");
    basis.digest = problem_digest(c);
    basis.members = basis_of_rows(c, basis.first, basis.last);
  } catch (const InputError& e) {
    throw InputError("attest rank", "", about_the_question(e.what(), file, "rank"));
  }
  write_basis(basis, o.basis);
  std::cout << "a basis of the rows " << basis.first << ":" << basis.last << " of Z: " << basis.members.size()
            << (basis.members.size() == 1 ? " row\n" : " rows\n");
  return kAsExpected;
}

}  // namespace

void on_answer(AnswerObserver wanted) {
  observer = std::move(wanted);
}

int ask_rank(const QuestionOptions& o) {
  require_weights(o, "attest rank");
  if (!o.rows.empty()) return ask_basis(o);
  return ask(o, "rank", {"rank"}, "The rank of Z for these arrays");
}

int ask_memorizes(const QuestionOptions& o) {
  require_weights(o, "attest memorizes");
  return ask(o, "memorizes", {o.labels.empty() ? "any-labels" : "memorizes"},
             "Whether a read-out of this layer fits the labels");
}

int ask_saturation(const QuestionOptions& o) {
  require_weights(o, "attest saturation");
  return ask(o, "saturation", {"saturation"}, "Saturated heads: coefficients above " + o.threshold);
}

int ask_numerical_rank(const QuestionOptions& o) {
  require_weights(o, "attest numerical-rank");
  return ask(o, "numerical-rank", {"numerical-rank"}, "Singular values of Z above " + o.tolerance);
}

int ask_accuracy(const QuestionOptions& o) {
  require_weights(o, "attest accuracy");
  if (o.classes.empty() == o.epsilon.empty())
    throw InputError("attest accuracy", "", "nothing says what is right",
                     "--classes, or --labels and --epsilon; see --help");
  return ask(o, "accuracy", {"accuracy"}, "How many examples the exact output of this layer gets right");
}

int ask_injective(const QuestionOptions& o) {
  require_weights(o, "attest injective");
  return ask(o, "injective", {"injective"}, "Whether different examples have different outputs");
}

int ask_capacity(const QuestionOptions& o) {
  if (o.heads == 0)
    throw InputError("attest capacity", "", "the number of heads is missing",
                     "--heads, and --head-dim unless it is d");
  return ask(o, "capacity", {"capacity", "affine-hull-bound"}, "The largest rank of Z over all weights");
}

int ask_assumptions(const QuestionOptions& o) {
  require_data(o, "attest assumptions");
  std::vector<std::string> statements = {"kruskal-rank", "general-position"};
  if (of_one_length(o))
    statements.insert(statements.begin(), {"assumption-1", "assumption-2", "assumption-3"});
  if (o.heads != 0) statements.push_back("affine-hull-bound");  // it depends on H
  return ask(o, "assumptions", statements, "What holds of these arrays");
}

}  // namespace attest
