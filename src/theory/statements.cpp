#include "theory/statements.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "theory/failure.hpp"

namespace attest {
bool counts(const std::string& when, const Claim& claim) {
  if (const std::size_t blank = when.find(' '); blank != std::string::npos)
    return counts(when.substr(0, blank), claim) && counts(when.substr(blank + 1), claim);
  if (when.empty()) return true;
  if (when.front() == '!') return !counts(when.substr(1), claim);
  const std::size_t equals = when.find('=');
  const std::string key = when.substr(0, equals);
  return claim.has(key) && (equals == std::string::npos || claim.word(key) == when.substr(equals + 1));
}

const Statement& statement(const std::string& name) {
  for (const Statement& each : statements()) {
    if (each.spec.name == name) return each;
  }
  throw std::logic_error("there is no statement " + name);
}

const Theorem* find_theorem(const std::string& name) {
  for (const Theorem& each : theorems()) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

Fact apply_theorem(const Theorem& theorem, const std::vector<Fact>& uses, const std::string& layer,
                   const Knowledge& computed, const std::vector<std::size_t>& parts) {
  const auto has = [&](const char* letter) { return theorem.conclusion.find(letter) != std::string::npos; };
  const bool about_a_layer = has("(W)");
  ENSURE(about_a_layer || layer.empty(), "no layer", layer);
  ENSURE(!about_a_layer || !layer.empty(), "a layer", "none");
  const std::size_t about_parts = has("(P)") ? 1 : 0;
  ENSURE(parts.size() == about_parts, std::to_string(about_parts) + " parts", std::to_string(parts.size()));
  const auto of_layer = [&](const std::string& text) {
    const std::string result = std::regex_replace(text, std::regex("\\(W\\)"), "(" + layer + ")");
    if (parts.empty()) return result;
    return std::regex_replace(result, std::regex("\\(P\\)"), "(" + std::to_string(parts[0]) + ")");
  };
  const std::string conclusion = of_layer(theorem.conclusion);
  std::string all = conclusion;
  for (const std::string& condition : theorem.conditions) all += " and " + of_layer(condition);
  const std::vector<std::string> names = quantities_in(all);
  FactBase facts(computed);
  for (const Fact& fact : uses) {
    ENSURE(std::find(names.begin(), names.end(), fact.quantity) != names.end(),
           "facts about quantities of " + theorem.name, fact.text());
    facts.add(fact);
  }
  for (const std::string& condition : theorem.conditions)
    ENSURE(decide(of_layer(condition), facts.knowledge()) == Truth::yes, of_layer(condition),
           "that it is not shown");
  const bool at_least = conclusion.find(" >= ") != std::string::npos;
  const std::size_t comparison = conclusion.find(at_least ? " >= " : " <= ");
  const std::string quantity = conclusion.substr(0, comparison);
  const Bounds bound = evaluate(conclusion.substr(comparison + 4), facts.knowledge());
  return at_least ? Fact::at_least(quantity, bound.lower) : Fact::at_most(quantity, bound.upper);
}

std::vector<RuleShape::Key> RuleShape::list() const {
  std::vector<Key> result;
  for (const std::string& key : words_in(keys)) {
    const std::size_t colon = key.find(':');
    const bool optional = key[colon - 1] == '?';
    result.push_back({key.substr(0, colon - (optional ? 1 : 0)), key.substr(colon + 1), optional});
  }
  return result;
}

const RuleShape* find_shape(const std::string& rule, const std::string& of) {
  for (const RuleShape& each : rule_shapes()) {
    if (each.rule == rule && (has_form(of, each.of) || (of.empty() && each.of.empty()))) return &each;
  }
  return nullptr;
}

std::vector<Clause> hypotheses_of(const Claim& claim) {
  std::vector<Clause> clauses;
  for (const Clause& clause : statement(claim.statement).hypotheses)
    if (counts(clause.when, claim)) clauses.push_back(clause);
  return clauses;
}

const Clause& conclusion_of(const Claim& claim) {
  const std::vector<Clause>& clauses = statement(claim.statement).conclusion;
  return *std::find_if(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return counts(clause.when, claim); });
}

// " of 2 heads", of a claim about another number of heads than the layer's.
static std::string of_heads(const Claim& claim, const char* of = " of ") {
  if (!claim.has("heads")) return "";
  return of + claim.integer("heads").get_str() + (claim.size("heads") == 1 ? " head" : " heads");
}

std::string of_which_layers(const std::string& quantity, const Claim& claim, const Knowledge& knowledge) {
  if (quantity != "capacity") return "";
  const std::string text = knowledge("query_bias").lower > 0 ? " with query biases" : "";
  if (!claim.spec->needs_part("layers_before") || knowledge("before").upper == 0) return text;
  return text +
         (knowledge("free(before)").lower > 0 ? " with all layers free" : " with the layers before as given");
}

Finding conclude(const Claim& claim, const FactBase& facts) {
  const Knowledge knowledge = facts.knowledge();
  Finding finding;
  Truth hypotheses = Truth::yes;
  for (const Clause& hypothesis : hypotheses_of(claim)) {
    finding.hypotheses.emplace_back(hypothesis.name, decide(hypothesis.proposition, knowledge));
    hypotheses = std::min(hypotheses, finding.hypotheses.back().second);
  }
  finding.conclusion = decide(conclusion_of(claim).proposition, knowledge);
  if (hypotheses == Truth::no) {
    finding.verdict = Verdict::inapplicable;
  } else if (finding.conclusion == Truth::yes) {
    finding.verdict = Verdict::verified;
    finding.hypotheses_undecided = hypotheses == Truth::open;
  } else if (finding.conclusion == Truth::no && hypotheses == Truth::yes) {
    finding.verdict = Verdict::refuted;
  }
  for (const Shown& shown : statement(claim.statement).shown) {
    if (!counts(shown.when, claim)) continue;
    // Of all weights of all layers no others are known.
    if (shown.name.starts_with("bounds.") && !claim.spec->needs_part("weights") &&
        claim.spec->needs_part("stack") && knowledge("before").lower > 0)
      continue;
    // A number of the paper, for contexts of one length, its softmax, and the data as tokens.
    const std::vector<std::string> names = quantities_in(shown.quantity + " >= 0");
    if (std::find(names.begin(), names.end(), "r") != names.end() &&
        !(knowledge("r").decided() && knowledge("convex").lower == 1 && knowledge("before").upper == 0))
      continue;
    Bounds bounds = evaluate(shown.quantity, knowledge);
    if (const Quantity* own = find_quantity(shown.quantity); own && !own->within.empty() && bounds.lower > 0)
      bounds.upper = std::min(bounds.upper, knowledge(own->within).upper);
    finding.shown.push_back({shown.name,
                             shown.text +
                                 of_heads(claim, shown.name.starts_with("bounds.") ? " with " : " of ") +
                                 of_which_layers(shown.quantity, claim, knowledge),
                             bounds});
  }
  if (const auto which = facts.right("which(*)"); which && claim.has("which"))
    finding.which = circuits_in(*match(*which, "which(*)"));
  return finding;
}

std::string verdict_text(const Finding& finding) {
  const std::string word = verdict_name(finding.verdict);
  return finding.hypotheses_undecided ? word + " (hypotheses undecided)" : word;
}

bool as_expected(const Claim& claim, const Finding& finding) {
  return finding.verdict == claim.expect && !(claim.expect_as_stated && finding.hypotheses_undecided);
}

bool asks_for_a_number(const Statement& about) {
  return about.conclusion.front().when.starts_with("value");
}

std::string claimed_text(const Claim& claim) {
  const Statement& about = statement(claim.statement);
  if (!asks_for_a_number(about)) return conclusion_of(claim).proposition;
  std::string name =
      std::ranges::find_if(about.shown, [&](const Shown& each) { return counts(each.when, claim); })->text;
  name += of_heads(claim);
  for (const auto& [key, relation] : {std::pair("value", " = "), {"at_least", " >= "}, {"at_most", " <= "}}) {
    if (claim.has(key)) return name + relation + claim.integer(key).get_str();
  }
  return name + " = ?";
}

Finding asked_about(const Claim& claim, Finding finding) {
  if (finding.verdict != Verdict::verified && finding.verdict != Verdict::refuted) return finding;
  const std::vector<std::string> asked = quantities_in(conclusion_of(claim).proposition);
  std::erase_if(finding.shown, [&](const Finding::Number& number) {
    return number.name != "parameters.independent_labels" &&  // the premise that the verdict rests on
           std::ranges::none_of(statement(claim.statement).shown, [&](const Shown& shown) {
             return shown.name == number.name && counts(shown.when, claim) &&
                    std::ranges::find(asked, shown.quantity) != asked.end();
           });
  });
  return finding;
}

std::string numbers_text(const Finding& finding) {
  std::string text;
  for (const Finding::Number& number : finding.shown) {
    if (!text.empty()) text += "; ";
    const std::string lower = number.bounds.lower.get_str(), upper = number.bounds.upper.get_str();
    text +=
        number.bounds.decided() ? number.text + " = " + lower : lower + " <= " + number.text + " <= " + upper;
  }
  return finding.which ? text + "; " + in_words(*finding.which) : text;
}

void check_requirements(const Case& c, const Claim& claim, const std::string& file) {
  const Knowledge sizes = [&](const std::string& name) { return size_of(c, claim, name).value(); };
  for (const Clause& requirement : statement(claim.statement).requirements) {
    if (!counts(requirement.when, claim) || decide(requirement.proposition, sizes) == Truth::yes) continue;
    std::string found;
    for (const std::string& name : quantities_in(requirement.proposition)) {
      found += (found.empty() ? "here " : ", ") + name + " = " + sizes(name).lower.get_str();
    }
    throw InputError(file, claim.place, requirement.name, found);
  }
}

}  // namespace attest
