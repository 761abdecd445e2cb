#include "search/arithmetic/eigenvalues.hpp"

#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>

#include "base/meter.hpp"
#include "search/arithmetic/owned.hpp"

namespace attest {

EigenvalueCounter::EigenvalueCounter(const RationalMatrix& m) {
  std::uint64_t longest = 1;
  for (std::size_t i = 0; i < m.rows() * m.rows(); ++i)
    longest = std::max<std::uint64_t>(
        longest, mpz_size(m.data()[i].get_num_mpz_t()) + mpz_size(m.data()[i].get_den_mpz_t()));
  meter().work(static_cast<std::uint64_t>(m.rows()) * m.rows() * m.rows() * (1 + m.rows() * longest / 8));
  fmpq_mat_t a;
  fmpq_poly_t p;
  fmpq_mat_init(a, m.rows(), m.rows());
  fmpq_poly_init(p);
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.rows(); ++j) fmpq_set_mpq(fmpq_mat_entry(a, i, j), m(i, j).get_mpq_t());
  fmpq_mat_charpoly(p, a);
  for (slong k = 0; k < fmpq_poly_length(p); ++k) {
    OwnedRational coefficient;
    fmpq_poly_get_coeff_fmpq(coefficient, p, k);
    coefficients_.emplace_back();
    fmpq_get_mpq(coefficients_.back().get_mpq_t(), coefficient);
  }
  fmpq_mat_clear(a);
  fmpq_poly_clear(p);
}

// p(x + mu), by repeated synthetic division.
std::vector<mpq_class> EigenvalueCounter::shifted(const mpq_class& mu) const {
  std::vector<mpq_class> c = coefficients_;
  for (std::size_t first = 0; first + 1 < c.size(); ++first)
    for (std::size_t k = c.size() - 1; k-- > first;) c[k] += mu * c[k + 1];
  return c;
}

std::size_t EigenvalueCounter::above(const mpq_class& mu) const {
  std::size_t changes = 0;
  int last = 0;
  for (const mpq_class& x : shifted(mu)) {
    if (x == 0) continue;
    if (last != 0 && sgn(x) != last) ++changes;
    last = sgn(x);
  }
  return changes;
}

std::size_t EigenvalueCounter::at_least(const mpq_class& mu) const {
  std::size_t zero = 0;
  for (const mpq_class& x : shifted(mu)) {
    if (x != 0) break;
    ++zero;
  }
  return above(mu) + zero;
}

mpq_class simplest_between(const mpq_class& low, const mpq_class& high) {
  mpz_class floor;
  mpz_fdiv_q(floor.get_mpz_t(), low.get_num_mpz_t(), low.get_den_mpz_t());
  if (mpq_class(floor + 1) < high) return floor + 1;
  if (low == floor) {  // no integer inside: floor + 1/k with the least k
    const mpq_class gap = 1 / (high - floor);
    mpz_class k;
    mpz_fdiv_q(k.get_mpz_t(), gap.get_num_mpz_t(), gap.get_den_mpz_t());
    return floor + 1 / mpq_class(k + 1);
  }
  return floor + 1 / simplest_between(1 / (high - floor), 1 / (low - floor));
}

}  // namespace attest
