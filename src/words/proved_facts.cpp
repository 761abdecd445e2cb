#include "words/proved_facts.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>

#include "kernel/proof.hpp"
#include "theory/failure.hpp"
#include "theory/part.hpp"

namespace attest {

std::optional<Fact> fact_of(const Json& step) {
  const std::string text = step.at("fact").get<std::string>();
  if (text.starts_with("let ")) return std::nullopt;
  const bool at_least = text.find(" >= ") != std::string::npos;
  const std::size_t at = text.find(at_least ? " >= " : " <= ");
  if (at == std::string::npos) throw std::invalid_argument("the fact " + text + " is no bound");
  const std::string quantity = text.substr(0, at);
  const mpz_class bound(text.substr(at + 4));
  return at_least ? Fact::at_least(quantity, bound) : Fact::at_most(quantity, bound);
}

FactBase facts_of(const Case& c, const Claim& claim, const kernel::NumberedSteps& steps) {
  const auto about = std::make_shared<const kernel::CaseProof>(c, &claim);
  FactBase facts([about](const std::string& quantity) { return about->proof.facts().of(quantity); });
  for (const kernel::NumberedStep& step : steps)
    if (const std::optional<Fact> fact = fact_of(*step.json)) facts.add(*fact);
  return facts;
}

namespace {

// Whether a quantity is the same for all claims of a case that are not about other numbers of heads.
bool of_the_case(const std::string& quantity) {
  const Quantity* const known = find_quantity(quantity);
  return known != nullptr && known->needs.empty() && known->most != "1";
}

std::vector<std::string> quantities_of(const Claim& claim) {
  std::string all = conclusion_of(claim).proposition;
  for (const Clause& hypothesis : hypotheses_of(claim)) all += " and " + hypothesis.proposition;
  for (const Shown& shown : statement(claim.statement).shown)
    if (counts(shown.when, claim)) all += " and " + shown.quantity + " >= 0";
  std::vector<std::string> names = quantities_in(all);
  std::erase_if(names, [](const std::string& name) { return !of_the_case(name); });
  return names;
}

/// For each quantity of the case and each side the best bound that a claim proves, and its step.
using BestFacts = std::map<std::pair<std::string, Fact::Kind>, std::pair<mpz_class, std::size_t>>;

/// The quantity that a theorem bounds, whether from below, and by what.
std::tuple<std::string, bool, std::string> parts_of(const Theorem& theorem) {
  const std::size_t at = theorem.conclusion.find('=') - 1;
  return {theorem.conclusion.substr(0, at - 1), theorem.conclusion[at] == '>',
          theorem.conclusion.substr(at + 3)};
}

/// What a theorem says by these facts, if its conditions hold and the case has all that it is about.
std::optional<Fact> said_by(const Theorem& theorem, const FactBase& facts) {
  const auto [quantity, at_least, bounded_by] = parts_of(theorem);
  try {
    for (const std::string& condition : theorem.conditions)
      if (decide(condition, facts.knowledge()) != Truth::yes) return std::nullopt;
    const Bounds bound = evaluate(bounded_by, facts.knowledge());
    return at_least ? Fact::at_least(quantity, bound.lower) : Fact::at_most(quantity, bound.upper);
  } catch (const Failure&) {  // no layers before the layer, or tokens that enter other layers first
    return std::nullopt;
  }
}

/// Adds the steps of theorems that narrow what the claim is about, by what all claims know: a capacity of T
/// says that any labels are fitted, whatever hypothesis fails.
void conclude_from_shared(const Case& c, const Claim& claim, const BestFacts& best,
                          std::set<std::size_t>& steps, Json& certificate) {
  const std::vector<std::string> asked = quantities_in(conclusion_of(claim).proposition);
  const auto numbered = [&] { return kernel::named_steps(Json(steps), certificate.at("steps")); };
  FactBase facts = facts_of(c, claim, numbered());
  for (const auto& [about, bound] : best)
    facts.add(about.second == Fact::Kind::at_least ? Fact::at_least(about.first, bound.first)
                                                   : Fact::at_most(about.first, bound.first));
  for (const Theorem& theorem : theorems()) {
    const auto [quantity, at_least, bounded_by] = parts_of(theorem);
    if (std::ranges::find(asked, quantity) == asked.end() || facts.of(quantity).decided()) continue;
    std::string about = bounded_by + " >= 0";
    for (const std::string& condition : theorem.conditions) about += " and " + condition;
    const std::vector<std::string> names = quantities_in(about);
    const auto of_others = [](const std::string& name) {  // of layers and parts that steps define
      return name.find("(W)") != std::string::npos || name.find("(P)") != std::string::npos;
    };
    const auto proved = [&](const std::string& name) {
      return best.contains({name, Fact::Kind::at_least}) || best.contains({name, Fact::Kind::at_most});
    };
    if (std::ranges::any_of(names, of_others) || std::ranges::none_of(names, proved)) continue;
    const std::optional<Fact> fact = said_by(theorem, facts);
    const Bounds known = facts.of(quantity);
    if (!fact ||
        (fact->kind == Fact::Kind::at_least ? fact->bound <= known.lower : fact->bound >= known.upper))
      continue;
    std::set<std::size_t> uses;  // for each bound of a quantity the first step that proves it
    for (const std::string& name : names)
      for (const Fact::Kind kind : {Fact::Kind::at_least, Fact::Kind::at_most}) {
        const Bounds bounds = facts.of(name);
        const mpz_class& side = kind == Fact::Kind::at_least ? bounds.lower : bounds.upper;
        const kernel::NumberedSteps own = numbered();
        const auto step = std::ranges::find_if(own, [&](const kernel::NumberedStep& each) {
          const std::optional<Fact> is = fact_of(*each.json);
          return is && is->quantity == name && is->kind == kind && is->bound == side;
        });
        const auto shared = best.find({name, kind});
        if (step != own.end()) {
          uses.insert(step->number);
        } else if (shared != best.end() && shared->second.first == side) {
          uses.insert(shared->second.second);
          steps.merge(with_premises(certificate, shared->second.second));
        }
      }
    steps.insert(certificate["steps"].size());
    certificate["steps"].push_back(
        {{"rule", "theorem"}, {"theorem", theorem.name}, {"uses", uses}, {"fact", fact->text()}});
    facts.add(*fact);
  }
}

}  // namespace

std::vector<std::size_t> share_facts(const Case& c, Json& certificate) {
  BestFacts best;
  const auto better = [](const Fact& fact, const mpz_class& than) {
    return fact.kind == Fact::Kind::at_least ? fact.bound > than : fact.bound < than;
  };
  std::vector<std::size_t> shared;
  if (c.claims.size() < 2) return shared;
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    if (own_problem(c, c.claims[k])) continue;
    for (const kernel::NumberedStep& step : steps_of(certificate, k)) {
      const std::optional<Fact> fact = fact_of(*step.json);
      if (!fact || !of_the_case(fact->quantity)) continue;
      const auto [at, first] = best.try_emplace({fact->quantity, fact->kind}, fact->bound, step.number);
      if (!first && better(*fact, at->second.first)) at->second = {fact->bound, step.number};
    }
  }
  for (std::size_t k = 0; k < c.claims.size(); ++k) {
    if (own_problem(c, c.claims[k])) continue;
    const FactBase facts = facts_of(c, c.claims[k], steps_of(certificate, k));
    Json& named = certificate["claims"][k]["steps"];
    std::set<std::size_t> steps(named.begin(), named.end());
    const auto share = [&](const std::string& quantity, Fact::Kind kind) {
      const auto found = best.find({quantity, kind});
      if (found == best.end()) return;
      const auto& [bound, step] = found->second;
      const Bounds known = facts.of(quantity);
      if (kind == Fact::Kind::at_least ? bound > known.lower : bound < known.upper)
        steps.merge(with_premises(certificate, step));
    };
    for (const std::string& quantity : quantities_of(c.claims[k]))
      for (const Fact::Kind kind : {Fact::Kind::at_least, Fact::Kind::at_most}) share(quantity, kind);
    // Of a bound for all weights it is said whether those of the case reach it.
    if (c.weights && conclusion_of(c.claims[k]).proposition.starts_with("rank(Z(any)) <="))
      share("rank(Z(given))", Fact::Kind::at_least);
    conclude_from_shared(c, c.claims[k], best, steps, certificate);
    if (steps.size() == named.size()) continue;
    named = steps;
    shared.push_back(k);
  }
  return shared;
}

}  // namespace attest
