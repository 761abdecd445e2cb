// The schemas are written in schemas.json, briefly: "integer" and such words are types, "@NAME" is what $defs
// has of this name, "=WORD" this word, "/EXPRESSION" a string that fits it; [X] a list of X, [X, n] one of at
// least n; {"pair": [X, Y]} a list of two; {"keys": ...} an object with exactly these keys, those with a "?"
// optional, {"optional": ...} one whose keys all are. "$NAME" is what follows from the tables.
#include "cli/schemas.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/text.hpp"
#include "cli/schemas_json.hpp"
#include "readers/layouts.hpp"
#include "theory/statements.hpp"
#include "words/certificate.hpp"
#include "words/list_statements.hpp"

namespace attest {
namespace {

const Json& written() {
  static const Json all = Json::parse(kSchemas);
  return all;
}

template <class List, class Make>
Json each_of(const List& list, Make make) {
  Json result = Json::array();
  for (const auto& x : list) result.push_back(make(x));
  return result;
}

/// What a claim says for an argument of this type.
Json argument(const ArgumentSpec& spec) {
  using Type = ArgumentSpec::Type;
  switch (spec.type) {
    case Type::natural:
      return "@size";
    case Type::example:
      return "@index";
    case Type::integer:
    case Type::number:
    case Type::positive:
      return "@number";
    case Type::flag:
    case Type::option:
      return "boolean";
    case Type::word:
      return {{"enum", words_in(spec.detail)}};
    case Type::subset:
      return {{"type", "array"}, {"items", "@index"}, {"minItems", 1}, {"uniqueItems", true}};
    case Type::coefficients:
    case Type::matrix:
    case Type::values:
    case Type::classes:
      break;
  }
  return "@array";
}

Json claim_of(const Statement& s) {
  const char* const expected[] = {"verified", "verified-as-stated", "refuted", "inapplicable", "undecided"};
  Json keys = {{"statement", "=" + s.spec.name}, {"expect?", {{"enum", expected}}}, {"name?", "string"}};
  for (const ArgumentSpec& spec : s.spec.arguments)
    keys[spec.key + (spec.required ? "" : "?")] = argument(spec);
  return {{"keys", keys}};
}

/// A kind of the table of shapes; `[KIND]` is a list of it, `[KIND]+` one that is not empty, `A|B` one of two
/// words.
Json kind_of(const std::string& kind) {
  if (kind.front() == '[') {
    const std::size_t end = kind.rfind(']');
    Json list = Json::array({kind_of(kind.substr(1, end - 1))});
    if (end + 1 < kind.size()) list.push_back(1);
    return list;
  }
  if (const Json& kinds = written()["kinds"]; kinds.contains(kind)) return kinds[kind];
  const std::size_t bar = kind.find('|');
  if (bar == std::string::npos) throw std::logic_error("no schema of the kind " + kind);
  return {{"enum", {kind.substr(0, bar), kind.substr(bar + 1)}}};
}

Json step_of(const RuleShape& shape) {
  Json keys = {{"rule", "=" + shape.rule}};
  const bool star = std::ranges::any_of(
      shape.of, [](const std::string& form) { return form.find('*') != std::string::npos; });
  if (!shape.of.empty()) keys["of"] = star ? Json("@quantity") : Json{{"enum", shape.of}};
  for (const RuleShape::Key& key : shape.list())
    keys[key.name + (key.optional ? "?" : "")] = kind_of(key.kind);
  keys["fact"] = "string";
  keys["label?"] = "string";
  return {{"keys", keys}};
}

/// The numbers that some statement shows: groups of numbers by the part before the dot, intervals otherwise.
Json shown() {
  std::map<std::string, Json> found;
  for (const Statement& s : statements())
    for (const Shown& each : s.shown) {
      const std::size_t dot = each.name.find('.');
      if (dot == std::string::npos)
        found[each.name + "?"] = "@interval";
      else
        found[each.name.substr(0, dot) + "?"]["keys"][each.name.substr(dot + 1) + "?"] = {
            {"oneOf", {"@number", "@interval"}}};
    }
  return found;
}

/// The bounds among them, as a cell of a survey has them.
Json bounds() {
  std::set<std::string> names;
  for (const Statement& s : statements())
    for (const Shown& each : s.shown)
      if (each.name.starts_with("bounds.")) names.insert(each.name.substr(7));
  Json keys = Json::object();
  for (const std::string& name : names) {
    if (name.ends_with("_lower"))
      keys[name + "?"] = "@number";
    else
      for (const char* const end : {"_lower?", "_upper?"}) keys[name + end] = "@number";
  }
  return keys;
}

Json of_the_tables(const std::string& name) {
  const auto name_of = [](const auto& each) { return each.name; };
  if (name == "$format") return kernel::kCertificateFormat;
  if (name == "$statements") return statement_names();
  if (name == "$theorems") return each_of(theorems(), name_of);
  if (name == "$layouts") return each_of(weight_layouts(), name_of);
  if (name == "$claims") return each_of(statements(), claim_of);
  if (name == "$steps") return each_of(rule_shapes(), step_of);
  return name == "$shown" ? shown() : bounds();
}

Json expanded(const Json& brief);

Json object(const Json& keys, bool all_optional) {
  Json properties = Json::object(), required = Json::array();
  const auto add = [&](const std::string& key, const Json& brief) {
    const bool optional = key.back() == '?';
    const std::string name = optional ? key.substr(0, key.size() - 1) : key;
    properties[name] = expanded(brief);
    if (!optional) required.push_back(name);
  };
  for (const auto& [key, brief] : keys.items()) {
    if (!key.starts_with("$")) {
      add(key, brief);
      continue;
    }
    const Json more = of_the_tables(key);
    for (const auto& [name, its] : more.items()) add(name, its);
  }
  Json result = {{"type", "object"}, {"properties", properties}};
  if (!all_optional) result["required"] = required;
  result["additionalProperties"] = false;
  return result;
}

Json expanded(const Json& brief) {
  if (brief.is_string()) {
    const auto text = brief.get<std::string>(), rest = text.substr(1);
    switch (text.front()) {
      case '@':
        return {{"$ref", "#/$defs/" + rest}};
      case '=':
        return {{"const", rest}};
      case '/':
        return {{"type", "string"}, {"pattern", rest}};
      default:
        return {{"type", text}};
    }
  }
  if (brief.is_array()) {
    Json list = {{"type", "array"}, {"items", expanded(brief[0])}};
    if (brief.size() > 1) list["minItems"] = brief[1];
    return list;
  }
  Json result = Json::object();
  for (const auto& [key, value] : brief.items()) {
    const bool table = value.is_string() && value.get_ref<const std::string&>().starts_with("$");
    const Json given = table ? of_the_tables(value.get<std::string>()) : value;
    if (key == "keys" || key == "optional")
      result.update(object(given, key == "optional"));
    else if (key == "pair")
      result = {
          {"type", "array"}, {"prefixItems", each_of(given, expanded)}, {"minItems", 2}, {"maxItems", 2}};
    else if (key == "oneOf" || key == "anyOf")
      result[key] = each_of(given, expanded);
    else if (key == "items" || key == "additionalProperties")
      result[key] = expanded(given);
    else if (key == "$defs")
      for (const auto& [name, its] : given.items()) result[key][name] = expanded(its);
    else
      result[key] = given;
  }
  return result;
}

}  // namespace

std::string schema(const std::string& of) {
  Json result = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  result.update(expanded(written().at(of)));
  return filled(result, true) + "\n";
}

}  // namespace attest
