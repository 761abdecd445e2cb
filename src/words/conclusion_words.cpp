#include "words/conclusion_words.hpp"

#include <optional>

#include "words/claim_result.hpp"
#include "words/proved_facts.hpp"
#include "words/step_words.hpp"

namespace attest {
namespace {

// The facts of a claim, and which step proves the best bound of a quantity.
class Known {
public:
  Known(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps)
      : facts_(facts_of(c, claim, steps)) {
    for (const kernel::NumberedStep& step : steps)
      if (const std::optional<Fact> fact = fact_of(*step.json)) proved_.emplace_back(step.number, *fact);
  }

  const FactBase& facts() const { return facts_; }

  // "rank(Z) for the given weights is 3: at least 3 by step 0, at most 3 by its size"
  std::string reason(const std::string& quantity) const {
    const Bounds bounds = facts_.knowledge()(quantity);
    const std::string name = quantity_in_words(quantity);
    if (!bounds_without_proof(quantity, facts_.knowledge()))
      return name + (bounds.decided() ? " = " + bounds.lower.get_str() : std::string(" is not known"));
    const auto lower = step_of(facts_.right(quantity).value_or(quantity), Fact::Kind::at_least, bounds.lower);
    const auto upper = step_of(quantity, Fact::Kind::at_most, bounds.upper);
    if (find_quantity(quantity)->most == "1")  // a truth value
      return name + ": " +
             (bounds.lower >= 1   ? std::string("shown") + by(lower, "trivially")
              : bounds.upper <= 0 ? std::string("excluded") + by(upper, "trivially")
                                  : std::string("neither shown nor excluded"));
    return name + " is at least " + bounds.lower.get_str() + by(lower, "trivially") + " and at most " +
           bounds.upper.get_str() + by(upper, words_of(quantity).because);
  }

private:
  std::optional<std::size_t> step_of(const std::string& quantity, Fact::Kind kind,
                                     const mpz_class& bound) const {
    for (const auto& [number, fact] : proved_)
      if (fact.quantity == quantity && fact.kind == kind && fact.bound == bound) return number;
    return std::nullopt;
  }
  static std::string by(const std::optional<std::size_t>& step, const std::string& otherwise) {
    return step ? " by step " + std::to_string(*step) : " " + otherwise;
  }

  FactBase facts_;
  std::vector<std::pair<std::size_t, Fact>> proved_;
};

// Whether a quantity needs no explanation: T, H, n, the arguments of the claim.
bool plain(const Case& c, const Claim& claim, const std::string& quantity) {
  return size_of(c, claim, quantity).has_value();
}

// "T = 3, n = 2" and what is known of the other quantities of a proposition.
Line because(const Case& c, const Claim& claim, const std::string& proposition, const Known& known) {
  Line sizes;
  std::string reasons;
  for (const std::string& quantity : quantities_in(proposition)) {
    if (plain(c, claim, quantity)) {
      sizes.propositions.push_back(quantity + " = " + size_of(c, claim, quantity)->lower.get_str());
      sizes.text += (sizes.text.empty() ? "" : ", ") + sizes.propositions.back();
    } else {
      reasons += (reasons.empty() ? "" : "; ") + known.reason(quantity);
    }
  }
  sizes.text = reasons + (reasons.empty() || sizes.text.empty() ? "" : "; ") + sizes.text;
  return sizes;
}

}  // namespace

static const char* kind_name(StackLayer::Kind kind) {
  return kind == StackLayer::Kind::attention ? "attention"
         : kind == StackLayer::Kind::mlp     ? "MLP"
                                             : "RMSNorm";
}

Line sizes_in_words(const Case& c) {
  if (!c.layer) return {};
  const Dimensions& d = *c.layer;
  Line line;
  const auto size = [&](const std::string& name, std::size_t value) {
    line.propositions.push_back(name + " = " + std::to_string(value));
    return line.propositions.back();
  };
  const auto count = [](const std::string& number, std::size_t k, const char* one) {
    return number + " " + one + (k == 1 ? "" : "s");
  };
  std::string text = count(size("T", d.examples), d.examples, "example") + ", " +
                     count(size("H", d.heads), d.heads, "head") + ", " +
                     count(c.data.members ? "at most " + std::to_string(d.context) : size("n", d.context),
                           d.context, "token") +
                     " of dimension " + size("d", d.embed_dim) + ", " + size("d_h", d.head_dim) +
                     (d.sigmoid ? ", sigmoid coefficients"
                      : d.sink  ? ", softmax with sinks"
                                : ", softmax") +
                     " in base " + (d.base == Base::e ? "e" : "2") +
                     (d.query_bias ? ", free query biases" : "");
  if (d.logit_scale.irrational())
    text += ", logits scaled by 1/sqrt(" + std::to_string(d.logit_scale.radicand) + ")";
  else if (d.logit_scale.rational != 1)
    text += ", logits scaled by " + d.logit_scale.rational.get_str();
  if (c.weights && c.weights->projected_keys) text += ", queries and keys as the softmax sees them";
  if (!c.stack.empty()) {
    std::string kinds;
    for (const StackLayer& layer : c.stack)
      kinds += std::string(kinds.empty() ? "" : ", ") + kind_name(layer.kind);
    text += ", behind " + count(std::to_string(c.stack.size()), c.stack.size(), "layer") + " (" + kinds +
            ")" + (d.given_stack ? " as given" : "");
  } else if (c.data.members)
    text += ", " + count(std::to_string(c.data.contexts->shape()[0]), c.data.contexts->shape()[0], "token") +
            " in the contexts of all examples together";
  else if (c.data.contexts)
    text += c.data.shared_context ? ", one context for all examples" : ", a context for each example";
  line.text = text;
  return line;
}

std::vector<Line> claim_in_words(const Case& c, const Claim& claim) {
  const Statement& about = statement(claim.statement);
  std::string line = claimed_in_words(claim);
  const StatementWords& words = words_of(about);
  const std::string arguments = arguments_text(claim);
  // What arguments and keys of [layer] would make of it is no part of a claim without them.
  const std::string says = sentence(words.says, [&](const std::string& key) {
    if (key == "sink") return c.layer->sink;
    if (key == "query_bias") return c.layer->query_bias;
    if (key == "given" || key == "free") return !c.stack.empty() && c.layer->given_stack == (key == "given");
    return claim.has(key);
  });
  if (line != says) line += ", " + says;
  if (!arguments.empty()) line += ", with " + arguments;
  std::vector<Line> lines = {{formulas(line) + " (" + words.source + ")", {claimed_text(claim)}}};
  if (!words.assumes.empty()) lines.push_back({formulas("Hypotheses: " + words.assumes)});
  return lines;
}

std::vector<Line> conclusion_in_words(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps,
                                      bool in_short) {
  const Known known(c, claim, steps);
  const Finding finding = conclude(claim, known.facts());
  std::vector<Line> lines;
  const auto judged = [&](const std::string& what, const Clause& clause, const std::string& status) {
    Line line = because(c, claim, clause.proposition, known);
    line.text = formulas(what + ", " + clause.proposition + ", " + status + ": " + line.text);
    line.propositions.push_back(clause.proposition);
    lines.push_back(std::move(line));
  };
  std::string failing;
  for (const Clause& hypothesis : hypotheses_of(claim)) {
    Truth truth = Truth::open;
    for (const auto& [name, value] : finding.hypotheses)
      if (name == hypothesis.name) truth = value;
    judged("Hypothesis " + hypothesis.name, hypothesis,
           truth == Truth::yes  ? "holds"
           : truth == Truth::no ? "fails"
                                : "is undecided");
    if (truth == Truth::no) failing += (failing.empty() ? "" : " and ") + hypothesis.name;
  }
  judged("Conclusion", conclusion_of(claim),
         finding.conclusion == Truth::yes  ? "is proved"
         : finding.conclusion == Truth::no ? "is refuted"
                                           : "is open");
  std::string last;
  switch (finding.verdict) {
    case Verdict::verified:
      last = finding.hypotheses_undecided
                 ? "So the claim holds for this data, although not every hypothesis is decided."
                 : "So the claim holds.";
      break;
    case Verdict::refuted:
      last = "So the claim is false.";
      break;
    case Verdict::inapplicable:
      last = "So the statement says nothing about this data, because " + failing + " fails; its conclusion " +
             (finding.conclusion == Truth::yes  ? "holds all the same."
              : finding.conclusion == Truth::no ? "is false."
                                                : "stays open.");
      break;
    case Verdict::undecided:
      last = "This proves neither the claim nor its negation.";
  }
  if (in_short) {
    const Json report = claim_report(c, claim, known.facts(), steps, "", 0);
    const Besides besides = besides_the_answer(report);
    const auto add = [&](const std::string& what, const std::string& said) {
      if (!said.empty()) last += " " + what + ": " + said + ".";
    };
    add("In short", report["answer"].get<std::string>());
    add("Found", in_a_row(besides.findings));
    add("In numbers", in_a_row(besides.numbers));
    add("That is", meaning_of(report));
  }
  lines.push_back({formulas(last)});
  return lines;
}

}  // namespace attest
