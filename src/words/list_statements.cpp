#include "words/list_statements.hpp"

#include <cctype>

#include "base/text.hpp"
#include "theory/statements.hpp"
#include "words/words.hpp"

namespace attest {
namespace {

std::string listed(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string type_text(const ArgumentSpec& argument) {
  using Type = ArgumentSpec::Type;
  switch (argument.type) {
    case Type::integer:
      return "an integer";
    case Type::natural:
      return "a positive integer";
    case Type::example:
      return "the index of an example";
    case Type::number:
      return "an exact number";
    case Type::positive:
      return "a positive exact number";
    case Type::flag:
    case Type::option:
      return "true or false (default)";
    case Type::word:
      return listed(words_in(argument.detail), ", ") + " (the first by default)";
    case Type::subset:
      return "different examples";
    case Type::coefficients:
      return "n positive numbers that sum to 1 for each member of the subset";
    case Type::matrix:
      return "a matrix";
    case Type::values:
      return "an exact number for each example";
    case Type::classes:
      return "a class of each example, or " + argument.detail;
  }
  return "";
}

// "tolerance: a positive exact number; at_least, at_most: an integer": keys in a row share their type.
std::string arguments_of(const Statement& s) {
  std::string text, last;
  for (const ArgumentSpec& argument : s.spec.arguments) {
    const bool in_group = argument.type == ArgumentSpec::Type::integer && !argument.detail.empty();
    const std::string type =
        type_text(argument) + (argument.required ? "" : ", optional") + (in_group ? " (one of these)" : "");
    if (type == last)
      text.insert(text.size() - type.size() - 2, ", " + argument.key);
    else
      text += (text.empty() ? "" : "; ") + argument.key + ": " + type;
    last = type;
  }
  return text;
}

// "with `labels=integer`: "; of the arguments for a number nothing, as the proposition names them.
std::string condition_of(const Clause& clause) {
  std::string when;
  for (const std::string& word : words_in(clause.when))
    if (word != "value" && word != "at_least" && word != "at_most") when += (when.empty() ? "" : " ") + word;
  if (when.empty()) return "";
  const bool negated = when.front() == '!';
  return (negated ? "unless `" : "with `") + when.substr(negated ? 1 : 0) + "`: ";
}

std::string code(const std::string& text) {
  return "`" + text + "`";
}

// Text in a cell of a table, which a bar would end.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

// With what arguments and keys of [layer] add to it.
std::string in_general(const std::string& says) {
  std::string text = says;
  constexpr std::pair<const char*, const char*> kKeys[] = {{"sink", "sink = true"},
                                                           {"query_bias", "query_bias = true"},
                                                           {"given", "layers_before = \"given\""},
                                                           {"free", "layers_before = \"free\""}};
  for (const auto& [key, written] : kKeys)
    if (const std::size_t at = text.find(std::string("{") + key + "|"); at != std::string::npos)
      text.insert(text.find('}', at), std::string(" (`") + written + "`)");
  return sentence(text, [](const std::string&) { return true; });
}

// "[Ranks from above](mathematics.md#ranks-from-above)"
std::string link_to(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  return "[" + heading + "](mathematics.md#" + anchor + ")";
}

std::string needs_of(const Statement& s) {
  std::vector<std::string> parts = words_in(s.spec.needs), also;
  std::erase_if(parts, [](const std::string& part) {
    return part == "ragged" || part == "stack" || part == "layers_before" || part == "given" ||
           part == "sinks";
  });
  if (s.spec.needs_part("ragged")) also.push_back("contexts of any lengths");
  if (s.spec.needs_part("sinks")) also.push_back("sinks");
  if (s.spec.needs_part("stack"))
    also.push_back(s.spec.needs_part("given")           ? "layers before as given"
                   : s.spec.needs_part("layers_before") ? "layers before, given or free"
                                                        : "layers before");
  return listed(parts, ", ") + (also.empty() ? "" : " (" + listed(also, ", ") + ")");
}

// Breaks prose at blanks so that lines have at most 100 columns, or a few more where the next one would
// begin with a sign or a number, as a list does.
std::string wrapped(const std::string& text, const std::string& margin) {
  constexpr std::size_t kLine = 100;
  std::string out, line = margin;
  bool empty = true;
  for (const std::string& word : words_in(text)) {
    const bool number = word.find_first_not_of("+-.)>=0123456789") == std::string::npos;
    if (!empty && !number && line.size() + 1 + word.size() > kLine) {
      out += line + "\n";
      line = std::string(margin.size(), ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return out + line + "\n";
}

std::string item(const std::string& text) {
  return wrapped(text, "* ");
}

}  // namespace

std::vector<std::string> statement_names() {
  std::vector<std::string> names;
  for (const Statement& each : statements()) names.push_back(each.spec.name);
  return names;
}

std::string statements_text(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names.empty() ? statement_names() : names) {
    const Statement& s = statement(name);
    const StatementWords& words = words_of(s);
    out += s.spec.name + "\n  claims:     " + in_general(words.says) +
           "\n  hypotheses: " + (words.assumes.empty() ? "none" : words.assumes);
    if (const std::string arguments = arguments_of(s); !arguments.empty())
      out += "\n  arguments:  " + arguments;
    out += "\n  executed:   " + words.executed + "\n";
  }
  return out;
}

std::string rules_markdown() {
  std::string out = "| rule | `of` | keys |\n|---|---|---|\n";
  for (const RuleShape& shape : rule_shapes()) {
    std::vector<std::string> forms, keys;
    for (const std::string& form : shape.of) forms.push_back(code(cell(form)));
    for (const RuleShape::Key& key : shape.list())
      keys.push_back(code(cell(key.name + (key.optional ? "?: " : ": ") + key.kind)));
    out += "| " + code(shape.rule) + " | " + listed(forms, ", ") + " | " + listed(keys, ", ") + " |\n";
  }
  return out;
}

std::string statements_markdown() {
  std::string out =
      "<!-- Written by `attest statements --markdown` from src/theory/table.cpp and src/words; a test "
      "compares. -->\n\n"
      "# Statements and theorems\n\n" +
      wrapped(
          "You want to claim something of your data or weights, or to know what a verdict is about. Here is "
          "every statement, as propositions about the quantities of "
          "[certificate.md](certificate.md#quantities), and every theorem schema that the rule `theorem` "
          "applies. [The design](certificate.md#the-design) says how verdicts follow from facts about these "
          "quantities. *Needs* are parts of the [case file](case-files.md), `whole` stands for values, "
          "outputs and read-out, and in brackets is what a case may have besides (`sinks`: and sigmoid "
          "coefficients); *Executed* is how attest decides it, *Numbers* are those of `--json`. Of "
          "the propositions of a conclusion the first one counts whose arguments the claim has: "
          "`decided(...)` is for claims without `value`, `at_least` and `at_most`.",
          "") +
      "\n## Statements\n";
  for (const Statement& s : statements()) {
    const StatementWords& words = words_of(s);
    std::string text = words.source + ": " + in_general(words.says) + ".";
    if (!words.assumes.empty()) text += " Assumes: " + words.assumes + ".";
    if (!s.spec.needs.empty()) text += " Needs: " + needs_of(s) + ".";
    if (const std::string arguments = arguments_of(s); !arguments.empty())
      text += " Arguments: " + arguments + ".";
    out += "\n### `" + s.spec.name + "`\n" + wrapped(text + " Executed: " + words.executed + ".", "");
    std::vector<std::string> hypotheses, conclusions, shown;
    for (const Clause& clause : s.hypotheses)
      hypotheses.push_back(code(clause.name) + ": " + condition_of(clause) + code(clause.proposition));
    std::string last;
    for (const Clause& clause : s.conclusion) {
      const std::string condition = condition_of(clause);
      if (!conclusions.empty() && condition == last)
        conclusions.back() += ", " + code(clause.proposition);
      else
        conclusions.push_back(condition + code(clause.proposition));
      last = condition;
    }
    for (const Shown& number : s.shown) {
      std::string written =
          code(number.name) + (number.name == number.quantity ? "" : " = " + code(number.quantity));
      if (shown.empty() || shown.back() != written) shown.push_back(std::move(written));
    }
    if (!hypotheses.empty()) out += item("Hypotheses: " + listed(hypotheses, "; ") + ".");
    out += item("Conclusion: " + listed(conclusions, "; ") + "." +
                (shown.empty() ? "" : " Numbers: " + listed(shown, ", ") + "."));
  }
  out += "\n## Theorems\n\n" +
         wrapped(
             "A schema with W holds for every layer. Quantities on the right are bounded by the facts that "
             "the step uses. The last column is where the proof is, and its name in `proofs/formal`.",
             "") +
         "\n| theorem | says | if | because | proof |\n|---|---|---|---|---|\n";
  for (const Theorem& t : theorems()) {
    const TheoremWords& words = words_of(t);
    std::vector<std::string> conditions;
    for (const std::string& condition : t.conditions) conditions.push_back(code(cell(condition)));
    out += "| " + code(t.name) + " | " + code(cell(t.conclusion)) + " | " + listed(conditions, " and ") +
           " | " + cell(words.says) + " | " + link_to(words.proof) +
           (words.formal.empty() ? "" : ", " + code(words.formal)) + " |\n";
  }
  return out;
}

}  // namespace attest
