// What people read about the statements and the theorem schemas. Nothing here decides anything: the checker
// does not link it.
#pragma once

#include <string>

#include "statements/statements.hpp"

namespace attest {

struct StatementWords {
  std::string name;
  std::string source;    ///< where in the paper
  std::string says;      ///< one sentence
  std::string assumes;   ///< its hypotheses; empty for none
  std::string executed;  ///< how it is proved
};
struct TheoremWords {
  std::string name;
  std::string says;
  std::string proof;   ///< heading in docs/mathematics.md
  std::string formal;  ///< its name in proofs/formal; empty when there is none
};

/// Throw std::logic_error when there are none.
const StatementWords& words_of(const Statement& about);
const TheoremWords& words_of(const Theorem& about);

/// What is claimed: its numbers ("rank(Z) = 3"), or what the statement says.
std::string claimed_in_words(const Claim& claim);

}  // namespace attest
