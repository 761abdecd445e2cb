#include "words/proved_facts.hpp"

#include <stdexcept>

#include "kernel/proof.hpp"

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
  FactBase facts(kernel::known_without_steps(c, claim));
  for (const kernel::NumberedStep& step : steps)
    if (const std::optional<Fact> fact = fact_of(*step.json)) facts.add(*fact);
  return facts;
}

}  // namespace attest
