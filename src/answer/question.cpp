#include "answer/question.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/amount.hpp"
#include "base/hints.hpp"
#include "base/number_in.hpp"
#include "base/text.hpp"
#include "readers/layouts.hpp"

namespace attest {

const std::vector<QuestionKind>& question_kinds() {
  static const std::vector<QuestionKind> kinds = {
      {"rank", "the exact rank of Z for one's own arrays and weights", "The rank of Z for these arrays",
       true},
      {"output-rank", "the exact rank of what the heads put out, for one's own arrays, weights and values",
       "The rank of what the heads put out", true},
      {"memorizes", "whether a linear read-out of given weights fits given labels exactly, or any labels",
       "Whether a read-out of this layer fits the labels", true},
      {"accuracy",
       "for how many examples the exact output of a whole layer is right, by class or within epsilon",
       "How many examples the exact output of this layer gets right", true},
      {"saturation", "how many coefficients of given weights are above a threshold, by head",
       "Saturated heads: coefficients above ", true},
      {"numerical-rank", "how many singular values of Z exceed a tolerance, for one's own arrays and weights",
       "Singular values of Z above ", true},
      {"injective", "whether given weights give different examples different outputs",
       "Whether different examples have different outputs", true},
      {"capacity", "the largest rank of Z over all keys and queries without biases, for one's own arrays",
       "The largest rank of Z over all weights", false},
      {"jacobian-rank",
       "the rank of the derivative of the layer's outputs by keys, queries and read-out, at given weights",
       "The rank of the Jacobian for these arrays", true},
      {"functional-dimension",
       "the largest such rank over all weights: whether training can fit an open set of labels",
       "The largest rank of the Jacobian over all weights", false},
      {"assumptions", "which of the paper's assumptions hold for one's own arrays",
       "What holds of these arrays", false},
      {"matrix-rank",
       "the exact rank of a matrix of integers, binary floats or rationals: numpy.linalg.matrix_rank, proved",
       "The rank of this matrix", false, false}};
  return kinds;
}

namespace {

using Kind = Argument::Kind;

const std::string& layout_names() {
  static const std::string names = [] {
    std::string text;
    for (const WeightLayout& layout : weight_layouts()) (text += text.empty() ? "" : " ") += layout.name;
    return text;
  }();
  return names;
}

const std::vector<Argument>& all_arguments() {
  constexpr const char *kArrays = "Arrays", *kWeights = "Weights", *kLayer = "Layer", *kAnswer = "Answer",
                       *kLimits = "Limits";
  constexpr const char* kOfWhole = "accuracy jacobian-rank";  // the whole layer
  constexpr const char* kWithValues = "accuracy jacobian-rank output-rank memorizes";
  constexpr const char* kWithSinks = "rank output-rank memorizes injective";
  static const std::vector<Argument> arguments = {
      {"matrix", Kind::array, "matrix-rank", "Matrix",
       "the matrix: file.npy, file.npz:name or file.safetensors:tensor; integers of any size, floats as the "
       "binary numbers that they are"},
      {"contexts", Kind::array, "layer", kArrays,
       "contexts, (n, d) shared by all examples or (T, n, d): file.npy, file.npz:name or "
       "file.safetensors:tensor"},
      {"queries", Kind::array, "layer", kArrays, "queries, (T, d)"},
      {"hidden", Kind::array, "layer", kArrays,
       "hidden vectors (S, L, d) instead of contexts and queries: an example is a position of a sequence",
       "positions", "contexts queries"},
      {"positions", Kind::text, "layer", kArrays, "which positions: last, all, or I,J,... from 0", "hidden"},
      {"causal", Kind::flag, "layer", kArrays, "the context ends with the example's own position", "hidden"},
      {"window", Kind::count, "layer", kArrays,
       "tokens that are so far from the example's own position, or farther, take no part", "hidden"},
      {"mask", Kind::array, "layer", kArrays, "1 for tokens that take part: (T, n), or (S, L) with --hidden"},
      {"labels", Kind::array, "memorizes", kArrays, "labels, (T) or (T, d_out); without them: any labels"},
      {"labels", Kind::array, "accuracy", kArrays, "labels, (T) or (T, d_out), with --epsilon", "epsilon"},
      {"classes", Kind::array, "accuracy", kArrays,
       "the right class of each example, (T), from 0; with one score: 1 where it should be positive, else 0"},

      {"key", Kind::array, "weights", kWeights, "key weights, (H, d, d_h)", "query",
       "projected-queries logits"},
      {"query", Kind::array, "weights", kWeights, "query weights, (H, d, d_h)", "key"},
      {"combined", Kind::array, "weights", kWeights,
       "W_h = W_K,h W_Q,h^T, (H, d, d), instead of key and query", "", "key projected-queries logits"},
      {"key-bias", Kind::array, "weights", kWeights, "(H, d_h)", "key"},
      {"query-bias", Kind::array, "weights", kWeights, "(H, d_h)", "key"},
      {"weights", Kind::model, "weights", kWeights,
       "weights and biases as a model stores them, instead of --key and --query: file.npz or "
       "file.safetensors",
       "layout", "key combined projected-queries logits"},
      {"layout", Kind::text, "weights", kWeights,
       "how: see attest layouts; then --heads or --head-dim is needed", "weights", "", "",
       layout_names().c_str()},
      {"prefix", Kind::text, "weights", kWeights, "what the names of the tensors begin with", "weights"},
      {"projected-queries", Kind::array, "weights", kWeights,
       "(T, H, d_h): queries as the softmax sees them, instead of --queries and weights (with --hidden also "
       "(S, L, H, d_h))",
       "projected-keys", "queries"},
      {"projected-keys", Kind::array, "weights", kWeights,
       "(T, n, H_kv, d_h), or (S, L, H_kv, d_h) with --hidden", "projected-queries"},
      {"logits", Kind::array, "weights", kWeights,
       "(T, H, n): what goes into the softmax (with --hidden also (S, H, L, L))", "",
       "queries projected-queries"},
      {"value", Kind::array, kWithValues, kWeights, "value weights, (H, d, d_v); a layout has them"},
      {"value-bias", Kind::array, kWithValues, kWeights, "(H, d_v)"},
      {"sink-logits", Kind::array, kWithSinks, kWeights,
       "(H): the logits of the sinks, which no scale multiplies (default 0)", "sink"},
      {"output", Kind::array, kOfWhole, kWeights,
       "output weights, (H, d_v, m) or (H d_v, m); a layout has them"},
      {"output-bias", Kind::array, kOfWhole, kWeights, "(m)"},
      {"skip", Kind::flag, kOfWhole, kWeights, "the query is added to the outputs (m = d)"},
      {"skip-vectors", Kind::array, kOfWhole, kWeights, "(T, m): these are added", "", "skip"},
      {"readout", Kind::array, kOfWhole, kWeights, "(m, d_out): from outputs to scores"},
      {"readout-linear", Kind::array, kOfWhole, kWeights,
       "the same as (d_out, m), the weight of a torch.nn.Linear", "", "readout"},
      {"readout-bias", Kind::array, kOfWhole, kWeights, "(d_out)"},

      {"heads", Kind::count, "weights", kLayer, "H; what the weights say"},
      {"heads", Kind::range, "capacity", kLayer,
       "H, or A:B for the capacity with A, A + 1, ..., B heads, at most 1000 of them"},
      {"heads", Kind::count, "functional-dimension assumptions", kLayer, "H"},
      {"head-dim", Kind::count, "weights", kLayer, "d_h; what the weights say"},
      {"head-dim", Kind::count, "capacity functional-dimension assumptions", kLayer, "d_h (default d)"},
      {"output-dim", Kind::count, "functional-dimension", kLayer, "d_out", "", "", "1"},
      {"base", Kind::word, "layer", kLayer, "base of the softmax", "", "", "e", "e 2"},
      {"sink", Kind::flag, "rank output-rank capacity memorizes injective", kLayer,
       "one more term b^s in the denominators of the softmax, s the logit of a head's sink", "",
       "coefficients"},
      {"coefficients", Kind::word, "rank output-rank capacity memorizes injective", kLayer,
       "sigmoid: 1/(1 + b^-l) in place of the softmax", "", "", "softmax", "softmax sigmoid"},
      {"query-bias", Kind::flag, "capacity", kLayer,
       "of a layer whose queries have free biases, as those of many models have"},
      {"logit-scale", Kind::text, "layer", kLayer, "a rational, 1/sqrt(d), 1/sqrt(d_h) or 1/sqrt(N)"},

      {"which", Kind::flag, "capacity", kAnswer,
       "also which examples: a largest set that can be memorized together, and with which of them each other "
       "example conflicts"},
      {"worth", Kind::array, "capacity", kAnswer,
       "(T): what an example is worth; of the largest sets the one that is worth most (default: the first)",
       "which"},
      {"threshold", Kind::text, "saturation", kAnswer, "an exact number", "", "", "0.99"},
      {"tolerance", Kind::text, "numerical-rank", kAnswer,
       "a positive exact number: 0.001, 1e-9, 0x1p-40; by default max(T, H d) 2^-52 s, s the largest "
       "singular value in binary64, rounded up to 24 bits: numpy's rule"},
      {"epsilon", Kind::text, "accuracy", kAnswer,
       "an exact number: right is every score at most that far from its label", "labels", "classes"},
      {"trainable", Kind::flag, "memorizes", kAnswer,
       "also what other keys and queries, chosen before the labels, can memorize (capacity), and what all "
       "weights trained together can fit (functional dimension)"},
      {"samples", Kind::count, "assumptions", kAnswer,
       "random subsets that are drawn where going through all of them takes too long; 0: none", "", "",
       "5000", "", 0, 1'000'000},
      {"seed", Kind::count, "assumptions", kAnswer, "of the draws", "", "", "0", "", 0,
       (std::uint64_t{1} << 63) - 1},
      {"verbose", Kind::flag, "", kAnswer,
       "also numbers that nobody asked for, such as bounds for all weights"},
      {"trainable", Kind::flag, "rank", kAnswer,
       "also what other keys and queries can make of it (capacity)"},
      {"bias", Kind::flag, "memorizes", kAnswer, "a read-out with a bias"},
      {"per-head", Kind::flag, "rank output-rank", kAnswer, "also the exact rank of each head alone"},
      {"float", Kind::flag, "rank", kAnswer,
       "also the rank that numpy.linalg.matrix_rank reports in binary64, which decides nothing"},
      {"after-heads", Kind::flag, "rank", kAnswer, "also the rank of the first h heads, for every h"},
      {"nullspace", Kind::flag, "matrix-rank", kAnswer,
       "also a basis of the vectors x with M x = 0, each of integers without a common factor"},
      {"out", Kind::file, "", kAnswer,
       "folder that keeps the case file, the arrays and the certificate; - prints the case file"},
      {"changed", Kind::flag, "", kAnswer,
       "what has a valid certificate in the folder of --out, for the same arrays, is checked and not proved "
       "again",
       "out"},
      {"check", Kind::flag, "", kAnswer,
       "let the checker validate the certificate before the answer is given (exit status 1 when it does "
       "not)"},
      {"json", Kind::flag, "", kAnswer, "print the result as JSON"},
      {"progress", Kind::flag, "", kAnswer, "say how far it is, also when standard error is no terminal"},

      {"timeout", Kind::seconds, "", kLimits, "seconds per claim; what is not decided by then is undecided"},
      {"memory", Kind::bytes, "", kLimits, "bytes, like 500M or 8G", "", "", "8G"},
      {"work", Kind::operations, "", kLimits,
       "operations on machine words that are counted, like 100G (default: no limit)"},
      {"jobs", Kind::count, "", kLimits, "threads (default: all cores)", "", "", "", "", 1, 1024}};
  return arguments;
}

bool among(const std::string& word, const std::string& words) {
  return std::ranges::count(words_in(words), word) > 0;
}

const QuestionKind& kind_of(const std::string& name) {
  for (const QuestionKind& kind : question_kinds())
    if (kind.name == name) return kind;
  throw std::logic_error("there is no question " + name);
}

// Null for an argument that the question does not have.
const Argument* argument_of(const std::string& question, const std::string& name) {
  for (const Argument* argument : arguments_of(question))
    if (argument->name == name) return argument;
  return nullptr;
}

std::string initial(const std::string& question, const std::string& name) {
  const Argument* const argument = argument_of(question, name);
  return argument == nullptr ? "" : argument->initial;
}

// "--key and --query"
std::string listed(const std::string& names) {
  std::vector<std::string> options;
  for (const std::string& name : words_in(names)) options.push_back("--" + name);
  return joined(options);
}

}  // namespace

std::vector<const Argument*> arguments_of(const std::string& question) {
  const QuestionKind& kind = kind_of(question);
  const auto concerns = [&](const std::string& of) {
    return of.empty() || (kind.weights && of == "weights") || (kind.layer && of == "layer") ||
           among(question, of);
  };
  std::vector<const Argument*> result;
  for (const Argument& argument : all_arguments())
    if (concerns(argument.of)) result.push_back(&argument);
  return result;
}

bool is_subject(const QuestionKind& question, const Argument& argument) {
  return !question.layer && argument.kind == Kind::array;
}

const char* kind_name(Argument::Kind kind) {
  static constexpr const char* kNames[] = {"array", "model", "text",    "word",  "count",     "range",
                                           "flag",  "file",  "seconds", "bytes", "operations"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool of_command_line_alone(const Argument& argument) {
  return among(argument.name, "json progress");
}

std::string help_text(const Argument& argument) {
  std::string text = argument.says;
  if (*argument.needs != '\0') text += "; needs " + listed(argument.needs);
  if (*argument.excludes != '\0') text += "; not with " + listed(argument.excludes);
  return text;
}

Question::Question(const std::string& name) : kind_(kind_of(name)) {}

void Question::refuse(const std::string& wrong, const std::string& right) const {
  throw InputError("attest " + name(), "", wrong, right);
}

void Question::refuse(const std::string& argument, const std::string& wrong, const std::string& right) const {
  throw InputError("attest " + name(), "", "--" + argument + " " + wrong, right, argument);
}

void Question::set(const std::string& argument, const Given& given) {
  const Argument& about = *argument_of(name(), argument);
  if (about.kind == Kind::flag) {
    if (std::get<bool>(given)) values_[argument] = true;
    return;
  }
  const std::string& text = std::get<std::string>(given);
  if (text.empty() && argument != "prefix")
    refuse(argument, "is empty", std::string(about.says) + "; or leave it out; see --help");
  const auto wanted = [&](const std::string& right) {
    refuse(argument, "is " + in_quotes(text), right + "; see --help");
  };
  Value& value = values_[argument];
  switch (about.kind) {
    case Kind::count: {
      const auto count = number_in<std::uint64_t>(text);
      if (!count || *count < about.least || *count > about.most)
        wanted("an integer from " + std::to_string(about.least) + " to " + std::to_string(about.most));
      value = *count;
      return;
    }
    case Kind::range: {
      constexpr std::uint64_t kMost = 1000;
      const auto one = number_in<std::uint64_t>(text);
      const auto both = one ? std::pair(*one, *one) : two_numbers(text, ':');
      if (!both || both->first < about.least || both->second > about.most || both->first > both->second ||
          both->second - both->first >= kMost)
        wanted("an integer from " + std::to_string(about.least) + " to " + std::to_string(about.most) +
               ", or a range like 1:8 of at most " + std::to_string(kMost));
      value = both->second;
      if (!one) firsts_[argument] = both->first;
      return;
    }
    case Kind::seconds: {
      constexpr double kMost = 1e9;
      const auto seconds = number_in<double>(text);
      if (!seconds || !(*seconds > 0 && *seconds <= kMost)) wanted("a number above 0 and up to 1e9");
      value = *seconds;
      return;
    }
    case Kind::bytes:
    case Kind::operations:
      try {
        value = parse_amount(text, argument, about.kind == Kind::bytes ? 1024 : 1000);
      } catch (const InputError& e) {
        refuse(argument, e.wrong(), e.right());
      }
      return;
    default:
      if (about.kind == Kind::word && !among(text, about.words)) wanted(joined(words_in(about.words), "or"));
      value = text;
  }
}

std::string Question::text(const std::string& argument) const {
  const auto found = values_.find(argument);
  return found == values_.end() ? initial(name(), argument) : std::get<std::string>(found->second);
}

std::uint64_t Question::count(const std::string& argument) const {
  const auto found = values_.find(argument);
  if (found != values_.end()) return std::get<std::uint64_t>(found->second);
  return number_in<std::uint64_t>(initial(name(), argument)).value_or(0);
}

std::optional<std::uint64_t> Question::first(const std::string& argument) const {
  const auto found = firsts_.find(argument);
  return found == firsts_.end() ? std::nullopt : std::optional(found->second);
}

CaseOptions Question::limits() const {
  CaseOptions options;
  options.allow_outside = true;
  options.check = flag("check");
  options.changed = flag("changed");
  if (has("timeout")) options.timeout = std::get<double>(values_.at("timeout"));
  if (has("memory")) options.memory = count("memory");
  options.work = count("work");
  if (name() != "assumptions") return options;
  options.samples = count("samples");
  options.seed = count("seed");
  return options;
}

void Question::require_consistent() const {
  for (const Argument* argument : arguments_of(name())) {
    if (!has(argument->name)) continue;
    for (const std::string& other : words_in(argument->needs))
      if (!has(other))
        refuse(argument->name, "requires --" + other, std::string(argument->says) + "; see --help");
    for (const std::string& other : words_in(argument->excludes))
      if (has(other)) refuse(argument->name, "excludes --" + other, "one of the two; see --help");
  }
  if (!kind_.layer) {
    if (!has("matrix")) refuse("there is no matrix", "a file: M.npy, M.npz:name or M.safetensors:tensor");
    return;
  }
  if (!has("hidden") && !has("contexts"))
    refuse("there are no contexts", "--contexts, or --hidden and --positions; see --help");
  if (!has("hidden") && !has("queries") && !projected())
    refuse("there are no queries", "--queries, or --hidden and --positions; see --help");
  if (kind_.weights && !has("key") && !has("combined") && !has("weights") && !projected())
    refuse("there are no weights",
           "--key and --query, --combined, --weights and --layout, --projected-queries and --projected-keys, "
           "or --logits; attest capacity asks for the largest rank over all weights; see --help");
  if (has("weights") && find_layout(text("layout")) == nullptr) {
    const auto [wrong, right] = layout_defect(text("layout"));
    throw InputError("attest " + name(), "", wrong, right, "layout");
  }
  if (name() == "output-rank" && !has("value") && !has("weights"))
    refuse("there are no values", "--value, or --weights and --layout; see --help");
  if (name() == "accuracy" && !has("classes") && !has("epsilon"))
    refuse("nothing says what is right", "--classes, or --labels and --epsilon; see --help");
  if ((name() == "capacity" || name() == "functional-dimension") && !has("heads"))
    refuse("the number of heads is missing", "--heads, and --head-dim unless it is d; see --help");
}

}  // namespace attest
