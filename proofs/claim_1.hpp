// Claim 1: for at most r examples with independent queries, prescribed logits (or coefficients) by weights of
// that rank.
#pragma once

#include <map>

#include "proofs/proof.hpp"
#include "search/layer.hpp"

namespace attest {

/// Right inverses E_t R_t = I_n of contexts, computed once for a shared context. Each is given by its n
/// columns of length d.
class ContextInverses {
public:
  explicit ContextInverses(const Case& c) : case_(&c) {}
  /// Empty when E_t has rank below n.
  const std::optional<std::vector<RationalVector>>& of(std::size_t t);
  /// The vector a with E_t a = value * (unit vector i); empty when E_t has rank below n.
  std::optional<RationalVector> preimage(std::size_t t, std::size_t i, const mpz_class& value);

private:
  const Case* case_;
  std::map<std::size_t, std::optional<std::vector<RationalVector>>> inverses_;
};

/// Left inverse of the queries: vectors L_k with L_k . e_t = [t = examples[k]] on `examples`; empty when
/// these are dependent.
std::optional<std::vector<RationalVector>> left_inverse_of_queries(const Case& c,
                                                                   const std::vector<std::size_t>& examples);

/// The vectors of Claim 1 for a subset: W = sum_k R_k log_b(phi_k) L_k^T.
struct Claim1Weights {
  std::vector<std::vector<RationalVector>> right;  ///< R_k by its n columns, for each member
  std::vector<RationalVector> left;                ///< L_k
};
/// Empty when the queries of the subset are dependent or a context of it has rank below n.
std::optional<Claim1Weights> claim_1_weights(const Case& c, const std::vector<std::size_t>& subset);

}  // namespace attest
