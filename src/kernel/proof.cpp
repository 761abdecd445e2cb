#include "kernel/proof.hpp"

#include "base/text.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

using Rule = Fact (*)(const Step&);

/// By the rule and the first form of each shape of the table, which has the keys.
Rule rule_of(const RuleShape& shape) {
  static const std::map<std::string, Rule> table = {{"let", rules::let},
                                                    {"part", rules::part},
                                                    {"minor rank(Z(*))", rules::minor_of_z},
                                                    {"minor lambda_rank", rules::lambda_rank},
                                                    {"minor rank(J(*))", rules::minor_of_j},
                                                    {"minor rank(*contexts)", rules::independent_rows},
                                                    {"minor rank(*)", rules::minor},
                                                    {"zero rank(Z(*))", rules::zero_of_z},
                                                    {"zero rank(J(*))", rules::zero_of_j},
                                                    {"zero rank(*contexts)", rules::zero},
                                                    {"zero rank(*)", rules::zero},
                                                    {"zero capacity", rules::zero_for_all_weights},
                                                    {"zero kruskal(queries)", rules::dependent},
                                                    {"hadamard rank(*)", rules::hadamard},
                                                    {"coefficients capacity", rules::coefficients},
                                                    {"hulls capacity", rules::hulls},
                                                    {"nested capacity", rules::nested},
                                                    {"circuits which(*)", rules::circuits},
                                                    {"subsets kruskal(queries)", rules::subsets},
                                                    {"compare separator", rules::separator},
                                                    {"compare network(given)", rules::network},
                                                    {"compare perturbation", rules::perturbation},
                                                    {"ball distinct(Z)", rules::apart},
                                                    {"ball rank(contexts)", rules::stack_contexts},
                                                    {"ball kruskal(queries)", rules::stack_queries},
                                                    {"ball saturated", rules::saturated},
                                                    {"ball accurate", rules::accurate},
                                                    {"ball numerical_rank", rules::numerical_rank},
                                                    {"ball vertex_limit", rules::vertex_limit},
                                                    {"ball one_hot", rules::one_hot},
                                                    {"inverse rank(Z(*))", rules::inverse_of_z},
                                                    {"inverse weights", rules::weights},
                                                    {"inverse readout", rules::readout},
                                                    {"inverse tail_rank", rules::tail_rank},
                                                    {"split network(given)", rules::split},
                                                    {"theorem", rules::theorem}};
  return table.at(shape.of.empty() ? shape.rule : shape.rule + " " + shape.of.front());
}

/// Whether there is what a quantity needs: an argument of the claim, or a part of the case.
bool has(const std::string& need, const Problem& problem, const Claim& claim) {
  if (claim.spec == no_claim().spec) {
    const Case& source = problem.source;
    return (need == "labels" && source.data.labels) ||
           (need == "values" && source.weights && source.weights->value);
  }
  return counts(need, claim) || claim.spec->needs_part(need);
}

/// Whether a step calls others, in its keys or by the layer that it is about.
bool refers(const RuleShape& shape, const std::string& of) {
  for (const RuleShape::Key& key : shape.list())
    if (key.kind.find("step") != std::string::npos) return true;
  for (const char* const form : {"rank(Z(*))", "rank(J(*))"})
    if (match(of, form).value_or("given") != "given") return true;
  return false;
}

}  // namespace

const Claim& no_claim() {
  static const ClaimSpec spec;
  static const Claim claim = [] {
    Claim result;
    result.spec = &spec;
    return result;
  }();
  return claim;
}

Step::Step(Proof& proof, std::size_t its_number, const Json& value, std::string quantity)
    : keys(value),
      of(std::move(quantity)),
      problem(proof.problem_),
      claim(proof.claim_),
      computed(proof.computed_),
      number(count(its_number)),
      found(*proof.found_),
      sides(proof.sides_),
      proof_(proof) {}

const Fact& Step::used(const Json& value) const {
  const auto earlier = proof_.proved_.find(word(value));
  ENSURE(earlier != proof_.proved_.end(), "an earlier step of the claim", count(word(value)));
  return earlier->second;
}

const Layer& Step::layer(const std::string& name) const {
  return proof_.layer(name);
}

const Part& Step::part(const std::string& named) const {
  return proof_.part(named);
}

void Step::define(Layer layer) const {
  proof_.layers_.emplace(number, std::move(layer));
}

void Step::define(Part part) const {
  proof_.parts_.emplace(number, std::move(part));
}

Proof::Proof(const Problem& problem, const Claim& claim, std::shared_ptr<Found> found)
    : problem_(problem),
      claim_(claim),
      found_(std::move(found)),
      computed_(computed_quantities(
          problem_, claim_, [this](const std::string& name) -> const Layer& { return layer(name); },
          [this](const std::string& number) -> const Part& { return part(number); })),
      facts_(computed_) {}

const Layer& Proof::layer(const std::string& name) {
  const auto found = layers_.find(name);
  if (found != layers_.end()) return found->second;
  ENSURE(name == "given", "a layer that is given or of an earlier let", in_quotes(name));
  if (!found_->given) found_->given = given_layer(problem_);
  return *found_->given;
}

const Part& Proof::part(const std::string& number) const {
  const auto found = parts_.find(number);
  ENSURE(found != parts_.end(), "the number of a part", in_quotes(number));
  return found->second;
}

Fact Proof::by_rule(const RuleShape& shape, const Step& step) {
  return rule_of(shape)(step);
}

Fact Proof::checked(const NumberedStep& numbered) {
  const Json& value = *numbered.json;
  const std::string& rule = string(field(value, "rule"));
  const RuleShape* shape = find_shape(rule, "");
  const bool bounds = shape == nullptr;
  const Step step(*this, numbered.number, value, bounds ? string(field(value, "of")) : "");
  if (bounds) shape = find_shape(rule, step.of);
  ENSURE(shape != nullptr, "a rule of the table and a quantity of the rule " + one_line(rule, 40),
         in_quotes(step.of));
  std::string keys = bounds ? "of rule fact label?" : "rule fact label?";
  for (const RuleShape::Key& key : shape->list()) keys += " " + key.name + (key.optional ? "?" : "");
  object(value, keys);
  if (step.has("label")) string(step["label"]);
  const Quantity* const quantity = find_quantity(step.of);
  bool alone = bounds && !refers(*shape, step.of);
  for (const std::string& need : words_in(quantity != nullptr ? quantity->needs : "")) {
    ENSURE(has(need, problem_, claim_), "a claim with " + need, "a claim of " + claim_.statement);
    alone = alone && has(need, problem_, no_claim());
  }
  const auto proved = [&](const Step& its) {
    Fact fact = by_rule(*shape, its);
    const std::string& stated = string(value.at("fact"));
    ENSURE(stated == fact.text(), "the fact " + fact.text(), in_quotes(stated));
    return fact;
  };
  if (!alone) return proved(step);
  // Where there are neither arguments nor other steps it proves the same for every claim.
  const auto known = found_->facts.find(numbered.number);
  if (known != found_->facts.end()) return known->second;
  Proof without(problem_, no_claim(), found_);
  return found_->facts.emplace(numbered.number, proved({without, numbered.number, value, step.of}))
      .first->second;
}

void Proof::check_all(const NumberedSteps& steps) {
  for (const NumberedStep& step : steps) {
    const std::string rule = step.json->is_object() ? step.json->value("rule", Json()).dump() : "?";
    located("step " + count(step.number) + " (" + one_line(rule, 40) + "): ",
            [&] { add(step.number, checked(step)); });
  }
}

void Proof::add(Number number, Fact fact) {
  facts_.add(fact);
  proved_.emplace(number, std::move(fact));
}

}  // namespace attest::kernel
