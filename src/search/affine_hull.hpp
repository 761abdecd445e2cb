// The tokens of all contexts, and what their linear span and affine hull say of Z for all weights
// (docs/mathematics.md, Ranks from above).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "problem/case.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/rational.hpp"

namespace attest {

/// Which matrix of the distinct tokens, in order of first occurrence, one per row: themselves (N x d), or
/// with a last column of ones (N x (d + 1)), whose rank is the dimension of their affine hull plus 1.
enum class Span { linear, affine };

/// Ranks of both matrices mod a prime, which are those over Q unless the prime is unlucky; kernels are exact.
/// Tokens are looked at as far as an answer needs them.
class AffineHull {
public:
  /// Precondition: the case has contexts.
  explicit AffineHull(const Case& c);

  const Case& problem() const { return *case_; }
  std::size_t columns(Span span) const;

  /// A minor that is non-singular mod `prime`; rows are distinct tokens.
  struct TokenRank {
    std::uint64_t prime = 0;
    MinorIndices minor;
  };
  TokenRank rank(Span span);
  /// The one that bounds rank(Z) for all weights best: `linear` when the hull contains 0. It is the one that
  /// does when coefficients need not sum to 1.
  Span best() {
    if (!case_->layer->convex()) return Span::linear;
    return size(Span::linear) < size(Span::affine) ? Span::linear : Span::affine;
  }
  /// The rank of the matrix of `best()`.
  std::size_t best_rank() { return size(best()); }
  /// The bound on rank(Z): H a + 1, or H a when the hull contains 0; or `known` when that is no more.
  std::size_t bound(std::size_t known = std::numeric_limits<std::size_t>::max());

  /// A basis of the vectors x with M x = 0 over Q, integer and primitive, M the matrix of `best()`. That and
  /// all ranks are those over Q from then on.
  std::vector<std::vector<mpz_class>> kernel();

  /// The rank of the tokens, with a column of ones or without.
  std::size_t size(Span span);

private:
  void start(std::size_t prime);
  void look(std::size_t enough);
  MinorIndices minor(Span span);
  bool hold_everywhere(const std::vector<std::vector<mpz_class>>& functionals) const;

  const Case* case_;
  std::optional<Echelon> echelon_;  ///< of tokens with a column of ones; names are positions among all
  std::size_t next_ = 0;            ///< the first token that was not looked at
  std::vector<double> functional_;  ///< vanishes on the tokens of the echelon form; random among these
};

/// A basis of the vectors x with x . (token i - token 0) = 0 over Q for all tokens of all contexts, integer
/// and primitive. Empty when these differences have a rank of `enough` or more: they are not all looked at
/// then. Precondition: the case has contexts.
std::vector<std::vector<mpz_class>> kernel_of_differences(const Case& c, std::size_t enough);

}  // namespace attest
