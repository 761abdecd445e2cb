// What the tests of the proving side share: reproducible random numbers, and textbook linear algebra that
// owes nothing to the code under test.
#pragma once

#include <doctest/doctest.h>
#include <gmpxx.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "problem/generate.hpp"
#include "search/arithmetic/matrix.hpp"
#include "search/arithmetic/rational.hpp"

/// A seed that a failing check prints.
#define PRINTED_SEED(seed) INFO("seed ", seed)
/// A loop over as many seeds, each with its numbers `random`.
#define FOR_SEEDS(count, first)                        \
  for (std::uint64_t seed = 0; seed < (count); ++seed) \
    if (Random random((first) + seed); true)           \
      if (PRINTED_SEED(seed); true)

namespace attest::test {

class Random {
public:
  explicit Random(std::uint64_t seed) : source_(seed, 200) {}
  std::uint64_t below(std::uint64_t bound) { return source_.below(bound); }
  /// Uniform in [least, most].
  std::size_t between(std::size_t least, std::size_t most) { return least + below(most - least + 1); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  /// Uniform in [-bound, bound].
  long integer(long bound) {
    return static_cast<long>(below(2 * static_cast<std::uint64_t>(bound) + 1)) - bound;
  }
  mpq_class rational(long bound, long denominator) {
    mpq_class x(integer(bound),
                static_cast<unsigned long>(between(1, static_cast<std::size_t>(denominator))));
    x.canonicalize();
    return x;
  }
  RationalMatrix matrix(std::size_t rows, std::size_t cols, long bound, long denominator = 1) {
    RationalMatrix m(rows, cols);
    for (std::size_t i = 0; i < rows * cols; ++i) m.data()[i] = rational(bound, denominator);
    return m;
  }
  template <class T>
  void shuffle(std::vector<T>& v) {
    for (std::size_t i = v.size(); i > 1; --i) std::swap(v[i - 1], v[below(i)]);
  }
  std::vector<std::size_t> permutation(std::size_t n) {
    std::vector<std::size_t> p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = i;
    shuffle(p);
    return p;
  }

private:
  SplitMix64 source_;
};

inline RationalMatrix product(const RationalMatrix& a, const RationalMatrix& b) {
  RationalMatrix c(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.cols(); ++j)
      for (std::size_t k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

inline RationalMatrix rows_of(const RationalMatrix& a, const std::vector<std::size_t>& rows) {
  RationalMatrix m(rows.size(), a.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) m(i, j) = a(rows[i], j);
  return m;
}

/// Rank over Q by Gaussian elimination with fractions.
inline std::size_t textbook_rank(RationalMatrix a) {
  std::size_t rank = 0;
  for (std::size_t j = 0; j < a.cols() && rank < a.rows(); ++j) {
    std::size_t pivot = rank;
    while (pivot < a.rows() && a(pivot, j) == 0) ++pivot;
    if (pivot == a.rows()) continue;
    for (std::size_t k = 0; k < a.cols(); ++k) std::swap(a(pivot, k), a(rank, k));
    for (std::size_t i = rank + 1; i < a.rows(); ++i) {
      if (a(i, j) == 0) continue;
      const mpq_class factor = a(i, j) / a(rank, j);
      for (std::size_t k = j; k < a.cols(); ++k) a(i, k) -= factor * a(rank, k);
    }
    ++rank;
  }
  return rank;
}

/// The Kruskal rank of the rows, by all subsets over Q.
inline std::size_t textbook_kruskal_rank(const RationalMatrix& vectors) {
  const std::size_t count = vectors.rows();
  REQUIRE(count < 20);
  std::size_t rank = std::min(count, vectors.cols());
  for (std::uint32_t set = 1; set < std::uint32_t{1} << count; ++set) {
    std::vector<std::size_t> rows;
    for (std::size_t t = 0; t < count; ++t)
      if ((set >> t & 1) != 0) rows.push_back(t);
    if (rows.size() <= rank && textbook_rank(rows_of(vectors, rows)) < rows.size()) rank = rows.size() - 1;
  }
  return rank;
}

inline mpq_class power_of_two(long exponent) {
  mpq_class x = 1;
  if (exponent >= 0)
    mpq_mul_2exp(x.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(x.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return x;
}

/// base^exponent mod p, by repeated squaring with GMP.
inline std::uint64_t textbook_power(std::uint64_t base, std::uint64_t exponent, std::uint64_t p) {
  mpz_class r, b(static_cast<unsigned long>(base)), e(static_cast<unsigned long>(exponent)),
      m(static_cast<unsigned long>(p));
  mpz_powm(r.get_mpz_t(), b.get_mpz_t(), e.get_mpz_t(), m.get_mpz_t());
  return r.get_ui();
}

/// Rank over F_p by Gaussian elimination; inverses by Fermat's little theorem.
inline std::size_t textbook_rank_mod(Matrix<std::uint64_t> a, std::uint64_t p) {
  __extension__ using Wide = unsigned __int128;
  std::size_t rank = 0;
  for (std::size_t j = 0; j < a.cols() && rank < a.rows(); ++j) {
    std::size_t pivot = rank;
    while (pivot < a.rows() && a(pivot, j) == 0) ++pivot;
    if (pivot == a.rows()) continue;
    for (std::size_t k = 0; k < a.cols(); ++k) std::swap(a(pivot, k), a(rank, k));
    const std::uint64_t inverse = textbook_power(a(rank, j), p - 2, p);
    for (std::size_t i = rank + 1; i < a.rows(); ++i) {
      if (a(i, j) == 0) continue;
      const auto factor = static_cast<std::uint64_t>(Wide(a(i, j)) * inverse % p);
      for (std::size_t k = j; k < a.cols(); ++k)
        a(i, k) = static_cast<std::uint64_t>((Wide(a(i, k)) + Wide(p - factor) * a(rank, k)) % p);
    }
    ++rank;
  }
  return rank;
}

}  // namespace attest::test
