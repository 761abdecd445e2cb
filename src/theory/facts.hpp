// Facts: bounds on quantities, and what a list of them proves.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "theory/proposition.hpp"

namespace attest {

/// `quantity >= bound` or `quantity <= bound`; the fact of a `let` has no bound.
struct Fact {
  enum class Kind { at_least, at_most, layer };
  Kind kind = Kind::layer;
  std::string quantity;
  mpz_class bound;

  static Fact at_least(const std::string& quantity, const mpz_class& bound) {
    return {Kind::at_least, quantity, bound};
  }
  static Fact at_most(const std::string& quantity, const mpz_class& bound) {
    return {Kind::at_most, quantity, bound};
  }
  /// "rank(Z(given)) >= 3"; "let Z(2)" for a layer.
  std::string text() const;
};

/// What stands for the star when the quantity has this form: "3" for "rank(Z(3))" and "rank(Z(*))". Empty for
/// a form without a star that the quantity equals.
std::optional<std::string> match(const std::string& quantity, const std::string& form);

/// Whether it has one of these forms.
bool has_form(const std::string& quantity, const std::vector<std::string>& forms);

/// Forms of quantities that facts bound, and a bound from above that needs no proof; from below it is 0. In
/// words: src/words.
struct Quantity {
  std::vector<std::string> forms;
  std::string most;
  std::string needs{};   ///< arguments of the claim, and which value one has, and parts of the case
  std::string within{};  ///< a quantity that it does not exceed when it is positive
};

const std::vector<Quantity>& quantities();
/// The first of the table whose forms the quantity has; nullptr for a computed quantity or an unknown name.
const Quantity* find_quantity(const std::string& quantity);

/// The bounds of a quantity that need no proof: ranks lie between 0 and the smaller dimension, truth values
/// between 0 and 1. Empty for a computed quantity or an unknown name. `computed` supplies sizes.
std::optional<Bounds> bounds_without_proof(const std::string& quantity, const Knowledge& computed);

/// Two facts that cannot both be true: whoever derived them has a defect.
struct Contradiction : std::logic_error {
  using std::logic_error::logic_error;
};

/// What is known of every quantity of a claim: the case's own sizes and computed quantities, and facts.
class FactBase {
public:
  /// `computed`: sizes, arguments and computed quantities of the case.
  explicit FactBase(Knowledge computed) : computed_(std::move(computed)) {}

  /// Throws Contradiction.
  void add(const Fact& fact);
  Bounds of(const std::string& quantity) const;
  /// A quantity of this form, with a star, of which a fact says that it is at least 1: `of(form)` is then its
  /// bounds.
  std::optional<std::string> right(const std::string& form) const;
  Knowledge knowledge() const;
  /// The quantities that facts are about, and their bounds.
  const std::map<std::string, Bounds>& proved() const { return proved_; }

private:
  Knowledge computed_;
  std::map<std::string, Bounds> proved_;
};

/// The sizes and integer arguments of a case and claim: `T`, `H`, ..., `r`, `size(subset)`, `rows(a)`,
/// `neurons`, ... Empty when the name is none of these (then it needs the entries of the data).
std::optional<Bounds> size_of(const Case& c, const Claim& claim, const std::string& name);

}  // namespace attest
