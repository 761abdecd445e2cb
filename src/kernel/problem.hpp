// The case as the checker sees it: exact vectors and matrices on demand, and the quantities that it computes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernel/arithmetic/exact.hpp"
#include "problem/case.hpp"

namespace attest::kernel {

/// The tokens of one example.
using Context = std::vector<Vector>;

class EnclosedStack;

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
  /// For each token, a row of contexts(), the first that is equal.
  const std::vector<std::size_t>& equal_tokens() const;
  /// For each example the first that has an equal context.
  const std::vector<std::size_t>& equal_contexts() const;
  /// The same when the order of the tokens does not count.
  const std::vector<std::size_t>& equal_token_sets() const;
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
  /// Whether a stack stands before the layer: then there are neither contexts nor queries, whose place
  /// kernel/layers/stack_enclosures.hpp takes.
  bool has_stack() const { return !source.stack.empty(); }
  /// The vectors that enter the layer at these examples, enclosed with so many bits
  /// (kernel/layers/stack_enclosures.hpp). Precondition: has_stack.
  const EnclosedStack& enclosed_stack(std::size_t bits, const std::vector<std::size_t>& examples) const;

private:
  mutable std::vector<std::size_t> equal_tokens_, equal_contexts_, equal_token_sets_,
      distinct_tokens_;  // empty: not yet found
  // One context is kept: without it the accuracy of cases/trained/h8-t300 takes 1.5 times as long.
  mutable std::vector<std::size_t> last_rows_;
  mutable Context last_context_;
  mutable std::map<std::size_t, std::shared_ptr<EnclosedStack>> enclosed_stacks_;

  std::vector<std::size_t> classes_of_contexts(bool ordered) const;
};

/// The rows of `hidden` that matter. Precondition: there is a stack.
std::set<std::size_t> used_rows(const Case& source);

/// The array as vectors of `length` entries, one after the other: for each the first that is equal.
std::vector<std::size_t> first_equal(const ExactArray& array, std::size_t length);
/// The indices of vectors that equal no earlier one.
std::vector<std::size_t> distinct(const std::vector<std::size_t>& first_equal);

/// A matrix over Q, whose rows are made when they are asked for.
class Rows {
public:
  Rows(std::size_t size, std::size_t width, std::function<Vector(std::size_t i)> row)
      : size_(size), width_(width), row_(std::move(row)) {}
  /// Rows of d entries of the array: those with the numbers `index`; minus those with the numbers `minus`, if
  /// there are any; `affine`: with an entry 1 more.
  Rows(const ExactArray& array, std::size_t d, std::vector<std::size_t> index, bool affine = false,
       std::vector<std::size_t> minus = {});

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  Vector exact(std::size_t i) const { return row_(i); }
  std::vector<Vector> exact() const;
  /// The entries in these rows and columns mod p. A denominator in these rows that p divides is a Failure.
  Matrix residues(Word p, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) const;
  /// That the product with each vector is 0. Precondition: at least one, of length width().
  void ensure_annihilated(const std::vector<Vector>& vectors) const;

private:
  /// All entries in these rows, which are made from an array, mod an odd p.
  Matrix binary_residues(Word p, std::span<const std::size_t> rows) const;

  std::size_t size_, width_;
  std::function<Vector(std::size_t i)> row_;
  const ExactArray* array_ = nullptr;  ///< of binary floats or integers, if the rows are made from one
  std::size_t d_ = 0;                  ///< entries of it in a row
  std::vector<std::size_t> index_, minus_;
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

/// The entries of (E_t u)(v . e_t).
Vector separated(const Problem& problem, const Vector& u, const Vector& v, std::size_t t);
/// The entries of E_t W e_t, W a d x d matrix of the claim.
Vector products(const Problem& problem, const ExactArray& w, std::size_t t);

}  // namespace attest::kernel
