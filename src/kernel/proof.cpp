#include "kernel/proof.hpp"

#include <stdexcept>

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
                                                    {"coefficients capacity", rules::coefficients},
                                                    {"nested capacity", rules::nested},
                                                    {"circuits which(*)", rules::circuits},
                                                    {"subsets kruskal(queries)", rules::subsets},
                                                    {"compare separator", rules::separator},
                                                    {"compare network(given)", rules::network},
                                                    {"compare perturbation", rules::perturbation},
                                                    {"ball distinct(Z)", rules::apart},
                                                    {"ball saturated", rules::saturated},
                                                    {"ball accurate", rules::accurate},
                                                    {"ball numerical_rank", rules::numerical_rank},
                                                    {"ball vertex_limit", rules::vertex_limit},
                                                    {"ball one_hot", rules::one_hot},
                                                    {"inverse rank(Z(given))", rules::inverse_of_z},
                                                    {"inverse weights", rules::weights},
                                                    {"inverse readout", rules::readout},
                                                    {"inverse tail_rank", rules::tail_rank},
                                                    {"split network(given)", rules::split},
                                                    {"theorem", rules::theorem}};
  return table.at(shape.of.empty() ? shape.rule : shape.rule + " " + shape.of.front());
}

/// Of no statement, and without arguments.
const Claim& no_claim() {
  static const ClaimSpec spec;
  static const Claim claim = [] {
    Claim result;
    result.spec = &spec;
    return result;
  }();
  return claim;
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

}  // namespace

Step::Step(Proof& proof, const Json& value, std::string quantity)
    : keys(value), of(std::move(quantity)), problem(proof.problem_), claim(proof.claim_), proof_(proof) {}

const Fact& Step::used(const Json& number) const {
  return proof_.proved_[index(number, proof_.proved_.size())];
}

const Layer& Step::layer(const std::string& name) const {
  return proof_.layer(name);
}

const Part& Step::part(const std::string& number) const {
  return proof_.part(number);
}

const Knowledge& Step::computed() const {
  return proof_.computed_;
}

std::string Step::number() const {
  return count(proof_.proved_.size());
}

void Step::define(Layer layer) const {
  proof_.layers_.emplace(number(), std::move(layer));
}

void Step::define(Part part) const {
  proof_.parts_.emplace(number(), std::move(part));
}

Found& Step::found() const {
  return proof_.found_;
}

std::map<std::pair<std::string, std::size_t>, Sides>& Step::sides() const {
  return proof_.sides_;
}

Proof::Proof(const Problem& problem)
    : problem_(problem),
      claim_(no_claim()),
      own_found_(std::make_shared<Found>()),
      found_(*own_found_),
      computed_(computed_quantities(
          problem_, claim_, [this](const std::string& name) -> const Layer& { return layer(name); },
          [this](const std::string& number) -> const Part& { return part(number); })),
      facts_(computed_) {}

Proof::Proof(const Problem& problem, const Claim& claim, Found& found)
    : problem_(problem),
      claim_(claim),
      found_(found),
      computed_(computed_quantities(
          problem_, claim_, [this](const std::string& name) -> const Layer& { return layer(name); },
          [this](const std::string& number) -> const Part& { return part(number); })),
      facts_(computed_) {}

const Layer& Proof::layer(const std::string& name) {
  const auto found = layers_.find(name);
  if (found != layers_.end()) return found->second;
  ENSURE(name == "given", "a layer that is given or of an earlier let", in_quotes(name));
  if (!found_.given) found_.given = given_layer(problem_);
  return *found_.given;
}

const Part& Proof::part(const std::string& number) const {
  const auto found = parts_.find(number);
  ENSURE(found != parts_.end(), "the number of a part", in_quotes(number));
  return found->second;
}

Proof::Number Proof::check(const Json& value) {
  const std::string& rule = string(field(value, "rule"));
  const RuleShape* shape = find_shape(rule, "");
  const bool bounds = shape == nullptr;
  const Step step(*this, value, bounds ? string(field(value, "of")) : "");
  if (bounds) shape = find_shape(rule, step.of);
  ENSURE(shape != nullptr, "a rule of the table and a quantity of the rule " + one_line(rule, 40),
         in_quotes(step.of));
  std::string keys = bounds ? "of rule fact label?" : "rule fact label?";
  for (const RuleShape::Key& key : shape->list()) keys += " " + key.name + (key.optional ? "?" : "");
  object(value, keys);
  if (step.has("label")) string(step["label"]);
  const Quantity* const quantity = find_quantity(step.of);
  for (const std::string& need : words_in(quantity != nullptr ? quantity->needs : ""))
    ENSURE(has(need, problem_, claim_), "a claim with " + need, "a claim of " + claim_.statement);
  const std::string& stated = string(step["fact"]);
  Fact fact = rule_of(*shape)(step);
  ENSURE(stated == fact.text(), "the fact " + fact.text(), in_quotes(stated));
  return add(std::move(fact));
}

void Proof::check_all(const Json& steps) {
  for (std::size_t i = 0; i < array(steps).size(); ++i) {
    const std::string rule = steps[i].is_object() ? steps[i].value("rule", Json()).dump() : "?";
    located("step " + count(i) + " (" + one_line(rule, 40) + "): ", [&] { check(steps[i]); });
  }
}

Proof::Number Proof::state(const std::string& rule, const Fact& fact, const Json& keys,
                           const std::string& label) {
  const RuleShape* const shape = find_shape(rule, find_shape(rule, "") == nullptr ? fact.quantity : "");
  if (shape == nullptr) throw std::logic_error("no rule " + rule + " proves " + fact.text());
  if (rule == "part") {
    Part part{problem_.H, all_below(problem_.T)};
    if (keys.contains("heads")) part.heads = keys.at("heads").get<std::size_t>();
    if (keys.contains("examples")) part.examples = keys.at("examples").get<std::vector<std::size_t>>();
    parts_.emplace(count(proved_.size()), std::move(part));
  }
  return add(keys, *shape, fact, label);
}

Proof::Number Proof::prove(const std::string& rule, const Json& keys, const std::string& label) {
  const RuleShape* const shape = find_shape(rule, "");
  if (shape == nullptr) throw std::logic_error("the rule " + rule + " does not say what a step proves");
  return add(keys, *shape, rule_of(*shape)(Step(*this, keys, "")), label);
}

Proof::Number Proof::add(Fact fact) {
  facts_.add(fact);
  proved_.push_back(std::move(fact));
  return proved_.size() - 1;
}

Proof::Number Proof::add(Json keys, const RuleShape& shape, Fact fact, const std::string& label) {
  std::size_t known = 0;
  for (const RuleShape::Key& key : shape.list()) {
    if (keys.contains(key.name))
      ++known;
    else if (!key.optional)
      throw std::logic_error("a step of " + shape.rule + " without " + key.name);
  }
  if (known != keys.size())
    throw std::logic_error("a step of " + shape.rule + " with unknown keys: " + keys.dump());
  Json step = {{"rule", shape.rule}};
  if (!shape.of.empty()) step["of"] = fact.quantity;
  for (auto& [key, value] : keys.items()) step[key] = std::move(value);
  step["fact"] = fact.text();
  if (!label.empty()) step["label"] = label;
  const Number number = add(std::move(fact));
  steps_.push_back(std::move(step));
  return number;
}

static std::optional<Case> with_its_heads(const Case& c, const Claim* claim) {
  if (claim == nullptr || !claim->has("heads")) return std::nullopt;
  return part_of(c, {claim->size("heads")});
}

CaseProof::CaseProof(const Case& c, const Claim* claim)
    : with_heads(with_its_heads(c, claim)),
      problem(with_heads ? *with_heads : c),
      proof(claim != nullptr ? Proof(problem, *claim, found) : Proof(problem)) {}

Knowledge known_without_steps(const Case& c, const Claim& claim) {
  const auto about = std::make_shared<const CaseProof>(c, &claim);
  return [about](const std::string& quantity) { return about->proof.facts().of(quantity); };
}

}  // namespace attest::kernel
