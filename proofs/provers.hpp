// Which room proves which statement: every room says so at the end of its file.
#pragma once

#include <map>
#include <utility>

#include "proofs/proof.hpp"

namespace attest {

using Registration = std::pair<const char*, Prover>;

/// All that rooms have registered, in any order. They do so before main, when no table can be read yet.
inline std::vector<Registration>& registrations() {
  static std::vector<Registration> all;
  return all;
}

/// `const Registered registered{{"rank", prove_rank}};` The rooms are an object library, so that no linker
/// leaves one out.
struct Registered {
  Registered(std::initializer_list<Registration> provers) {
    registrations().insert(registrations().end(), provers);
  }
};

/// By statement. Throws std::logic_error when there are two for one, one for what is no statement, or none
/// for a statement of the table.
std::map<std::string, Prover> provers_by_statement(const std::vector<Registration>& all);

/// The prover of a statement of the table. Throws std::logic_error when it has none.
Prover prover_of(const std::string& statement);

}  // namespace attest
