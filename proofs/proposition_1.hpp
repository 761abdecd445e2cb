// The construction of Proposition 1, executed: weights for which Z has the rank that the paper promises.
#pragma once

#include <optional>
#include <vector>

#include "proofs/proof.hpp"
#include "search/character_z.hpp"
#include "search/layer.hpp"

namespace attest {

/// A real number between two rationals.
struct Enclosure {
  mpq_class lower, upper;
};

/// The finite scaling of B.2 for one head: enclosures of everything that lambda* is made of. Every lambda
/// above the upper end of lambda_star keeps the rank.
struct LambdaBound {
  Enclosure gamma;        ///< smallest gap between the two largest entries of E_t W' e_t over the basis
  Enclosure spread;       ///< largest spread of the entries of E_t W* e_t over the basis, s
  Enclosure token_norm;   ///< largest norm of a token, M
  Enclosure c_norm;       ///< Frobenius norm of C
  Enclosure sigma_min;    ///< smallest singular value of D_inf
  Enclosure lambda_star;  ///< (s + log_b(2 M (n - 1) sqrt(rho) ||C|| / sigma_min)) / gamma
};

/// One head: key and query are W* of Claim 1, the separator is W' of Lemma 3.
struct ConstructedHead : LetHead {
  std::vector<std::size_t> fresh;              ///< the fresh set I
  std::vector<std::vector<mpq_class>> logits;  ///< prescribed on it: E_t W_h e_t
  std::optional<LambdaBound> bound;            ///< when it was asked for: lambda > lambda_star
  std::vector<std::size_t> rows, cols;         ///< what the head adds to the non-singular minor
  std::size_t rank_before = 0, rank_after = 0;
};

struct Construction {
  std::vector<ConstructedHead> heads;  ///< H of them
  Character character;
  std::vector<double> z;  ///< Z under the character, T x Hd
  MinorIndices minor() const;
};

/// Runs the induction of Appendix B on heads until rank(Z) >= target, with fresh sets of r (first head) or r
/// - 1 examples, r <= min(n, d_h). Empty when it got stuck, which Assumptions 1 and 2 (for Remark 1: a
/// Kruskal rank of r) exclude. `certified`: lambda is chosen above the bound of B.2, which is recorded,
/// instead of by a floating-point proposal.
std::optional<Construction> construct(const Case& c, std::size_t target, std::size_t r,
                                      bool certified = false);

/// The bound of B.2 for a head whose basis has these rows and columns, in the heads before it. Empty when
/// precision ran out, or when there is nothing to bound (no fresh examples, n = 1).
std::optional<LambdaBound> lambda_bound(const Case& c, const std::vector<ConstructedHead>& before,
                                        const ConstructedHead& head, const std::vector<std::size_t>& rows,
                                        const std::vector<std::size_t>& cols);

/// The layer, the rank of its Z, and what that says of capacity and rank(Z(any)). The number of the layer.
ProofScript::Number add_construction(const Construction& construction, ProofScript& script);

}  // namespace attest
