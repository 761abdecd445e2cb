#include "words/answer.hpp"

#include <algorithm>
#include <set>

#include "words/words.hpp"

namespace attest {
namespace {

std::string bounds_text(const Bounds& bounds) {
  if (bounds.decided()) return bounds.lower.get_str();
  return bounds.lower <= 0 ? "at most " + bounds.upper.get_str()
                           : bounds.lower.get_str() + " to " + bounds.upper.get_str();
}

std::string with_numbers(const std::string& form, const Knowledge& knowledge, const Json& findings) {
  const auto lambda =
      std::ranges::find_if(findings, [](const Json& each) { return each["kind"] == "lambda"; });
  std::string text;
  std::size_t at = 0;
  for (std::size_t open = 0; (open = form.find('{', at)) != std::string::npos;) {
    const std::size_t close = form.find('}', open);
    const std::string expression = form.substr(open + 1, close - open - 1);
    text += form.substr(at, open - at);
    text += expression == "t,i"        ? "{t,i}"
            : expression[0] == '<'     ? evaluate(expression.substr(2), knowledge).upper.get_str()
            : expression != "lambda"   ? bounds_text(evaluate(expression, knowledge))
            : lambda == findings.end() ? "a finite lambda"
                                       : "lambda = " + (*lambda)["lambda"].get<std::string>();
    at = close + 1;
  }
  return text + form.substr(at);
}

// Capacities are of weights without query biases, unless the layer has free ones.
std::string without_biases(const Knowledge& knowledge) {
  return knowledge("query_bias").lower > 0 ? " with query biases" : " without query biases";
}

// Whether weights are known that reach a bound for all weights.
std::string tightness(const std::string& expression, const Knowledge& knowledge) {
  const mpz_class bound = evaluate(expression, knowledge).upper;
  const Bounds capacity = knowledge("capacity");
  if (bound <= 0) return "";
  if (knowledge("rank(Z(given))").lower >= bound) return ", reached by these weights (tight)";
  if (capacity.lower >= bound) return ", reached by some weights (tight)";
  if (capacity.upper < bound)
    return "; the largest rank" + without_biases(knowledge) + " is " + bounds_text(capacity);
  return capacity.lower > 0 ? "; some weights reach " + capacity.lower.get_str() : "";
}

// Beside weights with query biases it is said that a capacity is of weights without; and whether it is of
// the softmax.
std::string of_which_weights(const Case& c, const Claim& claim, const std::string& quantity,
                             const Knowledge& knowledge) {
  if (quantity != "capacity") return "";
  if (claim.has("sequences"))  // other tokens are what such a claim is about
    return std::string(" of the tokens as they are") +
           (knowledge("sums(sequences)").upper == 0 ? ", which are no such sums" : "");
  const bool beside = c.weights && c.weights->query_bias && !c.layer->query_bias;
  const std::string with = c.layer->query_bias ? " and " : beside ? ", with " : " with ";
  return std::string(beside ? " without query biases" : "") + (c.layer->sink ? with + "sinks"
                                                               : c.layer->sigmoid
                                                                   ? with + "sigmoid coefficients"
                                                                   : "");
}

// Of a claim about one head the bound of the whole layer is none.
Bounds capped(Bounds bounds, const Shown& shown, const Knowledge& knowledge) {
  if (!shown.whole.empty())
    if (const mpz_class whole = evaluate(shown.whole, knowledge).upper; whole < bounds.upper)
      bounds.upper = whole;
  return bounds;
}

// "rank(Z) = 3 of 4"
std::string number_answer(const Case& c, const Claim& claim, const FactBase& facts) {
  const Knowledge knowledge = facts.knowledge();
  const Statement& about = statement(claim.statement);
  const Shown& shown =
      *std::ranges::find_if(about.shown, [&](const Shown& each) { return counts(each.when, claim); });
  const std::string claimed = claimed_text(claim);  // "capacity of 3 heads >= 2"
  const std::string name = claimed.substr(0, claimed.rfind(' ', claimed.rfind(' ') - 1)) +
                           of_which_layers(shown.quantity, claim, knowledge) +
                           of_which_weights(c, claim, shown.quantity, knowledge);
  const Bounds bounds = capped(knowledge(shown.quantity), shown, knowledge);
  std::string whole = shown.whole.empty() ? find_quantity(shown.quantity)->most : shown.whole;
  // With free query biases the tokens of a capacity have one coordinate more, which is 0.
  if (whole.ends_with("H*d)") && knowledge("d").lower > static_cast<unsigned long>(c.layer->embed_dim))
    whole.replace(whole.size() - 4, 4, "H*(d-1))");
  // Of the examples, where these are more than the columns: the whole is what would memorize them.
  const Bounds most = evaluate(whole, knowledge);
  const bool wide = whole.starts_with("min(T, H*") && most.upper < knowledge("T").upper;
  const std::string of = (wide ? knowledge("T") : most).upper.get_str(), lower = bounds.lower.get_str(),
                    upper = bounds.upper.get_str();
  if (!bounds.decided()) return lower + " <= " + name + " <= " + upper + " (of " + of + ")";
  return name + " = " + lower + " of " + of +
         (wide ? " (at most " + most.upper.get_str() + " by the size of the layer)" : "");
}

std::string hypothesis_in_words(const Clause& hypothesis) {
  if (hypothesis.name.starts_with("assumption-")) return "Assumption " + hypothesis.name.substr(11);
  return "its hypothesis " + hypothesis.name + " (" + hypothesis.proposition + ")";
}

// Of one it is said what that is.
void say_of_one(std::string& text) {
  constexpr std::pair<const char*, const char*> kOfOne[] = {
      {"all 1 examples have different outputs", "there is one example, and so one output"},
      {"for almost all keys and queries all 1 examples have different outputs",
       "there is one example, and so one output"},
      {"not every 1 queries are independent", "some query is 0"},
      {"every 1 queries are independent, as many as can be", "no query is 0"},
      {"every 1 queries are independent", "no query is 0"},
      {"not every 1 of the vectors are independent", "some vector e_t + (1/n) sum_i E_{t,i} is 0"},
      {"every 1 of the vectors e_t + (1/n) sum_i E_{t,i} are independent",
       "no vector e_t + (1/n) sum_i E_{t,i} is 0"}};
  for (const auto& [several, one] : kOfOne)
    if (text.starts_with(several)) text.replace(0, std::string_view(several).size(), one);
}

// A network without or with a bias of its output is another one.
void name_output_bias(const Claim& claim, std::string& text) {
  const std::string neurons = " neurons";
  const std::size_t at = text.find(neurons);
  if (at == std::string::npos || !claim.has("output_bias")) return;
  text.replace(at, neurons.size(),
               std::string(claim.size("neurons") == 1 ? " neuron" : neurons) +
                   (claim.flag("output_bias") ? ", with an output bias," : ", without an output bias,"));
}

}  // namespace

Finding concluded(const Claim& claim, const FactBase& facts) {
  Finding finding = conclude(claim, facts);
  for (Finding::Number& number : finding.shown)
    for (const Shown& shown : statement(claim.statement).shown)
      if (shown.name == number.name && counts(shown.when, claim))
        number.bounds = capped(number.bounds, shown, facts.knowledge());
  return finding;
}

Finding what_is_known(const Case& c, const Claim& claim, const FactBase& facts) {
  Finding finding = concluded(claim, facts);
  const Knowledge knowledge = facts.knowledge();
  std::vector<Finding::Number> known;
  for (const Shown& shown : statement(claim.statement).shown) {
    const auto number = std::ranges::find_if(
        finding.shown, [&](const Finding::Number& each) { return each.name == shown.name; });
    if (!counts(shown.when, claim) || number == finding.shown.end()) continue;
    const std::optional<Bounds> size = bounds_without_proof(shown.quantity, knowledge);
    if (size && !size->decided() && number->bounds.lower == size->lower &&
        number->bounds.upper == capped(*size, shown, knowledge).upper)
      continue;
    number->text += of_which_weights(c, claim, shown.quantity, knowledge);
    known.push_back(*number);
  }
  // And of what stays open, though the statement shows no number of it.
  std::vector<Clause> clauses = hypotheses_of(claim);
  clauses.push_back(conclusion_of(claim));
  std::set<std::string> said;
  for (const Shown& shown : statement(claim.statement).shown) said.insert(shown.quantity);
  for (const Clause& clause : clauses) {
    if (decide(clause.proposition, knowledge) != Truth::open) continue;
    for (const std::string& quantity : quantities_in(clause.proposition)) {
      const std::optional<Bounds> size = bounds_without_proof(quantity, knowledge);
      const Bounds bounds = knowledge(quantity);
      if (size && (bounds.lower > size->lower || bounds.upper < size->upper) && said.insert(quantity).second)
        known.push_back({"", quantity_in_words(quantity), bounds});
    }
  }
  finding.shown = std::move(known);
  return finding;
}

std::string answer_in_words(const Case& c, const Claim& claim, const FactBase& facts, const Json& findings) {
  const Knowledge knowledge = facts.knowledge();
  const Finding finding = what_is_known(c, claim, facts);
  const Statement& about = statement(claim.statement);
  std::string fails;
  std::size_t failing = 0;
  for (const Clause& hypothesis : hypotheses_of(claim))
    if (decide(hypothesis.proposition, knowledge) == Truth::no)
      fails += (failing++ == 0 ? "" : " and ") + hypothesis_in_words(hypothesis);
  if (failing > 0) fails += failing == 1 ? " fails" : " fail";
  std::string text;
  if (asks_for_a_number(about)) {
    text = number_answer(c, claim, facts);
  } else {
    const std::vector<AnswerWords>& answers = words_of(about).answers;
    const auto form =
        std::ranges::find_if(answers, [&](const AnswerWords& each) { return counts(each.when, claim); });
    if (finding.conclusion == Truth::yes) {
      text = with_numbers(form->yes, knowledge, findings);
      if (!form->tight.empty()) text += tightness(form->tight, knowledge);
    } else if (finding.conclusion == Truth::no) {
      text = with_numbers(form->no, knowledge, findings);
    } else {
      Finding numbers;
      numbers.shown = finding.shown;
      std::erase_if(numbers.shown,
                    [](const Finding::Number& number) { return number.name.find('.') != std::string::npos; });
      text = numbers_text(numbers);
    }
    say_of_one(text);
    name_output_bias(claim, text);
    if (finding.conclusion != Truth::open && !c.stack.empty() && c.layer->given_stack)
      text += ", with the layers before as given";
    if (finding.conclusion != Truth::open && !fails.empty())
      text = (finding.conclusion == Truth::yes ? "its conclusion holds all the same: "
                                               : "its conclusion is false here: ") +
             text;
  }
  if (finding.which) text += "; " + in_words(*finding.which);
  if (fails.empty()) return text;
  return fails + (text.empty() ? "" : "; " + text);
}

}  // namespace attest
