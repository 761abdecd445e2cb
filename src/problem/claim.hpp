// What a claim of a case file looks like: the shape of its table (data, given by src/theory), and the
// claim as it was read.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/integers.hpp"
#include "problem/exact_array.hpp"

namespace attest {

enum class Verdict { verified, refuted, inapplicable, undecided };
const char* verdict_name(Verdict verdict);

/// An argument of a statement, a further key of its [[claim]].
struct ArgumentSpec {
  enum class Type {
    integer,       ///< any integer: mpz_class
    natural,       ///< an integer from 1 to 2^40: mpz_class
    example,       ///< an example's index: mpz_class
    number,        ///< an exact number: mpq_class
    positive,      ///< a positive exact number: mpq_class
    flag,          ///< true or false: bool
    option,        ///< true, or not there (false is as if it were not): bool
    word,          ///< one of the words in `detail`, the first by default: std::string
    subset,        ///< distinct examples: std::vector<std::size_t>
    coefficients,  ///< a row of n positive numbers that sum to 1 for each member of `subset`: ExactArray
    matrix,        ///< two dimensions: ExactArray
    values,        ///< an exact number for each example: ExactArray
    classes,  ///< a class of each example, 0 to max(2, d_out) - 1; or the argument in `detail`: ExactArray
  };
  std::string key;
  Type type;
  bool required = true;
  /// word: "integer given". matrix: what its rows and columns are, "a c" = rows of the argument a, columns
  /// of c, "d d" = embed_dim, "" = anything. integer: the name of a group of which a claim has at most one.
  std::string detail{};
};

/// What a statement needs of a case, and which arguments its claims have.
struct ClaimSpec {
  std::string name;
  /// Required parts: any of layer, contexts, queries, labels, weights, blank-separated; `whole` when the
  /// layer is that with its values, outputs and read-out; `values` when it has values at least; `ragged` when
  /// the contexts need not have one length; `stack` when there may be one before the layer;
  /// `layers_before` when [layer] then says whether these are as given or free; `given` when they are as
  /// given only; `sinks` when the coefficients of a head need not sum to 1.
  std::string needs;
  std::vector<ArgumentSpec> arguments{};
  /// Of [layer] only the context and embed_dim are required when all claims of a case are of this
  /// statement: "always", or "without data" when moreover the case has no [data] and the statement makes
  /// its own.
  std::string few_sizes{};

  bool needs_part(const std::string& part) const;
};

using ArgumentValue =
    std::variant<mpz_class, mpq_class, bool, std::string, std::vector<std::size_t>, ExactArray>;

/// One [[claim]].
struct Claim {
  std::size_t index = 0;  ///< position in the file, from 0
  std::string statement;
  const ClaimSpec* spec = nullptr;  ///< of the statement; lives as long as the program
  Verdict expect = Verdict::verified;
  bool expect_as_stated = false;     ///< expect = "verified-as-stated": without undecided hypotheses
  std::string place;                 ///< "line L, column C"
  std::size_t line = 0, column = 0;  ///< the same; 0 when the case was never a file
  std::string name;                  ///< what the case calls the claim, or else what it claims
  std::map<std::string, ArgumentValue> arguments;

  bool has(const std::string& key) const { return arguments.count(key) != 0; }
  // Precondition: the argument is there (its statement requires it, or `has`) and of that type.
  template <class Value>
  const Value& get(const std::string& key) const {
    return std::get<Value>(arguments.at(key));
  }
  const mpz_class& integer(const std::string& key) const { return get<mpz_class>(key); }
  /// Of a natural or example.
  std::size_t size(const std::string& key) const { return integer(key).get_ui(); }
  const mpq_class& number(const std::string& key) const { return get<mpq_class>(key); }
  /// False when it is not there.
  bool flag(const std::string& key) const { return has(key) && get<bool>(key); }
  const std::string& word(const std::string& key) const { return get<std::string>(key); }
  const std::vector<std::size_t>& subset() const { return get<std::vector<std::size_t>>("subset"); }
  const ExactArray& array(const std::string& key) const { return get<ExactArray>(key); }
};

}  // namespace attest
