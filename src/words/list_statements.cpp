#include "words/list_statements.hpp"

#include <sstream>

#include "statements/statements.hpp"
#include "words/words.hpp"

namespace attest {
namespace {

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
      return "true or false (default)";
    case Type::word: {
      std::string words;
      std::istringstream in(argument.detail);
      for (std::string word; in >> word;) words += (words.empty() ? "" : ", ") + word;
      return words + " (the first by default)";
    }
    case Type::subset:
      return "different examples";
    case Type::coefficients:
      return "n positive numbers that sum to 1 for each member of the subset";
    case Type::matrix:
      return "a matrix";
    case Type::classes:
      return "a class of each example, or " + argument.detail;
  }
  return "";
}

std::string arguments_of(const Statement& s) {
  std::string text;
  for (const ArgumentSpec& argument : s.spec.arguments)
    text += (text.empty() ? "" : "; ") + argument.key + ": " + type_text(argument) +
            (argument.required ? "" : ", optional");
  return text;
}

// "when labels = given: "
std::string condition_of(const Clause& clause) {
  if (clause.when.empty()) return "";
  const bool negated = clause.when.front() == '!';
  return (negated ? "unless `" : "with `") + clause.when.substr(negated ? 1 : 0) + "`: ";
}

// Cells of a table: no bars, code in backquotes.
std::string code(const std::string& text) {
  return "`" + text + "`";
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// Breaks prose at blanks so that lines have at most 100 columns.
std::string wrapped(const std::string& text, const std::string& margin) {
  constexpr std::size_t kLine = 100;
  std::string out, line = margin;
  std::istringstream in(text);
  bool empty = true;
  for (std::string word; in >> word;) {
    if (!empty && line.size() + 1 + word.size() > kLine) {
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

std::string statements_text() {
  std::string out;
  for (const Statement& s : statements()) {
    const StatementWords& words = words_of(s);
    out += s.spec.name + "\n  claims:     " + words.says +
           "\n  hypotheses: " + (words.assumes.empty() ? "none" : words.assumes);
    if (const std::string arguments = arguments_of(s); !arguments.empty())
      out += "\n  arguments:  " + arguments;
    out += "\n  executed:   " + words.executed + "\n";
  }
  return out;
}

std::string statements_markdown() {
  std::string out =
      "<!-- Written by `attest statements --markdown` from src/statements/table.cpp and src/words; a test "
      "compares. -->\n\n"
      "# Statements and theorems\n\n" +
      wrapped(
          "What can be claimed in a case file, as propositions about the quantities of "
          "[certificate.md](certificate.md#quantities), and the theorem schemas that the rule `theorem` "
          "applies. Verdicts follow from facts about these quantities as "
          "[certificate.md](certificate.md#the-design) says.",
          "") +
      "\n## Statements\n";
  for (const Statement& s : statements()) {
    const StatementWords& words = words_of(s);
    out += "\n### `" + s.spec.name + "`\n\n" + wrapped(words.source + ": " + words.says + ".", "") + "\n";
    if (!s.spec.needs.empty()) {
      std::string needs = s.spec.needs;
      if (s.spec.needs_part("ragged")) needs.replace(needs.find(" ragged"), 7, "; contexts of any lengths");
      out += item("Needs of the case: " + needs + ".");
    }
    if (const std::string arguments = arguments_of(s); !arguments.empty())
      out += item("Arguments: " + arguments + ".");
    if (!words.assumes.empty()) out += item("Assumes: " + words.assumes + ".");
    for (const Clause& clause : s.hypotheses)
      out +=
          item("Hypothesis `" + clause.name + "`: " + condition_of(clause) + code(clause.proposition) + ".");
    std::vector<std::string> conclusions;
    for (const Clause& clause : s.conclusion)
      conclusions.push_back(condition_of(clause) + code(clause.proposition));
    out += item("Conclusion: " + joined(conclusions, "; ") + ".");
    std::vector<std::string> shown;
    for (const Shown& number : s.shown) shown.push_back(code(number.name) + " = " + code(number.quantity));
    if (!shown.empty()) out += item("Numbers: " + joined(shown, ", ") + ".");
    out += item("Executed: " + words.executed + ".");
  }
  out += "\n## Theorems\n\n" +
         wrapped(
             "A schema with W holds for every layer. Quantities on the right are bounded by the facts that "
             "the step uses. Proofs: headings of [mathematics.md](mathematics.md), names in "
             "`proofs/formal`.",
             "");
  for (const Theorem& t : theorems()) {
    const TheoremWords& words = words_of(t);
    out += "\n### `" + t.name + "`\n\n" + wrapped(code(t.conclusion) + ": " + words.says + ".", "") + "\n";
    if (!t.conditions.empty()) {
      std::vector<std::string> conditions;
      for (const std::string& condition : t.conditions) conditions.push_back(code(condition));
      out += item("Conditions: " + joined(conditions, ", ") + ".");
    }
    out +=
        item("Proof: " + words.proof + (words.formal.empty() ? "" : "; formal: " + code(words.formal)) + ".");
  }
  return out;
}

}  // namespace attest
