#include "answer/question_case.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/output.hpp"
#include "base/text.hpp"
#include "readers/array_files.hpp"
#include "readers/layouts.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// The files that a case names: as they were given, or for a case that is kept or printed, relative to it.
class CaseFiles {
public:
  explicit CaseFiles(const std::string& out) : out_(out) {}

  FileValue array(const std::string& argument, bool transpose = false) {
    const auto [file, tensor] = split_array_argument(argument);
    return {name(file), tensor, transpose};
  }

  std::string name(const std::string& file) { return located(file).generic_string(); }

private:
  fs::path located(const std::string& file) {
    const bool kept = !out_.empty() && out_ != "-";
    if (is_in_memory(file)) {
      if (kept && !is_inline(file)) {
        require_regular(out_ / file);
        write_output(out_ / file, memory_file_content(file));
      }
      return file;
    }
    if (out_.empty()) return file;
    const fs::path relative = fs::proximate(fs::absolute(file), fs::absolute(kept ? out_ : "."));
    if (!kept || relative.begin()->string() != "..") return relative;
    const auto known = copies_.find(file);
    if (known != copies_.end()) return known->second;
    const fs::path given(file);
    fs::path name = given.filename();
    for (int k = 2; !names_.insert(name).second; ++k)
      name = given.stem().string() + "-" + std::to_string(k) + given.extension().string();
    std::error_code error;
    require_regular(out_ / name);
    fs::create_directories(out_, error);
    fs::copy_file(file, out_ / name, fs::copy_options::overwrite_existing, error);
    if (error)
      throw InputError(file, "", "cannot be copied to " + out_.string() + " (" + error.message() + ")",
                       "a folder for --out that is writable and has room", "out");
    return copies_[file] = name;
  }

  fs::path out_;
  std::map<std::string, fs::path> copies_;
  std::set<fs::path> names_;
};

// The sizes that options and arrays show, by their symbols in the help: T, n, d, ...
class Sizes {
public:
  explicit Sizes(const Question& question) : question_(question) {
    for (const auto& [symbol, option] : {std::pair{"H", "heads"}, {"d_h", "head-dim"}})
      if (question.has(option)) {
        known_[symbol] = question.count(option);
        options_[symbol] = option;
      }
  }

  bool has(const std::string& symbol) const { return known_.contains(symbol); }
  std::size_t operator[](const std::string& symbol) const { return known_.at(symbol); }
  std::size_t& operator[](const std::string& symbol) { return known_[symbol]; }

  /// Compares an array that is given with its forms, as "n d|T n d", and learns the sizes that are not known.
  /// Any size will do for a symbol with an asterisk. Returns the shape.
  std::vector<std::size_t> fit(const std::string& argument, const std::string& forms) {
    if (!question_.has(argument)) return {};
    const std::string file = question_.text(argument), own = "--" + argument;
    const std::vector<std::size_t> shape = shape_of_array_argument(file);
    const auto fail = [&](const std::string& wrong, const std::string& right) {
      throw InputError(file, "", "has shape " + shape_text(shape) + wrong, right, argument);
    };
    std::vector<std::string> form;
    std::string counts, shown;
    std::istringstream in(forms);
    for (std::string each; std::getline(in, each, '|');) {
      const std::vector<std::string> candidate = words_in(each);
      if (candidate.size() == shape.size()) form = candidate;
      counts += (counts.empty() ? "" : " or ") + std::to_string(candidate.size());
      std::string names;
      for (const std::string& symbol : candidate)
        names += (names.empty() ? "" : ", ") + symbol.substr(symbol[0] == '*' ? 1 : 0);
      shown += (shown.empty() ? "(" : " or (") + names + ")";
    }
    if (form.empty())
      fail(", which does not fit " + own + ": " + shown,
           "an array of " + counts + (counts == "1" ? " dimension" : " dimensions"));
    if (std::ranges::count(shape, 0) > 0)
      fail(" and so no entries, as " + own + ": " + shown, "every dimension is at least 1");
    for (std::size_t k = 0; k < form.size(); ++k)
      if (options_.contains(form[k]) && known_.at(form[k]) != shape[k]) contradict(file, form[k], shape[k]);
    const std::vector<std::size_t> expected = completed(form, shape);
    if (expected != shape) {
      std::vector<std::size_t> turned = shape;
      if (turned.size() > 1) std::swap(turned.back(), turned[turned.size() - 2]);
      const bool is_turned = turned.size() > 1 && completed(form, turned) == turned;
      fail(", which does not fit the other arrays as " + own + (is_turned ? ": it is transposed" : ""),
           "shape " + shape_text(is_turned ? turned : expected));
    }
    for (std::size_t k = 0; k < form.size(); ++k)
      if (form[k][0] != '*') known_.emplace(form[k], shape[k]);
    return shape;
  }

private:
  [[noreturn]] void contradict(const std::string& file, const std::string& symbol, std::size_t found) const {
    const std::string option = options_.at(symbol), says = ", but --" + option + " says ";
    throw InputError(file, "",
                     (symbol == "H" ? "has " + std::to_string(found) + (found == 1 ? " head" : " heads")
                                    : "has the head dimension " + std::to_string(found)) +
                         says + std::to_string(known_.at(symbol)),
                     "--" + option + " only for arrays that do not show it", option);
  }
  // The shape with the sizes that are known.
  std::vector<std::size_t> completed(const std::vector<std::string>& form,
                                     std::vector<std::size_t> shape) const {
    for (std::size_t k = 0; k < form.size(); ++k)
      if (const auto found = known_.find(form[k]); found != known_.end()) shape[k] = found->second;
    return shape;
  }

  const Question& question_;
  std::map<std::string, std::size_t> known_;
  std::map<std::string, std::string> options_;  ///< that said a size
};

// The positions that are listed, whatever zeros they begin with; empty for a word.
std::vector<std::int64_t> listed_positions(const Question& q) {
  const std::string text = q.text("positions");
  if (text == "last" || text == "all") return {};
  std::vector<std::int64_t> positions;
  std::istringstream in(text + ",");
  for (std::string each; std::getline(in, each, ',');) {
    if (each.empty() || each.size() > 18 || each.find_first_not_of("0123456789") != std::string::npos)
      q.refuse("positions", "are " + in_quotes(text), "last, all, or positions counted from 0, like 0,5");
    positions.push_back(std::stoll(each));
  }
  return positions;
}

// How many examples the S sequences of L tokens have.
std::size_t hidden_examples(const Question& q, Sizes& sizes) {
  const std::vector<std::int64_t> listed = listed_positions(q);
  if (!listed.empty()) return sizes["S"] * listed.size();
  if (q.text("positions") == "last") return sizes["S"];
  if (!q.has("mask")) return sizes["S"] * sizes["L"];
  const ExactArray mask = read_array_argument(q.text("mask"));
  std::size_t count = 0;
  for (std::size_t k = 0; k < mask.size(); ++k) count += mask.at(k) == 0 ? 0 : 1;
  return count;
}

// T, n and d.
void learn_examples(const Question& q, Sizes& sizes) {
  if (q.has("hidden")) {
    sizes.fit("hidden", "S L d");
    sizes.fit("mask", "S L");
    sizes["T"] = hidden_examples(q, sizes);
    sizes["n"] = sizes["L"];
    return;
  }
  sizes.fit("contexts", "n d|*T n d");  // how many examples there are is for the others to say
  sizes.fit("logits", "T H n");
  sizes.fit("projected-queries", "T H d_h");
  sizes.fit("queries", "T d");
  sizes.fit("mask", "T n");
  sizes.fit("contexts", "n d|T n d");
}

// How many scores the whole layer has: what its last matrix says. The case says what else has to fit.
std::size_t scores_of(const Question& q, const Weights& from_layout, Sizes& sizes) {
  if (q.has("readout")) return sizes.fit("readout", "*m *d_out")[1];
  if (q.has("readout-linear")) return sizes.fit("readout-linear", "*d_out *m")[0];
  if (from_layout.output) return from_layout.output->shape().back();
  if (q.has("output")) return sizes.fit("output", "*H *d_v *m|*Hd_v *m").back();
  if (from_layout.value) return sizes["H"] * from_layout.value->shape().back();
  return sizes["H"] * (q.has("value") ? sizes.fit("value", "*H *d *d_v")[2] : sizes["d"]);
}

// Whether it is about the whole layer, from tokens to scores.
bool is_whole(const Question& q) {
  return q.name() == "accuracy" || q.name() == "jacobian-rank";
}

Sizes sizes_of(const Question& q) {
  Sizes sizes(q);
  learn_examples(q, sizes);
  const bool whole = is_whole(q);
  Weights from_layout;
  if (q.has("weights")) {
    WeightSizes weights{sizes.has("H") ? sizes["H"] : 0, sizes["d"], sizes.has("d_h") ? sizes["d_h"] : 0};
    const auto read = [&](bool with_values) {
      return read_layout_argument(*find_layout(q.text("layout")), q.text("prefix"), q.text("weights"),
                                  weights, with_values);
    };
    from_layout = read(whole);
    if (q.name() == "memorizes") try {  // of files with keys and queries alone nothing is said of values
        if (read(true).value) sizes["values"] = 1;
      } catch (const InputError&) {
      }
    sizes["H"] = weights.heads;
    sizes["d_h"] = weights.head_dim;
  }
  for (const char* const weights : {"key", "query"}) sizes.fit(weights, "H d d_h");
  sizes.fit("combined", "H d d");
  for (const char* const bias : {"key-bias", "query-bias"})
    if (q.kind().weights) sizes.fit(bias, "H d_h");
  sizes.fit("sink-logits", "H");
  if (q.name() == "output-rank" || q.name() == "memorizes") {
    sizes.fit("value", "H d d_v");
    sizes.fit("value-bias", "H d_v");
  }
  if (q.has("hidden")) {
    sizes.fit("projected-queries", "T H d_h|S L H d_h");
    sizes.fit("logits", "T H n|S H L L");
  }
  sizes.fit("labels", "T|T d_out");
  sizes.fit("worth", "T");
  sizes.fit("classes", "T");
  // The statements that are asked for without weights and heads do not depend on them.
  if (!sizes.has("H")) sizes["H"] = 1;
  if (!sizes.has("d_h")) sizes["d_h"] = sizes["d"];
  if (!sizes.has("d_out")) sizes["d_out"] = q.has("output-dim") ? q.count("output-dim") : 1;
  if (!whole) return sizes;
  const std::size_t scores = scores_of(q, from_layout, sizes);
  if (q.has("labels") && scores != sizes["d_out"])
    throw InputError(q.text("labels"), "",
                     "has " + std::to_string(sizes["d_out"]) +
                         " labels for each example, but the layer puts out " + std::to_string(scores) +
                         " scores",
                     "as many; --readout is the matrix that makes the scores", "labels");
  sizes["d_out"] = scores;
  return sizes;
}

// Whether the logits are scaled because the layout's models do so.
bool default_scale(const Question& q) {
  if (q.has("logit-scale")) return false;
  return q.has("projected-queries") || (q.has("weights") && !find_layout(q.text("layout"))->stacked);
}

// Whether every example has n tokens that it shares with no other, or all have the same n.
bool of_one_length(const Question& q) {
  if (q.has("mask") || q.has("window") || (q.flag("causal") && q.text("positions") != "last")) return false;
  return !q.has("hidden") || q.text("positions") == "last" || listed_positions(q).size() == 1 ||
         shape_of_array_argument(q.text("hidden")).front() == 1;
}

std::vector<CaseTable> claims_of(const Question& q, const Sizes& sizes, CaseFiles& files) {
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  std::vector<CaseTable> claims;
  const auto claim = [&](const std::string& statement) -> CaseTable& {
    return claims.emplace_back(CaseTable{{"statement", statement}});
  };
  if (q.name() == "memorizes" && !q.has("labels")) {  // any are fitted when the rows of Z are independent
    if (!q.flag("bias")) claim("rank").emplace_back("at_least", number(sizes["T"]));
    CaseTable& own = claim("rank");
    own.emplace_back("at_least", number(sizes["T"]));
    own.emplace_back("bias", true);
  } else if (q.name() == "memorizes") {
    CaseTable& own = claim("memorizes");
    if (q.flag("bias")) own.emplace_back("bias", true);
  } else if (q.name() == "numerical-rank") {
    claim("numerical-rank").emplace_back("tolerance", q.has("tolerance") ? q.text("tolerance") : "1");
  } else if (q.name() == "accuracy") {
    CaseTable& own = claim("accuracy");
    if (q.has("classes")) own.emplace_back("classes", files.array(q.text("classes")));
    if (q.has("epsilon")) own.emplace_back("epsilon", q.text("epsilon"));
  } else if (q.name() == "saturation") {
    claim("saturation").emplace_back("threshold", q.text("threshold"));
    for (std::size_t h = 0; h < sizes["H"]; ++h) {
      CaseTable& own = claim("saturation");
      own.emplace_back("head", number(h));
      own.emplace_back("threshold", q.text("threshold"));
    }
  } else if (q.name() == "assumptions") {
    if (of_one_length(q))
      for (const char* const statement : {"assumption-1", "assumption-2", "assumption-3"}) claim(statement);
    for (const char* const statement : {"kruskal-rank", "general-position"}) claim(statement);
    if (q.has("heads")) claim("affine-hull-bound");  // it depends on H
  } else if (q.name() == "capacity") {
    for (std::uint64_t h = q.first("heads").value_or(q.count("heads")); h <= q.count("heads"); ++h) {
      CaseTable& own = claim("capacity");
      if (q.first("heads")) own.emplace_back("heads", number(h));
      if (q.flag("which")) own.emplace_back("which", true);
      if (q.has("worth")) own.emplace_back("values", files.array(q.text("worth")));
    }
    if (!q.flag("sink") && !q.flag("query-bias") && q.text("coefficients") == "softmax")
      claim("affine-hull-bound");
  } else {
    claim(q.name());
    for (std::size_t h = 0; q.flag("per-head") && h < sizes["H"]; ++h)
      claim(q.name()).emplace_back("head", number(h));
  }
  if (q.name() == "memorizes" && (q.has("value") || sizes.has("values"))) {
    CaseTable& own = claim(q.has("labels") ? "output-memorizes" : "output-rank");
    if (q.has("labels") && q.flag("bias")) own.emplace_back("bias", true);
  }
  if (q.flag("trainable")) claim("capacity");
  if (q.flag("trainable") && q.name() == "memorizes") claim("functional-dimension");
  return claims;
}

}  // namespace

CaseValues case_of(const Question& q) {
  CaseFiles files(q.text("out"));
  CaseValues values;
  const std::string out = q.text("out");
  values.path = fs::path(out == "-" ? "" : out) / (q.name() + ".toml");
  values.name = "attest " + q.name();
  values.title = q.kind().title;
  if (!q.kind().layer) {
    Sizes(q).fit("matrix", "m n");
    values.claims = {{{"statement", q.name()}, {"matrix", files.array(q.text("matrix"))}}};
    return values;
  }
  const Sizes sizes = sizes_of(q);
  if (q.name() == "saturation") values.title += q.text("threshold");
  if (q.name() == "numerical-rank") values.title += q.text("tolerance");
  for (const auto& [key, symbol] : {std::pair{"heads", "H"},
                                    {"context", "n"},
                                    {"embed_dim", "d"},
                                    {"head_dim", "d_h"},
                                    {"examples", "T"},
                                    {"output_dim", "d_out"}})
    if (symbol != std::string("d_out") || q.has("labels") || q.has("output-dim") || is_whole(q))
      values.layer.emplace_back(key, static_cast<std::int64_t>(sizes[symbol]));
  values.layer.emplace_back("base", q.text("base"));
  if (q.flag("sink")) values.layer.emplace_back("sink", true);
  if (q.has("coefficients")) values.layer.emplace_back("coefficients", q.text("coefficients"));
  if (!q.kind().weights && q.flag("query-bias")) values.layer.emplace_back("query_bias", true);
  if (q.has("logit-scale")) values.layer.emplace_back("logit_scale", q.text("logit-scale"));
  if (default_scale(q)) values.layer.emplace_back("logit_scale", "1/sqrt(d_h)");
  const auto add = [&](CaseTable& table, const std::string& argument, std::string key = "",
                       bool transpose = false) {
    if (!q.has(argument)) return;
    if (key.empty()) std::replace_copy(argument.begin(), argument.end(), std::back_inserter(key), '-', '_');
    table.emplace_back(key, files.array(q.text(argument), transpose));
  };
  for (const char* const key : {"contexts", "queries", "labels", "hidden", "mask"}) add(values.data, key);
  if (q.has("hidden")) {
    const std::vector<std::int64_t> listed = listed_positions(q);
    if (listed.empty())
      values.data.emplace_back("positions", q.text("positions"));
    else
      values.data.emplace_back("positions", listed);
    if (q.flag("causal")) values.data.emplace_back("causal", true);
    if (q.has("window")) values.data.emplace_back("window", static_cast<std::int64_t>(q.count("window")));
  }
  for (const char* const key : {"projected-queries", "projected-keys", "logits", "key", "query", "combined",
                                "key-bias", "query-bias"})
    if (q.kind().weights) add(values.weights, key);
  if (q.has("weights")) {
    values.weights.emplace_back("layout", q.text("layout"));
    values.weights.emplace_back("file", files.name(q.text("weights")));
    if (q.has("prefix")) values.weights.emplace_back("prefix", q.text("prefix"));
  }
  for (const char* const key : {"value", "value-bias", "output", "output-bias", "readout", "readout-bias"})
    if (q.kind().weights) add(values.weights, key);
  add(values.weights, "sink-logits", "sink");
  add(values.weights, "skip-vectors", "skip");
  add(values.weights, "readout-linear", "readout", true);
  if (q.flag("skip")) values.weights.emplace_back("skip", true);
  values.claims = claims_of(q, sizes, files);
  return values;
}

std::vector<std::string> notes_of(const Question& q, const CaseValues& values) {
  const bool of_values = std::ranges::any_of(values.claims, [](const CaseTable& claim) {
    return std::get<std::string>(claim.front().second).starts_with("output-");
  });
  std::vector<std::string> notes;
  if (q.name() == "memorizes" && !q.has("labels"))
    notes.push_back(
        "without --labels: any labels are fitted exactly when rank(Z) = T, with a bias of the "
        "read-out when rank [Z 1] = T");
  if (q.name() == "memorizes" && !of_values)
    notes.push_back("without --value nothing is said of the values as they are");
  if (q.name() == "assumptions" && !of_one_length(q))
    notes.push_back(
        "Assumptions 1 to 3 are about contexts of n tokens that share none, and are not asked here");
  if (default_scale(q))
    notes.push_back(
        "the logits are multiplied by 1/sqrt(d_h), as in " +
        (q.has("weights") ? "models of layout " + q.text("layout") : std::string("transformers")) +
        "; --logit-scale says otherwise");
  if (q.has("logits") && !q.has("head-dim"))
    notes.push_back(
        "logits do not show the head dimension; d_h = d is taken where a number of the paper needs it "
        "(--head-dim)");
  if (!q.has("weights")) return notes;
  if (const std::string left_out = find_layout(q.text("layout"))->left_out; !left_out.empty())
    notes.push_back(left_out);
  return notes;
}

}  // namespace attest
