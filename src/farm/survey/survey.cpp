#include "farm/survey/survey.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include "answer/questions.hpp"
#include "answer/results.hpp"
#include "base/output.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "farm/run_cases.hpp"
#include "kernel/certificate.hpp"
#include "readers/array_files.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A layer of the folder: arguments of questions.
struct Layer {
  std::string name;
  std::map<std::string, std::string> given;  ///< of a flag: "true"
  std::string refused = {};                  ///< why nothing is asked
  std::vector<std::string> notes = {};
};

// A question about a layer.
struct Task {
  std::size_t layer;
  Question question;
};

// The arguments that say what a layer is, and how it is asked about.
const Argument* argument_of_layers(const std::string& name) {
  static const std::set<std::string> groups = {"Arrays", "Weights", "Layer"};
  for (const QuestionKind& kind : question_kinds())
    for (const Argument* argument : arguments_of(kind.name))
      if (argument->name == name &&
          (groups.contains(argument->group) || name == "tolerance" || name == "threshold"))
        return argument;
  return nullptr;
}

// Whether an array or a number goes by that name; its argument.
std::string argument_named(std::string key, bool array, const std::string& file) {
  std::string name = key;
  std::replace(name.begin(), name.end(), '_', '-');
  const Argument* const argument = argument_of_layers(name);
  const auto of_file = [](const Argument& a) {
    return a.kind == Argument::Kind::array || a.kind == Argument::Kind::model;
  };
  if (argument != nullptr && of_file(*argument) == array) return name;
  std::set<std::string> names;
  for (const QuestionKind& kind : question_kinds())
    for (const Argument* other : arguments_of(kind.name))
      if (argument_of_layers(other->name) != nullptr && of_file(*other) == array) {
        std::string known = other->name;
        std::replace(known.begin(), known.end(), '-', '_');
        names.insert(known);
      }
  throw InputError(file, "",
                   in_quotes(key) + (array ? " is no array of a layer" : " is no option of a layer"),
                   joined({names.begin(), names.end()}, "or"));
}

// {"heads": 12, "causal": true, "logit_scale": "1/8"}, and "notes" for the page
void read_options(const fs::path& file, Layer& layer) {
  constexpr std::size_t kMost = 1 << 20;
  std::error_code error;
  if (!fs::exists(file, error)) return;
  const FileBytes bytes = read_regular_file(file, file.string(), kMost);
  const std::string form = "an integer, true, or a text such as \"1/3\": {\"heads\": 12}";
  const Json json = kernel::parse_json(bytes.view(), file.string(), form);
  if (!json.is_object()) throw InputError(file.string(), "", "is no JSON object", form);
  for (const auto& [key, value] : json.items()) {
    if (key == "refused" && value.is_string()) {
      layer.refused = value.get<std::string>();
      continue;
    }
    if (key == "notes" && value.is_array()) {
      for (const Json& note : value)
        layer.notes.push_back(note.is_string() ? note.get<std::string>() : note.dump());
      continue;
    }
    const std::string name = argument_named(key, false, file.string());
    if (value.is_boolean() != (argument_of_layers(name)->kind == Argument::Kind::flag) ||
        !(value.is_boolean() || value.is_number_integer() || value.is_string()))
      throw InputError(file.string(), key, "is " + one_line(value.dump()),
                       "an integer, true, or a text such as \"1/3\"");
    if (value != Json(false)) layer.given[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
}

// FOLDER/NAME/*.npy or FOLDER/NAME.safetensors, and FOLDER/NAME.options.
Layer read_layer(const fs::path& place) {
  const bool folder = fs::is_directory(place);
  Layer layer{(folder ? place.filename() : place.stem()).string(), {}};
  if (!folder)
    for (const std::string& tensor : ArrayFile::open(place.string(), true).names())
      layer.given[argument_named(tensor, true, place.string())] = place.string() + ":" + tensor;
  else
    for (const auto& entry : fs::directory_iterator(place))
      if (const fs::path& file = entry.path(); array_format(file.string()))
        layer.given[argument_named(file.stem().string(), true, file.string())] = file.string();
  read_options(place.parent_path() / (layer.name + ".options"), layer);
  return layer;
}

// Numbers in names count as such: layers.2 is before layers.10.
std::string order_of(const std::string& name) {
  constexpr std::size_t kDigits = 20;
  const auto digit = [&](std::size_t k) { return k < name.size() && name[k] >= '0' && name[k] <= '9'; };
  std::string key;
  for (std::size_t k = 0, end = 0; k < name.size(); k = end) {
    for (end = k; digit(end);) ++end;
    key.append(end == k || end - k > kDigits ? 0 : kDigits - (end - k), '0');
    end = std::max(end, k + 1);
    key.append(name, k, end - k);
  }
  return key;
}

std::vector<Layer> read_layers(const std::string& folder, const std::vector<std::string>& only) {
  std::vector<Layer> layers;
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw InputError(folder, "", "is no folder", "a folder of layers");
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& place = entry.path();
    if (!entry.is_directory() && place.extension() != ".safetensors") continue;
    if (const std::string name = (entry.is_directory() ? place.filename() : place.stem()).string();
        !only.empty() && std::ranges::count(only, name) == 0)
      continue;
    const auto not_read = [&](const std::string& why) { layers.push_back({place.stem().string(), {}, why}); };
    try {
      Layer layer = read_layer(place);
      if (!layer.given.empty() || !layer.refused.empty()) layers.push_back(std::move(layer));
    } catch (const InputError& e) {
      not_read(e.what());
    } catch (const fs::filesystem_error& e) {
      not_read(e.what());
    }
  }
  if (layers.size() < std::max<std::size_t>(only.size(), 1))
    throw InputError(folder, "", only.empty() ? "holds no layers" : "does not hold all layers that are named",
                     "a folder with .npy files, or a .safetensors file, for each layer");
  std::ranges::sort(layers, {}, [](const Layer& l) { return std::pair(order_of(l.name), l.name); });
  for (std::size_t k = 1; k < layers.size(); ++k)
    if (layers[k].name == layers[k - 1].name)
      throw InputError(folder, "", "holds two layers " + in_quotes(layers[k].name), "one of each name");
  return layers;
}

// Copies the files of a layer to the folder of its cases, unless they are there: several questions need them.
void bring(Layer& layer, const fs::path& folder) {
  std::map<std::string, std::string> brought;
  for (auto& [argument, text] : layer.given) {
    const Argument::Kind kind = argument_of_layers(argument)->kind;
    if (kind != Argument::Kind::array && kind != Argument::Kind::model) continue;
    const auto [file, tensor] =
        kind == Argument::Kind::model ? std::pair(text, std::string()) : split_array_argument(text);
    const fs::path to = folder / fs::path(file).filename(), half = folder / ".half";
    std::error_code error;
    if (!brought.contains(file) && !fs::equivalent(file, to, error)) {
      error.clear();
      (void)ArrayFile::open(file, true);  // a link may lead to what is no array and nobody's business
      fs::create_directories(folder, error);
      if (!error) fs::copy_file(file, half, fs::copy_options::overwrite_existing, error);
      if (!error) fs::rename(half, to, error);
      if (error)
        throw InputError(file, "", "cannot be copied to " + folder.string() + " (" + error.message() + ")",
                         kWritable);
    }
    brought[file] = to.string();
    text = to.string() + (tensor.empty() ? "" : ":" + tensor);
  }
}

// What the weights show of the heads, for a question that has none.
void add_heads(const Layer& layer, Question& q) {
  struct Shown {
    const char* array;
    int heads, head_dim;  ///< their dimensions of the array, from the end when negative
  };
  constexpr int kNone = 9;
  for (const Shown& shown :
       {Shown{"key", 0, 2}, {"combined", 0, kNone}, {"projected-queries", -2, -1}, {"logits", 1, kNone}}) {
    const auto found = layer.given.find(shown.array);
    if (found == layer.given.end()) continue;
    const std::vector<std::size_t> shape = shape_of_array_argument(found->second);
    const int count = static_cast<int>(shape.size());
    const auto set = [&](const char* argument, int at) {
      if (at < 0) at += count;
      if (at >= 0 && at < count && !q.has(argument) && shape[static_cast<std::size_t>(at)] > 0)
        q.set(argument, std::to_string(shape[static_cast<std::size_t>(at)]));
    };
    set("heads", shown.heads);
    set("head-dim", shown.head_dim);
  }
}

// Whether an argument that a question does not have would have changed its answer.
bool changes_the_heads(const std::string& name, bool of_weights) {
  static const std::set<std::string> after = {"value",       "value-bias",     "output",
                                              "output-bias", "skip",           "skip-vectors",
                                              "readout",     "readout-linear", "readout-bias"};
  const std::string group = argument_of_layers(name)->group;
  return group == "Layer" || (of_weights && group == "Weights" && !after.contains(name));
}

fs::path folder_of(const Layer& layer, const SurveyOptions& options) {
  return fs::path(options.out) / "layers" / layer.name;
}

Question question_about(const Layer& layer, const std::string& name, const SurveyOptions& options) {
  Question q(name);
  q.set("out", folder_of(layer, options).string());
  q.set("jobs", "1");  // there are other layers
  const bool projected = layer.given.contains("logits") || layer.given.contains("projected-queries");
  std::map<std::string, std::string> given = layer.given;
  for (const auto& [argument, text] : options.given) given.try_emplace(argument, text);
  const std::vector<const Argument*> known = arguments_of(name);
  for (const auto& [argument, text] : given) {
    // Of this name, and about the layer: the `value` of a capacity is another one.
    const auto of_layer = [&](const Argument* other) {
      return other->name == argument && std::string(other->group) == argument_of_layers(argument)->group;
    };
    if (std::ranges::none_of(known, of_layer)) {
      if (changes_the_heads(argument, q.kind().weights))
        q.refuse("is not asked about layers with --" + argument, "a layer without it");
      continue;
    }
    if (q.kind().weights && projected && argument == "queries") continue;  // those of other questions
    if (argument_of_layers(argument)->kind == Argument::Kind::flag)
      q.set(argument, true);
    else
      q.set(argument, text);
  }
  if (std::ranges::find(known, std::string("per-head"), &Argument::name) != known.end())
    q.set("per-head", true);
  if (!q.kind().weights) add_heads(layer, q);
  q.require_consistent();
  return q;
}

// A row for each claim that has found a number.
Json cells_of(const Layer& layer, const Question& q, const QuestionCase& asked, const Json& claims) {
  Json cells = Json::array();
  for (std::size_t k = 0; k < claims.size(); ++k) {
    const Json& claim = claims[k];
    const auto found = std::find_if(claim.begin(), claim.end(), [](const Json& value) {
      return value.is_object() && value.contains("lower") && value.contains("upper");
    });
    if (found == claim.end()) continue;
    Json head;
    for (const auto& [key, value] : asked.values.claims[k])
      if (key == "head") head = std::get<std::int64_t>(value);
    Json cell = {{"layer", layer.name},
                 {"head", head},
                 {"quantity", found.key()},
                 {"lower", (*found)["lower"]},
                 {"upper", (*found)["upper"]},
                 {"verdict", claim["verdict"]},
                 {"statement", claim["statement"]},
                 {"certificate", "layers/" + layer.name + "/" + q.name() + ".json"},
                 {"claim", k},
                 {"checked", claim.value("checked", false)},
                 {"seconds", claim["seconds"]},
                 {"words", answer_text(q, asked.c, k, claims)}};
    const Json bounds = claim.value("bounds", Json::object());
    for (const auto& [name, value] : bounds.items()) {
      if (name.ends_with("_lower"))
        cell[name] = value;
      else
        for (const char* const end : {"lower", "upper"})
          cell[name + "_" + end] = value.is_object() ? value[end] : value;
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

// Puts the question, and answers it unless there is a valid certificate.
std::optional<std::string> answered(const Task& task, const Layer& layer, const SurveyOptions& options,
                                    bool shared) {
  const Question& q = task.question;
  try {
    limit_process(options.each);
    QuestionCase asked = put(q);
    const fs::path file = asked.values.path;
    write_output(file, case_text(asked.values), kWritable, Sync::later);
    CaseOptions each = options.each;
    each.changed = each.check = true;
    const auto outcome = verify_case(shared, file, fs::path(file).replace_extension(".json"), each);
    if (!outcome) return std::nullopt;
    if (!outcome->error.empty()) return json_text({{"error", outcome->error}, {"status", outcome->status}});
    const Json& claims = outcome->report["claims"];
    // So that `attest check` finds what it expects; the digest does not depend on that.
    bool others = false;
    for (std::size_t k = 0; k < claims.size(); ++k)
      if (const std::string verdict = claims[k]["verdict"].get<std::string>(); verdict != "verified") {
        asked.values.claims[k].emplace_back("expect", verdict);
        others = true;
      }
    if (others) write_output(file, case_text(asked.values), kWritable, Sync::later);
    const Dimensions& size = *asked.c.layer;
    return json_text({{"cells", cells_of(layer, q, asked, claims)},
                      {"notes", asked.notes},
                      {"unchanged", outcome->report.contains("unchanged")},
                      {"limited", outcome->limited},
                      {"shape",
                       {{"heads", size.heads},
                        {"context", size.context},
                        {"embed_dim", size.embed_dim},
                        {"examples", size.examples}}}});
  } catch (const InputError& e) {
    return json_text({{"error", e.what()}, {"status", kBadInput}});
  } catch (const LimitError& e) {
    if (shared) return std::nullopt;
    return json_text({{"error", e.what()}, {"status", kLimit}});
  }
}

void print_layer(const Json& layer, const Json& cells) {
  std::cout << path_line(layer["name"].get<std::string>());
  if (const auto shape = layer.find("shape"); shape != layer.end())
    std::cout << ": T = " << (*shape)["examples"] << ", n = " << (*shape)["context"]
              << ", d = " << (*shape)["embed_dim"] << ", H = " << (*shape)["heads"];
  std::cout << "\n";
  std::map<std::string, std::string> by_head;
  for (const Json& cell : cells) {
    if (cell["layer"] != layer["name"]) continue;
    if (cell["head"].is_null()) {
      const std::string words = cell["words"].get<std::string>();
      std::cout << "  " << printable(words.substr(0, words.find('\n'))) << "\n";
      continue;
    }
    std::string& line = by_head[cell["quantity"].get<std::string>()];
    line += (line.empty() ? "" : ", ") + cell["lower"].dump() +
            (cell["lower"] == cell["upper"] ? "" : " to " + cell["upper"].dump());
  }
  for (const auto& [quantity, line] : by_head) std::cout << "  " << quantity << " by head: " << line << "\n";
  for (const Json& error : layer["not_asked"])
    std::cout << "  not asked: " << printable(error.get<std::string>()) << "\n";
}

}  // namespace

const std::vector<std::string>& surveyed_questions() {
  static const std::vector<std::string> questions = {"rank",      "output-rank", "numerical-rank",
                                                     "injective", "saturation",  "capacity"};
  return questions;
}

Survey survey(const SurveyOptions& options) {
  std::vector<Layer> layers = read_layers(options.folder, options.layers);
  const std::vector<std::string>& questions = options.ask.empty() ? surveyed_questions() : options.ask;
  Survey result;
  Json& all = result.json;
  all = {{"attest", ATTEST_VERSION},
         {"format", "attest-survey/1"},
         {"layers", Json::array()},
         {"cells", Json::array()}};
  const auto failed = [&](std::size_t layer, const std::string& why, int worst) {
    Json& said = all["layers"][layer]["not_asked"];
    if (std::find(said.begin(), said.end(), why) == said.end()) said.push_back(why);
    result.status = worse(result.status, worst);
  };
  for (const std::string& name : questions)
    if (std::ranges::count(surveyed_questions(), name) == 0)
      throw InputError("ask", "", in_quotes(name) + " is no question of a survey",
                       joined(surveyed_questions(), "or"));
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    Layer& layer = layers[k];
    all["layers"].push_back({{"name", layer.name}, {"notes", layer.notes}, {"not_asked", Json::array()}});
    if (!layer.refused.empty()) {
      failed(k, layer.refused, kBadInput);
      continue;
    }
    try {
      bring(layer, folder_of(layer, options));
    } catch (const InputError& e) {
      failed(k, e.what(), kBadInput);
      continue;
    }
    for (const std::string& name : questions) {
      try {
        tasks.push_back({k, question_about(layer, name, options)});
      } catch (const InputError& e) {
        failed(k, e.what(), kAsExpected);  // arrays that this question needs are not there
      }
    }
  }

  std::vector<Json> answers(tasks.size());
  CaseRuns runs;
  runs.count = tasks.size();
  runs.jobs = options.jobs;
  runs.progress = options.progress;
  runs.what = "questions";
  runs.file = [&](std::size_t k) {
    return fs::path(tasks[k].question.text("out")) / (tasks[k].question.name() + ".toml");
  };
  runs.run = [&](std::size_t k, bool shared) {
    return answered(tasks[k], layers[tasks[k].layer], options, shared);
  };
  runs.done = [&](std::size_t k, const CaseEnding& ending) {
    answers[k] = ending.error.empty() ? Json::parse(ending.answer)
                                      : Json{{"error", ending.error}, {"status", ending.status}};
  };
  run_cases(runs);

  result.questions = tasks.size();
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const Json& answer = answers[k];
    Json& layer = all["layers"][tasks[k].layer];
    if (answer.contains("error")) {
      failed(tasks[k].layer, answer["error"].get<std::string>(), answer["status"].get<int>());
      continue;
    }
    for (const Json& cell : answer["cells"]) all["cells"].push_back(cell);
    for (const Json& note : answer["notes"])
      if (std::find(layer["notes"].begin(), layer["notes"].end(), note) == layer["notes"].end())
        layer["notes"].push_back(note);
    layer["shape"] = answer["shape"];
    if (answer["limited"].get<bool>()) result.status = worse(result.status, kLimit);
    result.unchanged += answer["unchanged"].get<bool>();
  }
  const fs::path out = options.out;
  write_output(out / "survey.json", json_text(all, 1) + "\n", kWritable);
  write_output(out / "survey.html", survey_page(all), kWritable);
  sync_outputs(out);
  return result;
}

int survey_and_print(const SurveyOptions& options) {
  const Survey found = survey(options);
  const Json& layers = found.json["layers"];
  for (const Json& layer : layers) print_layer(layer, found.json["cells"]);
  std::cout << layers.size() << (layers.size() == 1 ? " layer, " : " layers, ") << found.questions
            << " questions, " << found.unchanged
            << " of them answered before; survey.html, survey.json and certificates are in "
            << printable(options.out) << "\n";
  return found.status;
}

}  // namespace attest
