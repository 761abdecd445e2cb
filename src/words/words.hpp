// What people read about the statements, the theorem schemas and the quantities. Nothing here decides
// anything: the checker does not link it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "theory/statements.hpp"

namespace attest {

/// A line of text, and the propositions that it quotes, which pages typeset.
struct Line {
  std::string text;
  std::vector<std::string> propositions{};
};

/// What is said of a statement that asks for no number, when its conclusion is proved and when it is refuted:
/// {EXPRESSION} is what is known of it, {<=EXPRESSION} its upper bound, {lambda} that of a finding.
struct AnswerWords {
  std::string yes, no, when{};  ///< `when` as for a clause
  std::string tight{};          ///< a bound for all weights, of which it is said whether some reach it
};
/// What it means for labels that `number` is that of the outputs, less, or less and the largest of all
/// weights; without a number, that the conclusion is proved.
struct MeaningWords {
  std::string number, full, less{}, most{};
};

struct StatementWords {
  std::string name;
  std::string source;  ///< where in the paper
  /// One sentence; {key|text} belongs to claims with that argument, or to layers with that key.
  std::string says;
  std::string assumes{};               ///< its hypotheses; empty for none
  std::string executed;                ///< how it is proved
  std::vector<AnswerWords> answers{};  ///< the first that counts; the last always does
  std::optional<MeaningWords> means{};
};
struct TheoremWords {
  std::string name;
  std::string says;
  std::string proof;     ///< heading in docs/mathematics.md
  std::string formal{};  ///< its name in proofs/formal; empty when there is none
};

struct QuantityWords {
  std::string form;
  std::string says;     ///< empty: its name
  std::string because;  ///< why it is not larger whatever the data are; empty for a computed quantity
};

/// The first of the table whose form the quantity has.
const QuantityWords& words_of(const std::string& quantity);
/// "rank(Z) for the given weights", "the Kruskal rank of the queries", ...
std::string quantity_in_words(const std::string& quantity);

/// Throw std::logic_error when there are none.
const StatementWords& words_of(const Statement& about);
const TheoremWords& words_of(const Theorem& about);

/// The sentence with its parts in braces that `has` says are there.
std::string sentence(const std::string& says, const std::function<bool(const std::string& key)>& has);

/// What is claimed: its numbers ("rank(Z) = 3"), or what the statement says.
std::string claimed_in_words(const Claim& claim);

}  // namespace attest
