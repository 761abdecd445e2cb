#include "cli/schemas.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/text.hpp"
#include "readers/layouts.hpp"
#include "theory/statements.hpp"
#include "words/certificate.hpp"
#include "words/list_statements.hpp"

namespace attest {
namespace {

// What a JSON Schema says again and again.

Json ref(const char* name) {
  return {{"$ref", std::string("#/$defs/") + name}};
}
Json constant(const char* value) {
  return {{"const", value}};
}
Json list(const Json& items, std::size_t least = 0) {
  Json result = {{"type", "array"}, {"items", items}};
  if (least > 0) result["minItems"] = least;
  return result;
}
Json pair(const Json& first, const Json& second) {
  return {{"type", "array"}, {"prefixItems", {first, second}}, {"minItems", 2}, {"maxItems", 2}};
}
Json one_of(std::initializer_list<Json> choices) {
  return {{"oneOf", Json(choices)}};
}
Json pattern(const char* expression) {
  return {{"type", "string"}, {"pattern", expression}};
}
Json type(const char* name) {
  return {{"type", name}};
}
/// An object with exactly these keys; a key that ends with "?" is optional.
Json object(const std::vector<std::pair<std::string, Json>>& keys) {
  Json properties = Json::object(), required = Json::array();
  for (const auto& [key, schema] : keys) {
    const bool optional = key.back() == '?';
    const std::string name = optional ? key.substr(0, key.size() - 1) : key;
    properties[name] = schema;
    if (!optional) required.push_back(name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Json verdicts() {
  return {{"enum", {"verified", "refuted", "inapplicable", "undecided"}}};
}
Json natural() {
  return {{"type", "integer"}, {"minimum", 0}};
}
Json number_or_digits() {
  return one_of({type("integer"), pattern("^-?[0-9]+$")});
}

Json theorem_names() {
  Json names = Json::array();
  for (const Theorem& t : theorems()) names.push_back(t.name);
  return {{"enum", names}};
}

Json head(const char* title, const char* description) {
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", title},
          {"description", description}};
}

Json among(std::initializer_list<const char*> values) {
  return {{"enum", Json(values)}};
}

/// What a claim says for an argument of this type.
Json argument(const ArgumentSpec& spec) {
  using Type = ArgumentSpec::Type;
  switch (spec.type) {
    case Type::natural:
      return ref("size");
    case Type::example:
      return ref("index");
    case Type::integer:
    case Type::number:
    case Type::positive:
      return ref("number");
    case Type::flag:
    case Type::option:
      return type("boolean");
    case Type::word:
      return {{"enum", words_in(spec.detail)}};
    case Type::subset:
      return {{"type", "array"}, {"items", ref("index")}, {"minItems", 1}, {"uniqueItems", true}};
    case Type::coefficients:
    case Type::matrix:
    case Type::values:
    case Type::classes:
      break;
  }
  return ref("array");
}

Json claims() {
  Json result = Json::array();
  for (const Statement& s : statements()) {
    std::vector<std::pair<std::string, Json>> keys = {
        {"statement", constant(s.spec.name.c_str())},
        {"expect?", among({"verified", "verified-as-stated", "refuted", "inapplicable", "undecided"})},
        {"name?", type("string")}};
    for (const ArgumentSpec& spec : s.spec.arguments)
      keys.emplace_back(spec.key + (spec.required ? "" : "?"), argument(spec));
    result.push_back(object(keys));
  }
  return result;
}

/// An object whose keys are all optional; with one of `needs` there is the other.
Json optional_keys(const std::map<std::string, Json>& keys,
                   const std::map<std::string, const char*>& needs = {}) {
  std::vector<std::pair<std::string, Json>> all;
  for (const auto& [key, value] : keys) all.emplace_back(key + "?", value);
  Json result = object(all);
  result.erase("required");
  for (const auto& [key, other] : needs) result["dependentRequired"][key] = Json::array({other});
  return result;
}

std::string text(const Json& schema) {
  return filled(schema, true) + "\n";
}

// What a kind of the table of shapes is; `[KIND]` is a list of it, `[KIND]+` one that is not empty, `A|B` one
// of two words.
Json schema_of(const std::string& kind) {
  if (kind.front() == '[') {
    const std::size_t end = kind.rfind(']');
    return list(schema_of(kind.substr(1, end - 1)), kind.size() - 1 - end);
  }
  const Json number = ref("rational"), index = ref("index"), integers = list(ref("integer")),
             vector = ref("vector"), vectors = list(vector);
  const Json separator = object({{"u", vector}, {"v", vector}, {"lambda", number}}),
             head =
                 object({{"key", vectors}, {"query", vectors}, {"sink?", number}, {"separator?", separator}});
  const std::map<std::string, Json> kinds = {
      {"index", index},
      {"step", index},
      {"count", index},
      {"bits", index},
      {"given|step", one_of({constant("given"), index})},
      {"prime", ref("prime")},
      {"rational", number},
      {"integer", ref("integer")},
      {"vector", vector},
      {"sparse", list(pair(index, one_of({number, list(pair(number, number)),
                                          list(pair(number, list(pair(index, number))))})),
                      1)},
      {"neuron", object({{"w", list(number, 1)}, {"b", number}, {"a", number}})},
      {"ball", object({{"mid", number}, {"rad", number}})},
      {"node", one_of({object({{"neuron", index}, {"example", index}}),
                       object({{"examples", integers}, {"neurons", list(integers)}, {"order", integers}})})},
      {"layer", one_of({object({{"random", object({{"bound", ref("prime")}, {"seed", index}})}}),
                        object({{"heads", list(head, 1)}}),
                        object({{"rescaled", object({{"of", index}, {"lambda", number}})}})})},
      {"proof", list(ref("step"))},
      {"theorem", theorem_names()}};
  if (const auto found = kinds.find(kind); found != kinds.end()) return found->second;
  const std::size_t bar = kind.find('|');
  if (bar == std::string::npos) throw std::logic_error("no schema of the kind " + kind);
  return {{"enum", {kind.substr(0, bar), kind.substr(bar + 1)}}};
}

// The table of shapes.
Json steps() {
  Json result = Json::array();
  for (const RuleShape& shape : rule_shapes()) {
    std::vector<std::pair<std::string, Json>> keys = {{"rule", {{"const", shape.rule}}}};
    const bool star = std::ranges::any_of(
        shape.of, [](const std::string& form) { return form.find('*') != std::string::npos; });
    if (!shape.of.empty()) keys.emplace_back("of", star ? ref("quantity") : Json{{"enum", shape.of}});
    for (const RuleShape::Key& key : shape.list())
      keys.emplace_back(key.name + (key.optional ? "?" : ""), schema_of(key.kind));
    keys.emplace_back("fact", type("string"));
    keys.emplace_back("label?", type("string"));
    result.push_back(object(keys));
  }
  return result;
}

}  // namespace

std::string case_schema() {
  Json schema = head("attest case file, format 1",
                     "A case file (case-files.md) as JSON. What its numbers have to do with each other is "
                     "not said here. Written by `attest schema case`.");
  const Json array = ref("array"), number = ref("number"), size = ref("size"), boolean = type("boolean"),
             name = type("string"),
             bound = {{"type", "integer"}, {"minimum", 1}, {"maximum", std::int64_t{1} << 62}},
             scale = {{"anyOf", {number, pattern("^1/sqrt[(](d|d_h|[0-9]+)[)]$")}}};
  Json layouts = Json::array();
  for (const WeightLayout& layout : weight_layouts()) layouts.push_back(layout.name);
  const std::map<std::string, Json> generator = {
      {"kind", among({"integers", "rationals", "uniform-f64", "normal-f64"})},
      {"bound?", bound},
      {"denominator?", bound},
      {"scale?", number},
      {"seed", ref("index")}};
  std::vector<std::pair<std::string, Json>> of_weights(generator.begin(), generator.end());
  std::vector<std::pair<std::string, Json>> of_data = of_weights;
  of_data.emplace_back("shared_context?", boolean);
  std::map<std::string, Json> layer = {{"base", among({"e", "2"})},
                                       {"logit_scale", scale},
                                       {"sink", boolean},
                                       {"query_bias", boolean},
                                       {"coefficients", among({"softmax", "sigmoid"})},
                                       {"layers_before", among({"given", "free"})}};
  for (const char* const key :
       {"heads", "context", "embed_dim", "head_dim", "examples", "output_dim", "value_dim"})
    layer[key] = size;
  const std::map<std::string, Json> data = {
      {"contexts", array}, {"queries", array},
      {"labels", array},   {"generate", object(of_data)},
      {"mixed", boolean},  {"hidden", array},
      {"causal", boolean}, {"window", size},
      {"mask", array},     {"positions", {{"anyOf", {among({"last", "all"}), list(ref("index"), 1)}}}}};
  std::map<std::string, Json> weights = {{"generate", object(of_weights)},
                                         {"logit_scale", scale},
                                         {"layout", {{"enum", layouts}}},
                                         {"file", pattern("[.](npz|safetensors)$")},
                                         {"prefix", name},
                                         {"skip", {{"anyOf", {Json{{"const", true}}, array}}}}};
  for (const char* const key :
       {"key", "query", "combined", "key_bias", "query_bias", "projected_queries", "projected_keys", "logits",
        "value", "value_bias", "output", "output_bias", "readout", "readout_bias", "sink"})
    weights[key] = array;
  const Json attention = object({{"kind", constant("attention")},
                                 {"heads", size},
                                 {"head_dim?", size},
                                 {"combined?", array},
                                 {"key?", array},
                                 {"query?", array},
                                 {"value?", array},
                                 {"residual?", boolean},
                                 {"causal?", boolean},
                                 {"window?", size},
                                 {"mask?", array}}),
             mlp = object({{"kind", constant("mlp")},
                           {"weight_1", array},
                           {"bias_1?", array},
                           {"weight_2", array},
                           {"bias_2?", array},
                           {"activation", among({"relu", "silu", "tanh"})},
                           {"residual?", boolean}}),
             rmsnorm = object({{"kind", constant("rmsnorm")}, {"gain?", array}, {"epsilon?", number}});
  schema.update(object({{"format", {{"const", 1}}},
                        {"title?", pattern("^[^\\u0000-\\u001f\\u007f]*$")},
                        {"layer?", optional_keys(layer)},
                        {"data?", optional_keys(data, {{"positions", "hidden"},
                                                       {"causal", "hidden"},
                                                       {"window", "hidden"},
                                                       {"hidden", "positions"}})},
                        {"before?", list(one_of({attention, mlp, rmsnorm}), 1)},
                        {"weights?", optional_keys(weights, {{"key", "query"},
                                                             {"query", "key"},
                                                             {"file", "layout"},
                                                             {"layout", "file"},
                                                             {"prefix", "layout"},
                                                             {"projected_queries", "projected_keys"},
                                                             {"projected_keys", "projected_queries"}})},
                        {"claim", list({{"oneOf", claims()}}, 1)}}));
  schema["properties"]["layer"]["required"] = {"context", "embed_dim"};
  const Json entries = {{"type", "array"}, {"items", {{"anyOf", {number, ref("entries")}}}}, {"minItems", 1}};
  schema["$defs"] = {
      {"index", {{"type", "integer"}, {"minimum", 0}}},
      {"size", {{"type", "integer"}, {"minimum", 1}, {"maximum", std::int64_t{1} << 40}}},
      {"number",
       {{"anyOf",
         {type("integer"), pattern("^[+-]?([0-9]+/"
                                   "[0-9]+|([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|0[xX]([0-9a-fA-F]+["
                                   ".]?[0-9a-fA-F]*|[.][0-9a-fA-F]+)([pP][+-]?[0-9]+)?)$")}}}},
      {"entries", entries},
      {"array",
       {{"anyOf",
         {ref("entries"), object({{"file", pattern("[.](npy|npz|safetensors)$")},
                                  {"tensor?", name},
                                  {"transpose?", boolean}})}}}}};
  return text(schema);
}

std::string certificate_schema() {
  Json schema = head(kernel::kCertificateFormat,
                     "The shape of certificates; what makes one valid is in certificate.md. Written by "
                     "`attest schema certificate`.");
  const Json claim = object({{"statement", {{"enum", statement_names()}}},
                             {"steps", list(ref("index"))},
                             {"reason?", type("string")}});
  schema.update(object({{"format", constant(kernel::kCertificateFormat)},
                        {"attest", type("string")},
                        {"case", object({{"path", type("string")}, {"digest", pattern("^[0-9a-f]{64}$")}})},
                        {"steps", list(ref("step"))},
                        {"claims", list(claim, 1)}}));
  schema["$defs"] = {
      {"index", {{"type", "integer"}, {"minimum", 0}}},
      {"prime", {{"type", "integer"}, {"minimum", 1}}},
      {"integer", pattern("^-?[0-9]+$")},
      {"rational", pattern("^-?(0x[0-9a-fA-F.]+p[+-]?[0-9]+|[0-9.]+([eE][+-]?[0-9]+)?|[0-9]+/[0-9]+)$")},
      {"quantity", pattern("^[a-z_-]+([(][a-zA-Z0-9_()|,;:-]*[)])?$")},
      {"vector", object({{"den", ref("integer")}, {"num", list(ref("integer"))}})},
      {"step", {{"anyOf", steps()}}}};
  return text(schema);
}

std::string verify_schema() {
  Json schema = head(
      "attest-verify/1",
      "What `attest verify --json` writes (README.md, Results as JSON). Written by `attest schema verify`.");
  const Json interval = ref("interval"), number = ref("number"), count = ref("count");
  // The numbers that some statement shows: groups of numbers by the part before the dot, intervals otherwise.
  std::map<std::string, Json> shown;
  for (const Statement& s : statements())
    for (const Shown& each : s.shown) {
      const std::size_t dot = each.name.find('.');
      if (dot == std::string::npos)
        shown[each.name] = interval;
      else
        shown[each.name.substr(0, dot)][each.name.substr(dot + 1)] = one_of({number, interval});
    }
  std::vector<std::pair<std::string, Json>> keys = {
      {"name", type("string")},
      {"statement", {{"enum", statement_names()}}},
      {"claimed", type("string")},
      {"arguments", type("string")},
      {"verdict", ref("verdict")},
      {"hypotheses_undecided", type("boolean")},
      {"expected", {{"enum", {"verified", "verified-as-stated", "refuted", "inapplicable", "undecided"}}}},
      {"as_expected", type("boolean")},
      {"hypotheses",
       {{"type", "object"}, {"additionalProperties", {{"enum", {"holds", "fails", "undecided"}}}}}},
      {"conclusion", {{"enum", {"proved", "refuted", "open"}}}},
      {"answer", type("string")},
      {"findings", list(object({{"kind", type("string")},
                                {"says", type("string")},
                                {"examples?", list(count)},
                                {"example?", count},
                                {"tokens?", list(count)},
                                {"heads?", list(count)},
                                {"lambda?", type("string")},
                                {"base?", type("string")},
                                {"labels?", list(type("string"))}}))}};
  for (const auto& [name, value] : shown) {
    if (value.contains("$ref")) {
      keys.emplace_back(name + "?", value);
      continue;
    }
    std::vector<std::pair<std::string, Json>> members;
    for (const auto& [member, its] : value.items()) members.emplace_back(member + "?", its);
    keys.emplace_back(name + "?", object(members));
  }
  keys.emplace_back("open?", Json{{"type", "object"}, {"additionalProperties", interval}});
  keys.emplace_back("heads?", number);
  keys.emplace_back("query_bias?", type("boolean"));
  keys.emplace_back("which?", list(count));
  keys.emplace_back("conflicts?", Json{{"type", "object"}, {"additionalProperties", list(count)}});
  keys.emplace_back("singular_values?",
                    list(object({{"index", count}, {"lower", type("number")}, {"upper", type("number")}})));
  keys.emplace_back(
      "sampled?",
      object({{"size", count},
              {"samples", count},
              {"seed", count},
              {"independent", count},
              {"dependent", count},
              {"open", count},
              {"dependent_share", object({{"lower", type("number")}, {"upper", type("number")}})}}));
  keys.emplace_back("checked?", type("boolean"));
  keys.emplace_back("found", type("string"));
  keys.emplace_back("meaning?", type("string"));
  keys.emplace_back("reason", Json{{"type", {"string", "null"}}});
  keys.emplace_back("seconds", type("number"));
  keys.emplace_back("place?", object({{"line", count}, {"column", count}}));
  const Json each_case = object({{"path", type("string")},
                                 {"title?", type("string")},
                                 {"certificate?", type("string")},
                                 {"unchanged?", type("boolean")},
                                 {"claims", list(object(keys))},
                                 {"seconds?", type("number")},
                                 {"explained?", type("object")},
                                 {"error?", type("string")}});
  std::vector<std::pair<std::string, Json>> totals;
  for (const char* key :
       {"verified", "refuted", "inapplicable", "undecided", "hypotheses_undecided", "unexpected", "not_run"})
    totals.emplace_back(key, count);
  schema.update(object({{"attest", type("string")},
                        {"format", constant("attest-verify/1")},
                        {"cases", list(each_case)},
                        {"totals", object(totals)}}));
  schema["$defs"] = {{"verdict", verdicts()},
                     {"count", natural()},
                     {"number", number_or_digits()},
                     {"interval", object({{"lower", ref("number")}, {"upper", ref("number")}})}};
  return text(schema);
}

std::string survey_schema() {
  Json schema =
      head("attest-survey/1",
           "What `python3 -m attest.survey` and attest.survey write as survey.json (docs/guide.md). Written "
           "by `attest schema survey`.");
  const Json text_of = type("string"), number = ref("number"), count = ref("count"),
             optional = {{"type", {"integer", "null"}}, {"minimum", 0}};
  std::vector<std::pair<std::string, Json>> cell = {{"layer", text_of},
                                                    {"head", optional},
                                                    {"quantity", text_of},
                                                    {"lower", number},
                                                    {"upper", number},
                                                    {"ceiling", optional},
                                                    {"verdict", ref("verdict")},
                                                    {"statement", {{"enum", statement_names()}}},
                                                    {"certificate", text_of},
                                                    {"claim", count},
                                                    {"checked", type("boolean")},
                                                    {"seconds", type("number")},
                                                    {"words", text_of},
                                                    {"query_bias?", type("boolean")},
                                                    {"bottleneck?", text_of}};
  std::set<std::string> bounds;
  for (const Statement& s : statements())
    for (const Shown& each : s.shown)
      if (each.name.starts_with("bounds.")) bounds.insert(each.name.substr(7));
  for (const std::string& name : bounds) {
    if (name.ends_with("_lower")) {
      cell.emplace_back(name + "?", number);
    } else {
      cell.emplace_back(name + "_lower?", number);
      cell.emplace_back(name + "_upper?", number);
    }
  }
  const Json shape = object({{"heads", count},
                             {"context", count},
                             {"embed_dim", count},
                             {"head_dim", count},
                             {"examples", count},
                             {"query_bias", type("boolean")}});
  schema.update(
      object({{"attest", text_of},
              {"format", constant("attest-survey/1")},
              {"layers", list(object({{"name", text_of},
                                      {"notes", list(text_of)},
                                      {"not_asked", list(text_of)},
                                      {"one_token", optional},
                                      {"equal_heads", list(list(count))},
                                      {"constant_heads", list(count)},
                                      {"value_dim", optional},
                                      {"shape?", shape}}))},
              {"findings", list(object({{"says", text_of}, {"do", text_of}, {"layers", list(text_of)}}))},
              {"cells", list(object(cell))}}));
  schema["$defs"] = {{"verdict", verdicts()}, {"count", natural()}, {"number", number_or_digits()}};
  return text(schema);
}

}  // namespace attest
