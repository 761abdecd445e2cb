// The tables of statements, of theorem schemas and of the shapes of rules: what can be claimed, and of what a
// proof consists, as data. Everything that depends on what a statement means is derived from these tables.
#pragma once

#include <string>
#include <vector>

#include "theory/circuits.hpp"
#include "theory/facts.hpp"

namespace attest {

/// A proposition that counts when the claim's argument `when` is there ("value"), has a value
/// ("labels=integer") or, with "!", is not there; when all of several are ("head !bias"); always when empty.
struct Clause {
  std::string proposition;  ///< statements/proposition.hpp
  std::string name{};       ///< of a hypothesis ("assumption-1"); empty for a conclusion
  std::string when{};
};

/// A quantity that results show: `name` in JSON ("rank"), the quantity, how people write it ("rank(Z)"), the
/// claims that show it, as for a clause, and out of how many it is, if not of the most that it can be.
struct Shown {
  std::string name, quantity, text, when{}, whole{};
};

/// In words: src/words.
struct Statement {
  ClaimSpec spec{};  ///< name, needed parts of the case, arguments
  std::vector<Clause> hypotheses{};
  std::vector<Clause> conclusion{};  ///< the first clause that counts
  std::vector<Shown> shown{};
  std::vector<Clause> requirements{};  ///< of the case file; `name` is the message when one does not hold
};

/// Whether a condition such as that of a clause is met.
bool counts(const std::string& when, const Claim& claim);
/// The hypotheses and the conclusion that count for a claim.
std::vector<Clause> hypotheses_of(const Claim& claim);
const Clause& conclusion_of(const Claim& claim);

/// All statements, in the paper's order.
const std::vector<Statement>& statements();
/// Precondition: read_case has accepted a claim of that name.
const Statement& statement(const std::string& name);

/// A theorem as a schema: a bound on one quantity by an expression in others, under conditions. W stands for
/// a layer, "given" or the number of a `let`, P for a part of the problem.
struct Theorem {
  std::string name;
  std::vector<std::string> conditions;  ///< propositions
  std::string conclusion;               ///< `QUANTITY <= EXPRESSION` or `QUANTITY >= EXPRESSION`
};

const std::vector<Theorem>& theorems();
/// nullptr for an unknown name.
const Theorem* find_theorem(const std::string& name);

/// Applies a schema to a layer (empty when it has none) and parts, the numbers of their steps: the bound is
/// that of the expression, known from the facts that are used (each must be about a quantity of the schema),
/// bounds that need no proof and computed quantities. Throws Failure when it does not apply.
Fact apply_theorem(const Theorem& theorem, const std::vector<Fact>& uses, const std::string& layer,
                   const Knowledge& computed, const std::vector<std::size_t>& parts = {});

/// A number of the kind `bits` is at most this.
constexpr std::size_t kMostBits = 1 << 16;

/// The shape of the steps of a rule about quantities of these forms.
struct RuleShape {
  std::string rule;
  std::vector<std::string> of;  ///< the forms; none when the rule names no quantity
  std::string keys;  ///< beside `rule`, `of`, `fact` and `label`: NAME:KIND, or NAME?:KIND if optional

  struct Key {
    std::string name, kind;
    bool optional;
  };
  std::vector<Key> list() const;
};

const std::vector<RuleShape>& rule_shapes();
/// The first of the table with this rule and a form that the quantity has (empty: with none); nullptr when
/// there is none.
const RuleShape* find_shape(const std::string& rule, const std::string& of);

/// What the facts prove of a claim.
struct Finding {
  std::vector<std::pair<std::string, Truth>> hypotheses;
  Truth conclusion = Truth::open;
  Verdict verdict = Verdict::undecided;
  /// `verified`, and some hypothesis is not decided: the conclusion holds for this data all the same.
  bool hypotheses_undecided = false;
  struct Number {
    std::string name, text;
    Bounds bounds;
  };
  std::vector<Number> shown;
  std::optional<Circuits> which = {};  ///< of a claim with `which`
};

/// The verdict function: both axes and the word (docs/certificate.md, The design).
Finding conclude(const Claim& claim, const FactBase& facts);
/// "verified (hypotheses undecided)", "refuted", ...
std::string verdict_text(const Finding& finding);
/// Whether the finding is what the case expects.
bool as_expected(const Claim& claim, const Finding& finding);
/// Whether the statement is a question for a number, which its claims may bound.
bool asks_for_a_number(const Statement& about);
/// What is claimed: "rank(Z) = 3", "rank(Z) >= 2", "rank(Z) = ?"; otherwise the conclusion.
std::string claimed_text(const Claim& claim);
/// Of which layers a capacity is, beside what it is always: " with query biases", " with all layers free".
std::string of_which_layers(const std::string& quantity, const Claim& claim, const Knowledge& knowledge);
/// Of a claim that is decided what it is about; of another one all that is known.
Finding asked_about(const Claim& claim, Finding finding);
/// The numbers that are shown: "rank(Z) = 3; 3 <= capacity <= 5". Of long lists the beginning.
std::string numbers_text(const Finding& finding);

/// Throws InputError about this file when a requirement of the claim's statement does not hold.
void check_requirements(const Case& c, const Claim& claim, const std::string& file);

}  // namespace attest
