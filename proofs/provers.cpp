#include "proofs/provers.hpp"

#include <stdexcept>

namespace attest {

std::map<std::string, Prover> provers_by_statement(const std::vector<Registration>& all) {
  std::map<std::string, Prover> provers;
  for (const auto& [name, prover] : all) {
    statement(name);
    if (!provers.emplace(name, prover).second) throw std::logic_error(std::string("two provers for ") + name);
  }
  for (const Statement& each : statements())
    if (!provers.contains(each.spec.name)) throw std::logic_error("no prover for " + each.spec.name);
  return provers;
}

Prover prover_of(const std::string& statement) {
  static const std::map<std::string, Prover> provers = provers_by_statement(registrations());
  const auto found = provers.find(statement);
  if (found == provers.end()) throw std::logic_error("no prover for " + statement);
  return found->second;
}

}  // namespace attest
