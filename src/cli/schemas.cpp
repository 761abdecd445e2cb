#include "cli/schemas.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "certificate/certificate.hpp"
#include "statements/statements.hpp"

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

Json step(const char* rule, std::vector<std::pair<std::string, Json>> keys) {
  keys.insert(keys.begin(), {"rule", constant(rule)});
  keys.emplace_back("fact", type("string"));
  keys.emplace_back("label?", type("string"));
  return object(keys);
}

Json statement_names() {
  Json names = Json::array();
  for (const Statement& s : statements()) names.push_back(s.spec.name);
  return {{"enum", names}};
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

// Values that fit go on one line, and short ones are filled into lines.
std::string printed(const Json& json, const std::string& margin) {
  constexpr std::size_t kLine = 120;
  if (json.is_primitive() || json.empty() || json.dump().size() + margin.size() <= kLine) return json.dump();
  const bool is_array = json.is_array();
  std::string out = is_array ? "[" : "{";
  std::size_t column = kLine;  // so that the first value starts a line
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    const std::string name = is_array ? "" : Json(key).dump() + ": ",
                      text = name + printed(value, margin + " ");
    const bool whole = text.find('\n') == std::string::npos;
    if (!first) out += ",";
    if (whole && column + text.size() + 2 <= kLine) {
      out += " ";
      column += text.size() + 2;
    } else {
      out += "\n" + margin + " ";
      column = whole ? margin.size() + 1 + text.size() : kLine;
    }
    out += text;
    first = false;
  }
  return out + (is_array ? "]" : "}");
}

std::string text(const Json& schema) {
  return printed(schema, "") + "\n";
}

// The steps of docs/certificate.md, Rules.
Json steps() {
  const Json number = ref("rational"), index = ref("index"), indices = list(index), vector = ref("vector"),
             prime = ref("prime"), quantity = ref("quantity");
  const Json separator = object({{"u", vector}, {"v", vector}, {"lambda", number}});
  const Json layer_head = object({{"key", list(vector)}, {"query", list(vector)}, {"separator?", separator}});
  const Json layer = one_of({object({{"random", object({{"bound", prime}, {"seed", index}})}}),
                             object({{"heads", list(layer_head, 1)}}),
                             object({{"rescaled", object({{"of", index}, {"lambda", number}})}})});
  const Json sparse = list(list(pair(index, one_of({number, list(pair(number, number))})), 1));
  const Json neuron = object({{"w", list(number, 1)}, {"b", number}, {"a", number}});
  const Json ball = object({{"mid", number}, {"rad", number}});
  const Json branch = object({{"neuron", index}, {"example", index}});
  const Json integer = ref("integer");
  const Json leaf =
      object({{"examples", list(integer)}, {"neurons", list(list(integer))}, {"order", list(integer)}});
  const Json right = list(list(vector)), left = list(vector);
  return {
      step("let", {{"layer", layer}}),
      step("minor", {{"of", quantity}, {"p", prime}, {"g?", prime}, {"rows?", indices}, {"cols?", indices}}),
      step("zero", {{"of", quantity},
                    {"side", {{"enum", {"left", "right"}}}},
                    {"vectors", sparse},
                    {"p", prime},
                    {"g?", prime},
                    {"member?", index}}),
      step("subsets",
           {{"of", quantity}, {"k", index}, {"p", prime}, {"method", {{"enum", {"subsets", "dual"}}}}}),
      step("compare", {{"of", constant("separator")}, {"u", vector}, {"v", vector}}),
      step("compare",
           {{"of", constant("network(given)")}, {"neurons", list(neuron, 1)}, {"output_bias?", number}}),
      step("compare",
           {{"of", constant("perturbation")}, {"mu", number}, {"side", {{"enum", {"holds", "fails"}}}}}),
      step("ball", {{"of", constant("vertex_limit")}, {"vertex", index}, {"lambda", number}}),
      step("ball", {{"of", constant("saturated")},
                    {"side", {{"enum", {"above", "below"}}}},
                    {"count", index},
                    {"precision", index}}),
      step("ball", {{"of", constant("numerical_rank")},
                    {"side", {{"enum", {"above", "below"}}}},
                    {"bits", index},
                    {"vectors", list(list(integer), 1)}}),
      step("ball", {{"of", constant("accurate")},
                    {"side", {{"enum", {"above", "below"}}}},
                    {"count", index},
                    {"precision", index}}),
      step("ball", {{"of", constant("one_hot")},
                    {"right_inverses", right},
                    {"left_inverse", left},
                    {"u", vector},
                    {"v", vector},
                    {"lambda", number}}),
      step("inverse", {{"of", constant("weights")}, {"right_inverses", right}, {"left_inverse", left}}),
      step("inverse", {{"of", constant("readout")},
                       {"layer", index},
                       {"cols", indices},
                       {"precision", index},
                       {"inverse", list(list(number))},
                       {"weights", list(list(ball))}}),
      step("inverse", {{"of", constant("tail_rank")},
                       {"layer", index},
                       {"lambda", number},
                       {"rows", indices},
                       {"cols", indices},
                       {"inverse", list(list(number))},
                       {"scale", list(number)}}),
      step("split", {{"of", constant("network(given)")}, {"trees", list(list(one_of({branch, leaf})), 1)}}),
      step(
          "theorem",
          {{"theorem", theorem_names()}, {"uses", indices}, {"layer?", one_of({constant("given"), index})}})};
}

}  // namespace

std::string certificate_schema() {
  Json schema = head("attest-certificate/2",
                     "The shape of certificates; what makes one valid is in certificate.md. Written by "
                     "`attest schema certificate`.");
  const Json claim =
      object({{"statement", statement_names()}, {"steps", list(ref("step"))}, {"reason?", type("string")}});
  schema.update(object({{"format", constant("attest-certificate/2")},
                        {"attest", type("string")},
                        {"case", object({{"path", type("string")}, {"digest", pattern("^[0-9a-f]{64}$")}})},
                        {"claims", list(claim, 1)}}));
  schema["$defs"] = {
      {"index", {{"type", "integer"}, {"minimum", 0}}},
      {"prime", {{"type", "integer"}, {"minimum", 1}}},
      {"integer", pattern("^-?[0-9]+$")},
      {"rational", pattern("^-?(0x[0-9a-fA-F.]+p[+-]?[0-9]+|[0-9.]+([eE][+-]?[0-9]+)?|[0-9]+/[0-9]+)$")},
      {"quantity", pattern("^[a-z_-]+([(][a-zA-Z0-9_()|-]+[)])?$")},
      {"vector", object({{"den", ref("integer")}, {"num", list(ref("integer"))}})},
      {"step", {{"oneOf", steps()}}}};
  return text(schema);
}

std::string verify_schema() {
  Json schema = head("attest-verify/1",
                     "What `attest verify --json` writes (README.md, Results as JSON). Written by `attest "
                     "schema verify`.");
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
      {"statement", statement_names()},
      {"claimed", type("string")},
      {"arguments", type("string")},
      {"verdict", ref("verdict")},
      {"hypotheses_undecided", type("boolean")},
      {"expected", {{"enum", {"verified", "verified-as-stated", "refuted", "inapplicable", "undecided"}}}},
      {"as_expected", type("boolean")},
      {"hypotheses",
       {{"type", "object"}, {"additionalProperties", {{"enum", {"holds", "fails", "undecided"}}}}}},
      {"conclusion", {{"enum", {"proved", "refuted", "open"}}}}};
  for (const auto& [name, value] : shown) {
    if (value.contains("$ref")) {
      keys.emplace_back(name + "?", value);
      continue;
    }
    std::vector<std::pair<std::string, Json>> members;
    for (const auto& [member, its] : value.items()) members.emplace_back(member + "?", its);
    keys.emplace_back(name + "?", object(members));
  }
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
  keys.emplace_back("reason", Json{{"type", {"string", "null"}}});
  keys.emplace_back("seconds", type("number"));
  const Json each_case = object({{"path", type("string")},
                                 {"title?", type("string")},
                                 {"certificate?", type("string")},
                                 {"unchanged?", type("boolean")},
                                 {"claims", list(object(keys))},
                                 {"seconds?", type("number")},
                                 {"error?", type("string")}});
  std::vector<std::pair<std::string, Json>> totals;
  for (const char* key :
       {"verified", "refuted", "inapplicable", "undecided", "hypotheses_undecided", "unexpected", "not_run"})
    totals.emplace_back(key, count);
  schema.update(object({{"attest", type("string")},
                        {"format", constant("attest-verify/1")},
                        {"cases", list(each_case)},
                        {"totals", object(totals)}}));
  schema["$defs"] = {{"verdict", {{"enum", {"verified", "refuted", "inapplicable", "undecided"}}}},
                     {"count", {{"type", "integer"}, {"minimum", 0}}},
                     {"number", one_of({type("integer"), pattern("^-?[0-9]+$")})},
                     {"interval", object({{"lower", ref("number")}, {"upper", ref("number")}})}};
  return text(schema);
}

}  // namespace attest
