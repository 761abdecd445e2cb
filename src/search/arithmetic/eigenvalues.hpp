// Eigenvalues of rational symmetric matrices, counted exactly.
#pragma once

#include "search/arithmetic/rational.hpp"

namespace attest {

/// Counts eigenvalues of a symmetric matrix on either side of a rational. The characteristic polynomial has
/// only real roots, so by Descartes' rule of signs the number of its roots above mu is the number of sign
/// changes after the shift by mu.
class EigenvalueCounter {
public:
  explicit EigenvalueCounter(const RationalMatrix& symmetric);
  std::size_t above(const mpq_class& mu) const;
  std::size_t at_least(const mpq_class& mu) const;

private:
  std::vector<mpq_class> shifted(const mpq_class& mu) const;
  std::vector<mpq_class> coefficients_;  ///< of the characteristic polynomial, constant term first
};

/// The rational with the least denominator in the open interval (low, high), 0 <= low < high.
mpq_class simplest_between(const mpq_class& low, const mpq_class& high);

}  // namespace attest
