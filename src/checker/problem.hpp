// The case as the checker sees it: exact vectors and matrices on demand, and the quantities that it computes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checker/exact.hpp"
#include "input/case_file.hpp"

namespace attest::checker {

/// The tokens of one example.
using Context = std::vector<Vector>;

/// The data and sizes of a case. Not for several threads at once: it keeps what it has converted.
class Problem {
public:
  /// `source` outlives the problem.
  explicit Problem(const Case& source);

  const Case& source;
  std::size_t T = 0, H = 0, n = 0, d = 0, d_h = 0, d_out = 0;  ///< 0 without [layer]

  // A part that the case does not have is a Failure. (read_case has filled in the data of Proposition 3.)
  const ExactArray& contexts() const;
  const ExactArray& queries() const;
  /// For each stored context (each example, when the tokens are listed) the first that is equal.
  const std::vector<std::size_t>& equal_contexts() const;
  /// All contexts are equal (whether the case says so or not).
  bool shared() const;
  /// Whether the examples have their own lists of tokens, not n each.
  bool listed() const { return source.data.members.has_value(); }
  /// The tokens of example t: source.tokens(t) of them, of which i is the row source.token_row(t, i) of
  /// contexts(), as rows of length d. Valid until the context of another example is asked for.
  const Context& context(std::size_t t) const;
  Vector query(std::size_t t) const { return Vector(queries(), t * d, d); }
  /// The label; with a skip connection the attention layer only has to add what the query lacks.
  Rational label(std::size_t t, std::size_t coordinate, bool skip_connection) const;
  /// The first of each class of equal tokens, as rows of contexts(), increasing.
  const std::vector<std::size_t>& distinct_tokens() const;
  /// SHA-256 of the contents (docs/problem.md).
  const std::string& digest() const;

private:
  mutable std::vector<std::size_t> equal_contexts_, distinct_tokens_;  // empty: not yet found
  mutable std::vector<std::size_t> last_rows_;                         // of last_context_
  mutable Context last_context_;
  mutable std::string digest_;
};

/// The array as vectors of `length` entries, one after the other: for each the first that is equal.
std::vector<std::size_t> first_equal(const ExactArray& array, std::size_t length);
/// The indices of vectors that equal no earlier one.
std::vector<std::size_t> distinct(const std::vector<std::size_t>& first_equal);

/// A matrix over Q, by its rows: some rows of an array.
class Rows {
public:
  /// The rows `index` of the array, read as rows of length `width`; `one`: with a last column of ones.
  Rows(const ExactArray& array, std::vector<std::size_t> index, std::size_t width, bool one = false)
      : array_(&array, [](const ExactArray*) {}), index_(std::move(index)), width_(width), one_(one) {}
  /// A matrix of its own, row by row.
  Rows(std::vector<Rational> entries, std::size_t rows, std::size_t width);

  std::size_t size() const { return index_.size(); }
  std::size_t width() const { return width_ + (one_ ? 1 : 0); }
  Vector exact(std::size_t i) const;
  std::vector<Vector> exact() const;
  /// The entries in these rows and columns mod p. A denominator in these rows that p divides is a Failure.
  Matrix residues(Word p, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) const;

private:
  std::shared_ptr<const ExactArray> array_;
  std::vector<std::size_t> index_;
  std::size_t width_;
  bool one_ = false;
};

/// 0, 1, ..., count - 1.
std::vector<std::size_t> all_below(std::size_t count);

/// The members of rank(NAME) or kruskal(NAME), one unless it is a family. A Failure for a name that is not a
/// matrix over Q of this case and claim.
struct Family {
  bool several = false;  ///< a family (even one with one member)
  std::size_t size = 1;
  std::function<Rows(std::size_t member)> member;
};
Family family(const Problem& problem, const Claim& claim, const std::string& name);

/// Coordinate j of each token.
std::vector<Rational> coordinate(const Context& tokens, std::size_t j);
/// The entries of (E_t u)(v . e_t).
std::vector<Rational> separated(const Problem& problem, const Vector& u, const Vector& v, std::size_t t);
/// The entries of E_t W e_t, W a d x d matrix of the claim.
std::vector<Rational> products(const Problem& problem, const ExactArray& w, std::size_t t);

}  // namespace attest::checker
