#include "certificate/proof_script.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {

void to_json(Json& json, const RationalVector& vector) {
  json = {{"den", vector.den}, {"num", vector.num}};
}

void to_json(Json& json, const BallText& ball) {
  json = {{"mid", ball.mid}, {"rad", ball.rad}};
}

void to_json(Json& json, const LetHead& head) {
  json = {{"key", head.key}, {"query", head.query}};
  if (head.sink) json["sink"] = *head.sink;
  if (const auto& of = head.separator)
    json["separator"] = {{"u", of->u}, {"v", of->v}, {"lambda", of->lambda}};
}

ProofScript::ProofScript(Knowledge computed) : computed_(std::move(computed)), facts_(computed_) {}

ProofScript& ProofScript::label(std::string text) {
  label_ = std::move(text);
  return *this;
}

ProofScript::Number ProofScript::add(const std::string& rule, const Fact& fact, const Json& keys) {
  const RuleShape* shape = find_shape(rule, "");
  const bool bounds = shape == nullptr;
  if (bounds) shape = find_shape(rule, fact.quantity);
  if (shape == nullptr) throw std::logic_error("no rule " + rule + " proves " + fact.text());
  std::size_t known = 0;
  for (const RuleShape::Key& key : shape->list()) {
    if (keys.contains(key.name))
      ++known;
    else if (!key.optional)
      throw std::logic_error("a step of " + rule + " without " + key.name);
  }
  if (known != keys.size())
    throw std::logic_error("a step of " + rule + " with unknown keys: " + keys.dump());
  facts_.add(fact);
  Json step = {{"rule", rule}};
  if (bounds) step["of"] = fact.quantity;
  step.update(keys);
  step["fact"] = fact.text();
  if (!label_.empty()) step["label"] = std::move(label_);
  label_.clear();
  steps_.push_back(std::move(step));
  proved_.push_back(fact);
  return proved_.size() - 1;
}

ProofScript::Number ProofScript::let(const Json& layer) {
  return add("let", Fact{Fact::Kind::layer, "Z(" + std::to_string(proved_.size()) + ")", 0},
             {{"layer", layer}});
}

ProofScript::Number ProofScript::minor(const std::string& of, const MinorWitness& minor) {
  Json keys = {{"p", minor.p}};
  if (minor.g != 0) keys["g"] = minor.g;
  keys["rows"] = minor.rows;
  keys["cols"] = minor.cols;
  return add("minor", Fact::at_least(of, minor.rows.size()), keys);
}

ProofScript::Number ProofScript::independent_rows(const std::string& of, std::size_t rows, std::uint64_t p) {
  return add("minor", Fact::at_least(of, rows), {{"p", p}});
}

ProofScript::Number ProofScript::zero(const std::string& of, Side side, const Json& vectors, std::size_t size,
                                      std::uint64_t p, const Json& more) {
  Json keys = {{"side", side == Side::left ? "left" : "right"}, {"vectors", vectors}, {"p", p}};
  keys.update(more);
  const bool kruskal = of.starts_with("kruskal(");
  return add("zero", Fact::at_most(of, kruskal ? vectors.at(0).size() - 1 : size - vectors.size()), keys);
}

ProofScript::Number ProofScript::counted(const std::string& of, bool above, std::size_t number,
                                         std::size_t all, std::size_t precision) {
  return add("ball", above ? Fact::at_least(of, number) : Fact::at_most(of, all - number),
             {{"side", above ? "above" : "below"}, {"count", number}, {"precision", precision}});
}

ProofScript::Number ProofScript::theorem(const std::string& name, const std::vector<Number>& uses,
                                         const std::string& layer) {
  const Theorem* const schema = find_theorem(name);
  if (schema == nullptr) throw std::logic_error("there is no theorem " + name);
  std::vector<Fact> facts;
  for (const Number use : uses) facts.push_back(proved_.at(use));
  Json keys = {{"theorem", name}, {"uses", uses}};
  if (layer == "given") {
    keys["layer"] = layer;
  } else if (!layer.empty()) {
    keys["layer"] = std::stoul(layer);
  }
  return add("theorem", apply_theorem(*schema, facts, layer, computed_), keys);
}

}  // namespace attest
