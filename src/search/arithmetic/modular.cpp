#include "search/arithmetic/modular.hpp"

#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "base/meter.hpp"
#include "search/arithmetic/owned.hpp"

namespace attest {

std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % m);
}

std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t m) {
  std::uint64_t result = 1 % m;
  for (a %= m; e != 0; e >>= 1) {
    if (e & 1) result = multiply_mod(result, a, m);
    a = multiply_mod(a, a, m);
  }
  return result;
}

std::uint64_t inverse_mod(std::uint64_t a, std::uint64_t m) {
  return n_invmod(a % m, m);
}

std::optional<mpq_class> reconstructed(const mpz_class& residue, const mpz_class& modulus) {
  OwnedInteger a, m;
  OwnedRational q;
  fmpz_set_mpz(a, residue.get_mpz_t());
  fmpz_set_mpz(m, modulus.get_mpz_t());
  if (fmpq_reconstruct_fmpz(q, a, m) == 0) return std::nullopt;
  mpq_class result;
  fmpq_get_mpq(result.get_mpq_t(), q);
  return result;
}

bool is_prime(std::uint64_t n) {
  return n_is_prime(n) != 0;
}

namespace {

// The k-th prime below an odd bound.
std::uint64_t prime_below(std::uint64_t p, std::size_t k) {
  do {
    do p -= 2;
    while (!is_prime(p));
  } while (k-- != 0);
  return p;
}

}  // namespace

std::uint64_t large_prime(std::size_t k) {
  return prime_below((std::uint64_t{1} << 61) + 1, k);
}

std::uint64_t small_prime(std::size_t k) {
  return prime_below((std::uint64_t{1} << 23) + 1, k);
}

std::optional<std::uint64_t> residue(const mpq_class& value, std::uint64_t m) {
  const std::uint64_t den = mpz_fdiv_ui(value.get_den_mpz_t(), m);
  if (den == 0) return std::nullopt;
  const std::uint64_t num = mpz_fdiv_ui(value.get_num_mpz_t(), m);
  return den == 1 ? num : multiply_mod(num, inverse_mod(den, m), m);
}

namespace {

// Powers of two, by exponent, that turn the mantissas of binary floats into residues.
class BinaryPowers {
public:
  explicit BinaryPowers(std::uint64_t m) : table_(kLargest - kSmallest + 1) {
    nmod_init(&m_, m);
    const std::uint64_t half = (m + 1) / 2;
    table_[-kSmallest] = 1;
    for (int e = 1; e <= kLargest; ++e) table_[e - kSmallest] = multiply_mod(table_[e - 1 - kSmallest], 2, m);
    for (int e = -1; e >= kSmallest; --e)
      table_[e - kSmallest] = multiply_mod(table_[e + 1 - kSmallest], half, m);
  }
  std::uint64_t residue_of(double x) const {
    int exponent = 0;
    const auto integer = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    std::uint64_t mantissa;
    // Not NMOD_RED, which shifts an int by up to 63.
    NMOD_RED2(mantissa, UWORD(0), static_cast<std::uint64_t>(std::abs(integer)), m_);
    const std::uint64_t r = nmod_mul(mantissa, table_[exponent - 53 - kSmallest], m_);
    return integer < 0 ? nmod_neg(r, m_) : r;
  }

private:
  static constexpr int kSmallest = -1074 - 53, kLargest = 1024;
  nmod_t m_;
  std::vector<std::uint64_t> table_;
};

void load(nmod_mat_t m, const ModularMatrix& a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) nmod_mat_entry(m, i, j) = a(i, j);
}

// Column rank profile of a matrix in place.
std::vector<std::size_t> pivot_columns(nmod_mat_t m) {
  const slong rank = nmod_mat_rref(m);
  std::vector<std::size_t> pivots;
  slong j = 0;
  for (slong i = 0; i < rank; ++i, ++j) {
    while (nmod_mat_entry(m, i, j) == 0) ++j;
    pivots.push_back(j);
  }
  return pivots;
}

}  // namespace

std::optional<std::vector<std::uint64_t>> residues(const ExactArray& array, std::uint64_t m) {
  meter().work(4 * array.size());
  std::vector<std::uint64_t> result(array.size());
  const bool defined = std::visit(
      [&](const auto& entries) {
        using Entry = typename std::decay_t<decltype(entries)>::value_type;
        if constexpr (std::is_floating_point_v<Entry>) {
          const BinaryPowers powers(m);
          for (std::size_t i = 0; i < result.size(); ++i) result[i] = powers.residue_of(entries[i]);
        } else if constexpr (std::is_same_v<Entry, std::int64_t>) {
          for (std::size_t i = 0; i < result.size(); ++i) {
            const std::int64_t v = entries[i];
            const std::uint64_t magnitude =
                v < 0 ? -static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
            const std::uint64_t r = magnitude % m;
            result[i] = v < 0 && r != 0 ? m - r : r;
          }
        } else {
          for (std::size_t i = 0; i < result.size(); ++i) {
            const auto r = residue(entries[i], m);
            if (!r) return false;
            result[i] = *r;
          }
        }
        return true;
      },
      array.storage());
  if (!defined) return std::nullopt;
  return result;
}

ModularMatrix residues(const Matrix<mpz_class>& a, std::uint64_t m) {
  ModularMatrix result(a.rows(), a.cols());
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k)
    result.data()[k] = mpz_fdiv_ui(a.data()[k].get_mpz_t(), m);
  return result;
}

std::optional<ModularMatrix> residues(const Matrix<mpq_class>& a, std::uint64_t m) {
  ModularMatrix result(a.rows(), a.cols());
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) {
    const auto r = residue(a.data()[k], m);
    if (!r) return std::nullopt;
    result.data()[k] = *r;
  }
  return result;
}

namespace {

// Charges for an elimination.
void spend(const ModularMatrix& a) {
  meter().work(static_cast<std::uint64_t>(a.rows()) * a.cols() * (std::min(a.rows(), a.cols()) + 1));
}

}  // namespace

MinorIndices rank_profiles(const ModularMatrix& a, std::uint64_t p) {
  spend(a);
  nmod_mat_t m, t;
  nmod_mat_init(m, a.rows(), a.cols(), p);
  nmod_mat_init(t, a.cols(), a.rows(), p);
  load(m, a);
  nmod_mat_transpose(t, m);
  MinorIndices minor;
  minor.cols = pivot_columns(m);
  minor.rows = pivot_columns(t);
  nmod_mat_clear(m);
  nmod_mat_clear(t);
  return minor;
}

bool IndependentVectors::add(std::vector<std::uint64_t> v) {
  meter().work(4 * (rows_.size() + 1) * v.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::uint64_t factor = v[pivots_[k]];
    if (factor == 0) continue;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const std::uint64_t product = multiply_mod(factor, rows_[k][j], p_);
      v[j] = v[j] >= product ? v[j] - product : v[j] + (p_ - product);
    }
  }
  std::size_t pivot = 0;
  while (pivot < v.size() && v[pivot] == 0) ++pivot;
  if (pivot == v.size()) return false;
  const std::uint64_t inverse = inverse_mod(v[pivot], p_);
  for (std::uint64_t& x : v) x = multiply_mod(x, inverse, p_);
  rows_.push_back(std::move(v));
  pivots_.push_back(pivot);
  return true;
}

ModularMatrix left_kernel(const ModularMatrix& a, std::uint64_t p) {
  spend(a);
  nmod_mat_t m, t, x;
  nmod_mat_init(m, a.rows(), a.cols(), p);
  nmod_mat_init(t, a.cols(), a.rows(), p);
  nmod_mat_init(x, a.rows(), a.rows(), p);
  load(m, a);
  nmod_mat_transpose(t, m);
  const slong nullity = nmod_mat_nullspace(x, t);  // columns
  ModularMatrix basis(nullity, a.rows());
  for (slong k = 0; k < nullity; ++k)
    for (std::size_t i = 0; i < a.rows(); ++i) basis(k, i) = nmod_mat_entry(x, i, k);
  nmod_mat_clear(m);
  nmod_mat_clear(t);
  nmod_mat_clear(x);
  return basis;
}

}  // namespace attest
