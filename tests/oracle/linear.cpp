#include "tests/oracle/linear.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest::test {

Q dot(const Row& a, const Row& b) {
  Q sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::size_t rank(Rows m) {
  std::size_t r = 0;
  const std::size_t width = m.empty() ? 0 : m.front().size();
  for (std::size_t col = 0; col < width && r < m.size(); ++col) {
    std::size_t pivot = r;
    while (pivot < m.size() && m[pivot][col] == 0) ++pivot;
    if (pivot == m.size()) continue;
    std::swap(m[r], m[pivot]);
    for (std::size_t i = r + 1; i < m.size(); ++i) {
      if (m[i][col] == 0) continue;
      const Q f = m[i][col] / m[r][col];
      for (std::size_t j = col; j < width; ++j) m[i][j] -= f * m[r][j];
    }
    ++r;
  }
  return r;
}

RealRank rank(RealMatrix m) {
  const std::size_t height = m.size(), width = m.empty() ? 0 : m.front().size();
  for (auto& row : m) {
    Real largest;
    for (const Real& x : row) largest = std::max(largest, abs(x));
    if (largest.zero()) continue;
    for (Real& x : row) x /= largest;
  }
  RealRank result;
  Real product;
  for (std::size_t r = 0;; ++r) {
    long best = -(1L << 60);
    std::size_t pi = r, pj = r;
    for (std::size_t i = r; i < height; ++i) {
      for (std::size_t j = r; j < width; ++j) {
        if (m[i][j].exponent() > best) best = m[i][j].exponent(), pi = i, pj = j;
      }
    }
    if (best < -3 * Real::bits() / 4) {
      result.exact = true;
      return result;
    }
    if (best < -Real::bits() / 2) return result;
    ++result.least;
    std::swap(m[r], m[pi]);
    for (auto& row : m) std::swap(row[r], row[pj]);
    for (std::size_t i = r + 1; i < height; ++i) {
      if (m[i][r].zero()) continue;
      const Real f = m[i][r] / m[r][r];
      // Nothing looks at column r again.
      for (std::size_t j = r + 1; j < width; ++j) {
        mpfr_mul(product.raw(), f.raw(), m[r][j].raw(), MPFR_RNDN);
        m[i][j] -= product;
      }
    }
  }
}

std::optional<RealMatrix> solved(RealMatrix a, RealMatrix y) {
  const std::size_t size = a.size();
  for (std::size_t col = 0; col < size; ++col) {
    std::size_t pivot = col;
    for (std::size_t i = col; i < size; ++i) {
      if (abs(a[i][col]) > abs(a[pivot][col])) pivot = i;
    }
    if (a[pivot][col].exponent() < -Real::bits() / 4) return std::nullopt;
    std::swap(a[col], a[pivot]);
    std::swap(y[col], y[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == col) continue;
      const Real f = a[i][col] / a[col][col];
      for (std::size_t j = col; j < size; ++j) a[i][j] -= f * a[col][j];
      for (std::size_t j = 0; j < y[i].size(); ++j) y[i][j] -= f * y[col][j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (Real& x : y[i]) x /= a[i][i];
  }
  return y;
}

std::vector<Real> eigenvalues(RealMatrix m) {
  const std::size_t size = m.size();
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool diagonal = true;
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        if (m[p][q].exponent() < -2 * Real::bits()) continue;
        diagonal = false;
        const Real theta = (m[q][q] - m[p][p]) / (m[p][q] * 2);
        Real t = Real(1) / (abs(theta) + sqrt(theta * theta + 1));
        if (theta < 0) t = Real(0) - t;
        const Real c = Real(1) / sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < size; ++k) {
          const Real a = m[k][p], b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < size; ++k) {
          const Real a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    }
    if (diagonal) break;
  }
  std::vector<Real> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(m[i][i]);
  std::sort(values.begin(), values.end());
  return values;
}

__extension__ using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
}

mpz_class integer(std::uint64_t x) {
  return static_cast<unsigned long>(x);
}

std::uint64_t residue(const Q& x, std::uint64_t p) {
  const mpz_class modulus = integer(p);
  mpz_class inverse, result;
  if (mpz_invert(inverse.get_mpz_t(), x.get_den_mpz_t(), modulus.get_mpz_t()) == 0)
    throw std::domain_error("a denominator that the prime divides");
  result = x.get_num() * inverse;
  mpz_mod(result.get_mpz_t(), result.get_mpz_t(), modulus.get_mpz_t());
  return result.get_ui();
}

std::uint64_t inverse(std::uint64_t x, std::uint64_t p) {
  return residue(Q(1) / Q(integer(x)), p);
}

void eliminate(Residues& from, const Residues& row, std::uint64_t p) {
  std::size_t lead = 0;
  while (row[lead] == 0) ++lead;
  const std::uint64_t f = from[lead] == 0 ? 0 : p - from[lead];
  for (std::size_t j = lead; f != 0 && j < row.size(); ++j) from[j] = (from[j] + times(f, row[j], p)) % p;
}

bool normalise(Residues& row, std::uint64_t p) {
  std::size_t lead = 0;
  while (lead < row.size() && row[lead] == 0) ++lead;
  if (lead == row.size()) return false;
  const std::uint64_t f = inverse(row[lead], p);
  for (std::uint64_t& x : row) x = times(x, f, p);
  return true;
}

std::size_t rank(const std::vector<Residues>& m, std::uint64_t p) {
  std::vector<Residues> basis;
  for (Residues row : m) {
    for (const Residues& each : basis) eliminate(row, each, p);
    if (normalise(row, p)) basis.push_back(std::move(row));
  }
  return basis.size();
}

}  // namespace attest::test
