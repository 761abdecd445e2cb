#include "readers/case_values.hpp"

#include <nlohmann/json.hpp>

#include "problem/numbers.hpp"
#include "readers/array_files.hpp"
#include "readers/case_reader.hpp"

namespace attest {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

// An array as a case file has it inline, with numerals of exact numbers.
std::string rows_text(const ExactArray& array) {
  const std::vector<std::size_t>& shape = array.shape();
  std::string text;
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::size_t block = 1, begun = 0;  // of the blocks within blocks, how many begin here
    for (std::size_t k = shape.size(); k-- > 0;) begun += i % (block *= shape[k]) == 0 ? 1 : 0;
    text += (i == 0 ? "" : std::string(begun, ']') + ", ") + std::string(begun, '[') +
            quoted(number_text(array.at(i)));
  }
  return text + std::string(shape.size(), ']');
}

struct ValueText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    std::string text;
    for (const std::int64_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
    return "[" + text + "]";
  }
  std::string operator()(const FileValue& value) const {
    if (is_inline(value.file)) {
      const ExactArray array = memory_array(value.file, "", value.file, [](std::uint64_t) {});
      return rows_text(value.transpose ? transposed(array) : array);
    }
    return "{ file = " + quoted(value.file) +
           (value.tensor.empty() ? "" : ", tensor = " + quoted(value.tensor)) +
           (value.transpose ? ", transpose = true }" : " }");
  }
};

struct Insert {
  toml::table& table;
  const std::string& key;
  void operator()(const std::vector<std::int64_t>& values) const {
    toml::array array;
    for (const std::int64_t value : values) array.push_back(value);
    table.insert(key, std::move(array));
  }
  void operator()(const FileValue& value) const {
    toml::table file{{"file", value.file}};
    if (!value.tensor.empty()) file.insert("tensor", value.tensor);
    if (value.transpose) file.insert("transpose", true);
    table.insert(key, std::move(file));
  }
  void operator()(const auto& value) const { table.insert(key, value); }
};

toml::table nodes(const CaseTable& values) {
  toml::table table;
  for (const auto& [key, value] : values) std::visit(Insert{table, key}, value);
  return table;
}

}  // namespace

toml::table toml_of(const CaseValues& values) {
  toml::table root{{"format", 1}, {"title", values.title}};
  for (const auto& [name, table] :
       {std::pair{"layer", &values.layer}, {"data", &values.data}, {"weights", &values.weights}})
    if (!table->empty()) root.insert(name, nodes(*table));
  toml::array claims;
  for (const CaseTable& claim : values.claims) claims.push_back(nodes(claim));
  root.insert("claim", std::move(claims));
  return root;
}

std::string case_text(const CaseValues& values) {
  std::string text = "format = 1\ntitle = " + quoted(values.title) + "\n";
  const auto add = [&](const std::string& header, const CaseTable& table) {
    if (table.empty()) return;
    text += "\n" + header + "\n";
    for (const auto& [key, value] : table) text += key + " = " + std::visit(ValueText(), value) + "\n";
  };
  add("[layer]", values.layer);
  add("[data]", values.data);
  add("[weights]", values.weights);
  for (const CaseTable& claim : values.claims) add("[[claim]]", claim);
  return text;
}

}  // namespace attest
