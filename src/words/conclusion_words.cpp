#include "words/conclusion_words.hpp"

#include <optional>

#include "words/claim_result.hpp"
#include "words/proved_facts.hpp"
#include "words/step_words.hpp"
#include "words/words.hpp"

namespace attest {
namespace {

// The facts of a claim, and which step proves the best bound of a quantity.
class Known {
public:
  Known(const Case& c, const Claim& claim, const Json& steps) : facts_(facts_of(c, claim, steps)) {
    for (std::size_t k = 0; k < steps.size(); ++k)
      if (const std::optional<Fact> fact = fact_of(steps[k])) proved_.emplace_back(k, *fact);
  }

  const FactBase& facts() const { return facts_; }

  // "rank(Z) for the given weights is 3: at least 3 by step 0, at most 3 by its size"
  std::string reason(const std::string& quantity) const {
    const Bounds bounds = facts_.knowledge()(quantity);
    const std::string name = quantity_in_words(quantity);
    if (!bounds_without_proof(quantity, facts_.knowledge()))
      return name + (bounds.decided() ? " = " + bounds.lower.get_str() : std::string(" is not known"));
    const auto lower = step_of(quantity, Fact::Kind::at_least, bounds.lower);
    const auto upper = step_of(quantity, Fact::Kind::at_most, bounds.upper);
    return name + " is at least " + bounds.lower.get_str() + by(lower, "trivially") + " and at most " +
           bounds.upper.get_str() + by(upper, size_reason(quantity));
  }

private:
  std::optional<std::size_t> step_of(const std::string& quantity, Fact::Kind kind,
                                     const mpz_class& bound) const {
    for (const auto& [number, fact] : proved_)
      if (fact.quantity == quantity && fact.kind == kind && fact.bound == bound) return number;
    return std::nullopt;
  }
  // Why a quantity is not larger whatever the data are.
  static std::string size_reason(const std::string& quantity) {
    if (quantity.starts_with("rank(Z(") || quantity == "capacity" || quantity == "tail_rank" ||
        quantity == "numerical_rank")
      return "because Z has T rows and H d columns";
    if (quantity == "rank(Z|Y)") return "because [Z Y] has T rows and H d + d_out columns";
    if (quantity == "saturated") return "because there are H T pairs";
    if (quantity == "accurate") return "because there are T examples";
    if (quantity == "distinct(Z)") return "because Z has T rows";
    if (quantity.starts_with("kruskal(")) return "because there are T vectors of dimension d";
    if (quantity.starts_with("rank(")) return "by the size of the matrix";
    return "as a truth value";
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
std::string because(const Case& c, const Claim& claim, const std::string& proposition, const Known& known) {
  std::string sizes, reasons;
  for (const std::string& quantity : quantities_in(proposition)) {
    if (plain(c, claim, quantity)) {
      const Bounds value = *size_of(c, claim, quantity);
      sizes += (sizes.empty() ? "" : ", ") + quantity + " = " + value.lower.get_str();
    } else {
      reasons += (reasons.empty() ? "" : "; ") + known.reason(quantity);
    }
  }
  return reasons + (reasons.empty() || sizes.empty() ? "" : "; ") + sizes;
}

}  // namespace

std::string sizes_in_words(const Case& c) {
  if (!c.layer) return "";
  const Dimensions& d = *c.layer;
  const auto count = [](std::size_t k, const char* one) {
    return std::to_string(k) + " " + one + (k == 1 ? "" : "s");
  };
  std::string text = "T = " + count(d.examples, "example") + ", H = " + count(d.heads, "head") +
                     (c.data.members ? ", at most " : ", n = ") + count(d.context, "token") +
                     " of dimension d = " + std::to_string(d.embed_dim) +
                     ", d_h = " + std::to_string(d.head_dim) + ", softmax in base " +
                     (d.base == Base::e ? "e" : "2");
  if (d.logit_scale.irrational())
    text += ", logits scaled by 1/sqrt(" + std::to_string(d.logit_scale.radicand) + ")";
  else if (d.logit_scale.rational != 1)
    text += ", logits scaled by " + d.logit_scale.rational.get_str();
  if (c.weights && c.weights->projected_keys) text += ", queries and keys as the softmax sees them";
  if (c.data.members)
    text += ", " + count(c.data.contexts->shape()[0], "token") + " in the contexts of all examples";
  else if (c.data.contexts)
    text += c.data.shared_context ? ", one context for all examples" : ", a context for each example";
  return text;
}

std::vector<std::string> claim_in_words(const Claim& claim) {
  const Statement& about = statement(claim.statement);
  std::string line = claimed_in_words(claim);
  const StatementWords& words = words_of(about);
  if (line != words.says) line += ", " + words.says;
  const std::string arguments = arguments_text(claim);
  if (!arguments.empty()) line += ", with " + arguments;
  std::vector<std::string> lines = {formulas(line) + " (" + words.source + ")"};
  if (!words.assumes.empty()) lines.push_back(formulas("Hypotheses: " + words.assumes));
  return lines;
}

std::vector<std::string> conclusion_in_words(const Case& c, const Claim& claim, const Json& steps) {
  const Known known(c, claim, steps);
  const Finding finding = conclude(claim, known.facts());
  std::vector<std::string> lines;
  const auto judged = [&](const std::string& what, const Clause& clause, const std::string& status) {
    lines.push_back(formulas(what + ", " + clause.proposition + ", " + status + ": " +
                             because(c, claim, clause.proposition, known)));
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
  const std::string numbers = numbers_text(finding);
  lines.push_back(formulas(last + (numbers.empty() ? "" : " In numbers: " + numbers + ".")));
  return lines;
}

}  // namespace attest
