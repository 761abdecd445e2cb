#include "words/proved_facts.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "kernel/proof.hpp"
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

/// Adds the step of a theorem that decides the conclusion by what the claim shares, if there is one: a
/// capacity of T says that any labels are fitted, whatever hypothesis fails.
void conclude_from_shared(const Case& c, const Claim& claim, std::set<std::size_t>& steps,
                          Json& certificate) {
  const std::string conclusion = conclusion_of(claim).proposition;
  const kernel::NumberedSteps numbered = kernel::named_steps(Json(steps), certificate.at("steps"));
  const FactBase facts = facts_of(c, claim, numbered);
  if (decide(conclusion, facts.knowledge()) != Truth::open) return;
  for (const Theorem& theorem : theorems()) {
    if (theorem.conclusion != conclusion ||
        std::ranges::any_of(theorem.conditions, [&](const std::string& condition) {
          return decide(condition, facts.knowledge()) != Truth::yes;
        }))
      continue;
    std::string about;
    for (const std::string& condition : theorem.conditions)
      about += (about.empty() ? "" : " and ") + condition;
    std::set<std::size_t> uses;  // for each bound of a quantity the first step that proves it
    for (const std::string& name : quantities_in(about))
      for (const Fact::Kind kind : {Fact::Kind::at_least, Fact::Kind::at_most}) {
        const Bounds known = facts.of(name);
        const auto proves = [&](const kernel::NumberedStep& step) {
          const std::optional<Fact> fact = fact_of(*step.json);
          return fact && fact->quantity == name && fact->kind == kind &&
                 fact->bound == (kind == Fact::Kind::at_least ? known.lower : known.upper);
        };
        if (const auto step = std::ranges::find_if(numbered, proves); step != numbered.end())
          uses.insert(step->number);
      }
    steps.insert(certificate["steps"].size());
    certificate["steps"].push_back(
        {{"rule", "theorem"}, {"theorem", theorem.name}, {"uses", uses}, {"fact", conclusion}});
    return;
  }
}

}  // namespace

std::vector<std::size_t> share_facts(const Case& c, Json& certificate) {
  std::map<std::pair<std::string, Fact::Kind>, std::pair<mpz_class, std::size_t>> best;  // and its step
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
    conclude_from_shared(c, c.claims[k], steps, certificate);
    if (steps.size() == named.size()) continue;
    named = steps;
    shared.push_back(k);
  }
  return shared;
}

}  // namespace attest
