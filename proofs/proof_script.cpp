#include "proofs/proof_script.hpp"

#include <stdexcept>
#include <utility>

namespace attest {

void kernel::to_json(nlohmann::ordered_json& json, const Vector& vector) {
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

BuiltProof::Number BuiltProof::state(const std::string& rule, const Fact& fact, const Json& keys,
                                     const std::string& label) {
  const RuleShape* const shape = find_shape(rule, find_shape(rule, "") == nullptr ? fact.quantity : "");
  if (shape == nullptr) throw std::logic_error("no rule " + rule + " proves " + fact.text());
  if (rule == "part") {
    Part part{problem_.H, kernel::all_below(problem_.T)};
    if (keys.contains("heads")) part.heads = keys.at("heads").get<std::size_t>();
    if (keys.contains("examples")) part.examples = keys.at("examples").get<std::vector<std::size_t>>();
    define(proved().size(), std::move(part));
  }
  return write(keys, *shape, fact, label);
}

BuiltProof::Number BuiltProof::prove(const std::string& rule, const Json& keys, const std::string& label) {
  const RuleShape* const shape = find_shape(rule, "");
  if (shape == nullptr) throw std::logic_error("the rule " + rule + " does not say what a step proves");
  return write(keys, *shape, by_rule(*shape, kernel::Step(*this, proved().size(), keys, "")), label);
}

BuiltProof::Number BuiltProof::write(Json keys, const RuleShape& shape, Fact fact, const std::string& label) {
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
  steps_.push_back(std::move(step));
  add(steps_.size() - 1, std::move(fact));
  return steps_.size() - 1;
}

ProofScript::ProofScript(const Case& c, const Claim& claim)
    : claim_(&claim), about_(std::make_unique<kernel::ProofAbout<BuiltProof>>(c, &claim)) {}

ProofScript::ProofScript(const Case& c) : about_(std::make_unique<kernel::ProofAbout<BuiltProof>>(c)) {}

ProofScript& ProofScript::label(std::string text) {
  label_ = std::move(text);
  return *this;
}

bool ProofScript::settled() const {
  // The other side of a small matrix is not worth the saving.
  constexpr std::size_t kSmall = 4096;
  const kernel::Problem& problem = about_->problem;
  if (problem.T * problem.H * problem.d <= kSmall) return false;
  const auto has = [&](const char* argument) { return claim_->has(argument); };
  return claim_ != nullptr && (has("value") || has("at_least") || has("at_most")) &&
         conclude(*claim_, facts()).verdict == Verdict::verified;
}

ProofScript::Number ProofScript::added(Number step) const {
  if (told_) told_(steps().back());
  return step;
}

ProofScript::Number ProofScript::add(const std::string& rule, const Fact& fact, const Json& keys) {
  return added(about_->proof.state(rule, fact, keys, std::exchange(label_, "")));
}

ProofScript::Number ProofScript::let(const Json& layer) {
  return added(about_->proof.prove("let", {{"layer", layer}}, std::exchange(label_, "")));
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
  Json keys = {{"side", side == Side::left ? "left" : "right"}, {"vectors", vectors}};
  if (p != 0) keys["p"] = p;
  keys.update(more);
  const bool kruskal = of.starts_with("kruskal(");
  return add("zero", Fact::at_most(of, kruskal ? vectors.at(0).size() - 1 : size - vectors.size()), keys);
}

ProofScript::Number ProofScript::counted(const std::string& of, bool above, std::size_t number,
                                         std::size_t all, std::size_t precision) {
  return add("ball", above ? Fact::at_least(of, number) : Fact::at_most(of, all - number),
             {{"side", above ? "above" : "below"}, {"count", number}, {"precision", precision}});
}

ProofScript::Number ProofScript::part(const Part& part, const ProofScript& inner, bool above) {
  Json keys = Json::object();
  if (part.heads) keys["heads"] = *part.heads;
  if (part.examples) keys["examples"] = *part.examples;
  keys["steps"] = inner.steps();
  keys["side"] = above ? "above" : "below";
  const std::string name = "capacity(" + std::to_string(steps().size()) + ")";
  const Bounds found = inner.of("capacity");
  return add("part", above ? Fact::at_least(name, found.lower) : Fact::at_most(name, found.upper), keys);
}

ProofScript::Number ProofScript::theorem(const std::string& name, const std::vector<Number>& uses,
                                         const std::string& layer, const std::vector<Number>& parts) {
  Json keys = {{"theorem", name}, {"uses", uses}};
  if (layer == "given") {
    keys["layer"] = layer;
  } else if (!layer.empty()) {
    keys["layer"] = std::stoul(layer);
  }
  if (!parts.empty()) keys["parts"] = parts;
  return added(about_->proof.prove("theorem", keys, std::exchange(label_, "")));
}

}  // namespace attest
