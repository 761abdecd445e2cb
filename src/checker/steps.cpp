// The kinds of steps, and what holds for all of them. Their checks are in steps_*.cpp: one function for each,
// and every condition of docs/certificate.md is an `ensure`.
#include "checker/steps.hpp"

#include <algorithm>

#include "checker/statements.hpp"

namespace attest::checker {

const std::map<std::string, ClaimChecker::Argument> ClaimChecker::kArguments = {
    {"character-minor", {nullptr, &ClaimChecker::character_minor}},
    {"random", {"definition", &ClaimChecker::random}},
    {"affine-hull", {"affine-hull-bound", &ClaimChecker::affine_hull}},
    {"token-minor", {"modular-rank", &ClaimChecker::token_minor}},
    {"structure", {"equal-and-constant-heads", &ClaimChecker::structure}},
    {"right-kernel", {nullptr, &ClaimChecker::right_kernel}},
    {"left-kernel", {nullptr, &ClaimChecker::left_kernel}},
    {"kruskal-lower", {"subset-independence", &ClaimChecker::kruskal_lower}},
    {"kruskal-upper", {"dependent-subset", &ClaimChecker::kruskal_upper}},
    {"contexts-full-rank", {"modular-rank", &ClaimChecker::contexts_full_rank}},
    {"context-dependent", {"dependent-rows", &ClaimChecker::context_dependent}},
    {"contexts-differ", {"witness", &ClaimChecker::contexts_differ}},
    {"token-sums-differ", {"witness", &ClaimChecker::token_sums_differ}},
    {"too-many-examples", {"arithmetic", &ClaimChecker::too_many_examples}},
    {"subset-too-large", {"arithmetic", &ClaimChecker::subset_too_large}},
    {"subset-dependent", {"dependent-subset", &ClaimChecker::subset_dependent}},
    {"subset-context-dependent", {"dependent-rows", &ClaimChecker::subset_context_dependent}},
    {"construction", {"proposition-1-induction", &ClaimChecker::construction}},
    {"readout-enclosure", {"nonsingular-minor-and-enclosure", &ClaimChecker::readout_enclosure}},
    {"readout-exact", {"exact-solution", &ClaimChecker::readout_exact}},
    {"claim-1-weights", {"claim-1", &ClaimChecker::claim_1_weights}},
    {"claim-2-weights", {"claim-2", &ClaimChecker::claim_2_weights}},
    {"matrix-rank", {"minor-and-kernel", &ClaimChecker::matrix_rank}},
    {"spectral-gap", {"sylvester-inertia", &ClaimChecker::spectral_gap}},
    {"lemma-3-separator", {"lemma-3", &ClaimChecker::lemma_3_separator}},
    {"lemma-4-lambda", {"lemma-4", &ClaimChecker::lemma_4_lambda}},
    {"equal-entries", {"witness", &ClaimChecker::equal_entries}},
    {"outputs-full-rank", {"modular-rank", &ClaimChecker::outputs_full_rank}},
    {"vandermonde-nodes", {"vandermonde", &ClaimChecker::vandermonde_nodes}},
    {"too-many-positions", {"arithmetic", &ClaimChecker::too_many_positions}},
    {"zero-encoding", {"arithmetic", &ClaimChecker::zero_encoding}},
    {"moment-curve", {"vandermonde", &ClaimChecker::moment_curve}},
    {"kronecker-labels", {"pattern-subspaces", &ClaimChecker::kronecker_labels}},
    {"transcendental-labels", {"algebraic-independence", &ClaimChecker::transcendental_labels}},
    {"network-weights", {"evaluation", &ClaimChecker::network_weights}},
    {"pattern-search", {"farkas", &ClaimChecker::pattern_search}},
    {"finite-lambda-bound", {"weyl-perturbation", &ClaimChecker::finite_lambda_bound}},
    {"rescaled", {"definition", &ClaimChecker::rescaled}},
};

ClaimChecker::ClaimChecker(const Problem& problem, const Claim& claim, const CheckPolicy& policy)
    : problem_(problem), claim_(claim), policy_(policy) {
  facts_.kruskal_upper = std::min(problem.T, problem.d);
}

std::string ClaimChecker::argument_of(const Json& step) {
  if (!step.is_object() || !step.contains("argument") || !step["argument"].is_string()) return "";
  return step["argument"].get<std::string>().substr(0, 40);
}

std::string ClaimChecker::check(const Json& step) {
  // Minors of the layer "rescaled" are about the lambda of the step before them.
  const bool of_rescaled = step.is_object() && step.contains("layer") && step["layer"] == "rescaled";
  ensure(seen_.insert(step.dump()).second || of_rescaled, "steps that differ", "the same step a second time");
  Object object(step);
  const std::string argument = string(object["argument"]);
  const auto found = kArguments.find(argument);
  ensure(found != kArguments.end(), "an argument of this format", argument.substr(0, 40));
  ensure(step_belongs(claim_.statement, argument), "a step that belongs to " + claim_.statement, argument);
  step_ = &step;
  note_.clear();
  object["theorem"];
  if (found->second.theorem != nullptr) theorem(found->second.theorem);
  (this->*found->second.check)(object);
  object.done();
  facts_.shown.insert(argument);
  return note_;
}

void ClaimChecker::theorem(const char* expected) const {
  const std::string& found = string((*step_)["theorem"]);
  ensure(found == expected, std::string("the theorem ") + expected, found.substr(0, 40));
}

const Layer& ClaimChecker::layer(const Json& value) {
  const std::string& name = string(value);
  ensure(layer_belongs(claim_.statement, name), "a layer that " + claim_.statement + " is about",
         name.substr(0, 40));
  const bool sweep = claim_.statement == "finite-lambda";
  ensure(sweep || examined_.empty() || examined_ == name, "one layer in all steps of a claim: " + examined_,
         name);
  if (name == "given" && layers_.count(name) == 0) layers_.emplace(name, given_layer(problem_));
  ensure(layers_.count(name) != 0, "a step that defines the layer " + name + " before this one", "none");
  examined_ = name;
  facts_.rank_examined = true;
  return layers_.at(name);
}

ClaimChecker::Relation ClaimChecker::relation(const Json& value, std::size_t size) const {
  Relation result;
  for (const Json& entry : array(value, size)) result.push_back(integer(entry));
  return result;
}

const Vector& ClaimChecker::token(const Json& pair, std::shared_ptr<const Context>& keep) const {
  array(pair, 2);
  const std::size_t example = index(pair[0], problem_.T), position = index(pair[1], problem_.n);
  keep = problem_.context(example);
  return (*keep)[position];
}

void ClaimChecker::bound_rank(const Json& value, std::size_t expected) {
  const Word found = word(value);
  ensure(found == expected, "bound " + count(expected), count(found));
  facts_.rank_upper = std::min(facts_.rank_upper.value_or(expected), expected);
}

}  // namespace attest::checker
