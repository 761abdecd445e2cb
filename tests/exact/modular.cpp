#include "search/arithmetic/modular.hpp"

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "tests/exact/residues.hpp"

using namespace attest;
using test::balanced;
using test::Random;

namespace {

const std::uint64_t kSmallPrimes[] = {3,   5,       7,       23,
                                      101, 8388593, 16777213};  // 16777213 is the largest below 2^24
const std::uint64_t kLargePrimes[] = {4294967291u, 1152921504606846883u, 2305843009213693951u};

// A matrix of rank exactly r: rows and columns of [I; *] [I *] permuted, which keeps the rank.
ModularMatrix of_rank(Random& random, std::size_t m, std::size_t n, std::size_t r, std::uint64_t p) {
  const auto rows = random.permutation(m), cols = random.permutation(n);
  ModularMatrix left(m, r), right(r, n), a(m, n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < r; ++k) left(i, k) = i < r ? std::uint64_t{i == k} : random.below(p);
  for (std::size_t k = 0; k < r; ++k)
    for (std::size_t j = 0; j < n; ++j) right(k, j) = j < r ? std::uint64_t{j == k} : random.below(p);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < r; ++k)
        a(rows[i], cols[j]) = (a(rows[i], cols[j]) + multiply_mod(left(i, k), right(k, j), p)) % p;
  return a;
}

ModularMatrix minor_of(const ModularMatrix& a, const MinorIndices& indices) {
  ModularMatrix m(indices.rows.size(), indices.cols.size());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) m(i, j) = a(indices.rows[i], indices.cols[j]);
  return m;
}

bool increasing(const std::vector<std::size_t>& v) {
  for (std::size_t i = 1; i < v.size(); ++i)
    if (v[i - 1] >= v[i]) return false;
  return true;
}

}  // namespace

TEST_CASE("multiply, power and inverse agree with GMP") {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint64_t m = 2 + random.below((std::uint64_t{1} << 62) - 2), a = random.below(m),
                        b = random.below(m);
    CAPTURE(m);
    CAPTURE(a);
    CAPTURE(b);
    const mpz_class product = mpz_class(static_cast<unsigned long>(a)) * static_cast<unsigned long>(b);
    CHECK(multiply_mod(a, b, m) == mpz_fdiv_ui(product.get_mpz_t(), m));
    CHECK(power_mod(a, b, m) == test::textbook_power(a, b, m));
  }
  CHECK(power_mod(0, 0, 7) == 1);
  CHECK(power_mod(5, 0, 1) == 0);
  CHECK(power_mod(12, 3, 7) == 125 % 7);
  for (std::uint64_t p : kSmallPrimes)
    for (std::uint64_t a = 1; a < std::min<std::uint64_t>(p, 300); ++a)
      CHECK(multiply_mod(a, inverse_mod(a, p), p) == 1);
  for (std::uint64_t p : kLargePrimes)
    for (int trial = 0; trial < 100; ++trial) {
      const std::uint64_t a = 1 + random.below(p - 1);
      CHECK(multiply_mod(a, inverse_mod(a, p), p) == 1);
      CHECK(inverse_mod(a + p, p) == inverse_mod(a, p));
    }
}

TEST_CASE("is_prime agrees with trial division, and is not fooled by pseudoprimes") {
  for (std::uint64_t n = 0; n < 5000; ++n) {
    bool prime = n >= 2;
    for (std::uint64_t d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
    CAPTURE(n);
    CHECK(is_prime(n) == prime);
  }
  for (std::uint64_t n :
       {561ull, 41041ull, 3215031751ull, 3474749660383ull, 341550071728321ull, 3825123056546413051ull})
    CHECK_FALSE(is_prime(n));
  CHECK(is_prime(2305843009213693951u));
  CHECK_FALSE(is_prime(2305843009213693951u - 2));
}

TEST_CASE("large_prime counts all primes below 2^61 downwards") {
  std::uint64_t previous = std::uint64_t{1} << 61;
  for (std::size_t k = 0; k < 6; ++k) {
    const std::uint64_t p = large_prime(k);
    CHECK(p < previous);
    for (std::uint64_t n = previous - 1; n > p; --n)
      CHECK(mpz_probab_prime_p(mpz_class(static_cast<unsigned long>(n)).get_mpz_t(), 30) == 0);
    CHECK(mpz_probab_prime_p(mpz_class(static_cast<unsigned long>(p)).get_mpz_t(), 30) != 0);
    previous = p;
  }
  CHECK(small_prime(0) == 8388593);  // 2^23 - 15
  CHECK(small_prime(1) == 8388587);
  CHECK(is_prime(small_prime(100)));
}

TEST_CASE("residues of rationals") {
  CHECK(residue(mpq_class(1, 2), 7) == 4u);
  CHECK(residue(mpq_class(-1, 2), 7) == 3u);
  CHECK(residue(mpq_class(-14), 7) == 0u);
  CHECK(residue(mpq_class(7, 3), 7) == 0u);
  CHECK_FALSE(residue(mpq_class(3, 7), 7).has_value());
  CHECK_FALSE(residue(mpq_class(-1, 49), 7).has_value());
  Random random(2);
  for (std::uint64_t p : kLargePrimes)
    for (int trial = 0; trial < 200; ++trial) {
      mpq_class x(mpz_class(random.integer(1000000)) * random.integer(1000000),
                  mpz_class(static_cast<unsigned long>(random.between(1, 999983))));
      x.canonicalize();
      const auto r = residue(x, p);
      REQUIRE(r.has_value());
      CHECK(*r < p);
      // r den = num mod p
      const mpz_class difference = static_cast<unsigned long>(*r) * x.get_den() - x.get_num();
      CHECK(mpz_fdiv_ui(difference.get_mpz_t(), p) == 0);
    }
}

TEST_CASE("residues of binary64 arrays are those of the exact values") {
  std::vector<double> values = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.1,
                                -0.1,
                                5e-324,
                                -5e-324,
                                DBL_MIN,
                                -DBL_MIN,
                                DBL_MAX,
                                -DBL_MAX,
                                0x1p-1074 * 3,
                                DBL_MIN - 0x1p-1074,
                                -(DBL_MIN - 0x1p-1074),
                                0x1p1023,
                                0x1.fffffffffffffp-1,
                                -0x1p52,
                                0x1p53,
                                9007199254740993.0,
                                1e300,
                                -1e-300,
                                8388593.0,
                                -8388593.0 * 1024};
  Random random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::uint64_t bits = random.below(std::numeric_limits<std::uint64_t>::max());
    double x;
    static_assert(sizeof x == sizeof bits);
    std::memcpy(&x, &bits, sizeof x);
    if (x - x == 0) values.push_back(x);
  }
  const ExactArray array({values.size()}, values);
  for (const auto& primes : {std::vector<std::uint64_t>(std::begin(kSmallPrimes), std::end(kSmallPrimes)),
                             std::vector<std::uint64_t>(std::begin(kLargePrimes), std::end(kLargePrimes))})
    for (std::uint64_t p : primes) {
      const auto r = residues(array, p);
      REQUIRE(r.has_value());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < values.size(); ++i)
        if ((*r)[i] != *residue(mpq_class(values[i]), p)) ++wrong;
      CAPTURE(p);
      CHECK(wrong == 0);
    }
}

TEST_CASE("residues of binary32 arrays are those of the same numbers as binary64") {
  const std::vector<float> floats = {0, -0.0F, 0.1F, -1.5F, 0x1p-149F, std::numeric_limits<float>::max(), -7};
  const std::vector<double> doubles(floats.begin(), floats.end());
  for (const std::uint64_t p : kLargePrimes)
    CHECK(residues(ExactArray({floats.size()}, floats), p) ==
          residues(ExactArray({doubles.size()}, doubles), p));
}

TEST_CASE("residues of integer and rational arrays") {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                     most = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> integers = {0, 1, -1, 7, -7, least, most, least + 1};
  const ExactArray array({8}, integers);
  for (std::uint64_t p : {std::uint64_t{7}, std::uint64_t{8388593}, std::uint64_t{2305843009213693951}}) {
    const auto r = residues(array, p);
    REQUIRE(r.has_value());
    for (std::size_t i = 0; i < integers.size(); ++i)
      CHECK((*r)[i] == *residue(mpq_class(mpz_class(std::to_string(integers[i]))), p));
  }
  const ExactArray rationals({2}, std::vector<mpq_class>{mpq_class(1, 3), mpq_class(5, 14)});
  CHECK_FALSE(residues(rationals, 7).has_value());
  REQUIRE(residues(rationals, 11).has_value());
  CHECK(*residues(rationals, 11) == std::vector<std::uint64_t>{4, 9});  // 3 * 4 = 1, 14 * 9 = 126 = 5 mod 11
}

TEST_CASE("rank profiles: planted rank, lexicographically first, non-singular minor") {
  FOR_SEEDS(60, 0) {
    const std::uint64_t p = seed % 2 == 0 ? kLargePrimes[seed % 3] : kSmallPrimes[seed % 7];
    const std::size_t m = random.between(1, 9), n = random.between(1, 9),
                      r = random.between(0, std::min(m, n));
    const ModularMatrix a = of_rank(random, m, n, r, p);
    const MinorIndices minor = rank_profiles(a, p);
    CHECK(minor.rank() == r);
    REQUIRE(minor.cols.size() == r);
    CHECK(test::textbook_rank_mod(minor_of(a, minor), p) == r);
    // A row is in the profile exactly when it adds to the rank of the rows above it; columns likewise.
    std::vector<std::size_t> rows, cols;
    std::size_t before = 0;
    for (std::size_t i = 0; i < m; ++i) {
      ModularMatrix top(i + 1, n);
      std::copy_n(a.data(), (i + 1) * n, top.data());
      const std::size_t now = test::textbook_rank_mod(top, p);
      if (now > before) rows.push_back(i);
      before = now;
    }
    before = 0;
    for (std::size_t j = 0; j < n; ++j) {
      ModularMatrix left(m, j + 1);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k <= j; ++k) left(i, k) = a(i, k);
      const std::size_t now = test::textbook_rank_mod(left, p);
      if (now > before) cols.push_back(j);
      before = now;
    }
    CHECK(minor.rows == rows);
    CHECK(minor.cols == cols);
  }
}

TEST_CASE("left kernels: dimension, identity, independence") {
  FOR_SEEDS(40, 1000) {
    const std::uint64_t p = kLargePrimes[seed % 3];
    const std::size_t m = random.between(1, 8), n = random.between(1, 8),
                      r = random.between(0, std::min(m, n));
    const ModularMatrix a = of_rank(random, m, n, r, p), kernel = left_kernel(a, p);
    REQUIRE(kernel.rows() == m - r);
    CHECK(test::textbook_rank_mod(kernel, p) == m - r);
    for (std::size_t k = 0; k < kernel.rows(); ++k)
      for (std::size_t j = 0; j < n; ++j) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < m; ++i) sum = (sum + multiply_mod(kernel(k, i), a(i, j), p)) % p;
        CHECK(sum == 0);
      }
  }
}

TEST_CASE("IndependentVectors accepts exactly what raises the rank") {
  FOR_SEEDS(40, 2000) {
    const std::uint64_t p = seed % 2 == 0 ? kLargePrimes[seed % 3] : 5;
    const std::size_t m = random.between(1, 10), n = random.between(1, 6),
                      r = random.between(0, std::min(m, n));
    const ModularMatrix a = of_rank(random, m, n, r, p);
    IndependentVectors chosen(p);
    std::size_t before = 0;
    for (std::size_t i = 0; i < m; ++i) {
      ModularMatrix top(i + 1, n);
      std::copy_n(a.data(), (i + 1) * n, top.data());
      const std::size_t now = test::textbook_rank_mod(top, p);
      CHECK(chosen.add({a.row(i), a.row(i) + n}) == (now > before));
      before = now;
    }
  }
}

TEST_CASE("balanced residues come back") {
  for (std::uint64_t p : {3u, 5u, 101u, 8388593u})
    for (std::uint64_t r = 0; r<p; r += p> 1000 ? 4093 : 1) {
      const double b = blas::balanced(r, p);
      CHECK(2 * std::abs(b) < static_cast<double>(p));
      CHECK(blas::unbalanced(b, p) == r);
    }
}

TEST_CASE("blas: products with leading dimensions and transposition") {
  FOR_SEEDS(40, 3000) {
    const std::uint64_t p = kSmallPrimes[seed % 7];
    const std::size_t m = random.between(1, 20), n = random.between(1, 20), k = random.between(1, 40);
    const std::size_t lda = k + random.below(3), ldc = n + random.below(3);
    const bool transposed = random.one_in(2);
    const std::size_t ldb = (transposed ? k : n) + random.below(3);
    std::vector<double> a(m * lda), b((transposed ? n : k) * ldb), c(m * ldc, 0.25);
    for (double& x : a) x = blas::balanced(random.below(p), p);
    for (double& x : b) x = blas::balanced(random.below(p), p);
    blas::multiply(p, m, n, k, a.data(), lda, b.data(), ldb, transposed, c.data(), ldc);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        std::uint64_t sum = 0;
        for (std::size_t l = 0; l < k; ++l)
          sum = (sum + multiply_mod(blas::unbalanced(a[i * lda + l], p),
                                    blas::unbalanced(transposed ? b[j * ldb + l] : b[l * ldb + j], p), p)) %
                p;
        if (2 * std::abs(c[i * ldc + j]) >= static_cast<double>(p) ||
            blas::unbalanced(c[i * ldc + j], p) != sum)
          ++wrong;
      }
      for (std::size_t j = n; j < ldc; ++j)
        if (c[i * ldc + j] != 0.25) ++wrong;  // nothing is written outside
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("blas: minors of planted rank") {
  FOR_SEEDS(80, 4000) {
    const std::uint64_t p = kSmallPrimes[seed % 7];
    const std::size_t m = random.between(1, seed % 8 == 0 ? 60 : 12),
                      n = random.between(1, seed % 8 == 0 ? 60 : 12), r = random.between(0, std::min(m, n));
    const ModularMatrix a = of_rank(random, m, n, r, p);
    std::vector<double> work = balanced(a, p);
    const MinorIndices minor = blas::nonsingular_minor(p, m, n, work.data());
    CHECK(minor.rank() == r);
    REQUIRE(minor.cols.size() == r);
    CHECK(increasing(minor.rows));
    CHECK(increasing(minor.cols));
    CHECK(test::textbook_rank_mod(minor_of(a, minor), p) == r);
  }
}

TEST_CASE("blas: linear systems, and the refusal of singular ones") {
  FOR_SEEDS(40, 5000) {
    const std::uint64_t p = kSmallPrimes[seed % 7];
    const std::size_t r = random.between(1, 30), k = random.between(1, 7);
    const ModularMatrix a = of_rank(random, r, r, r, p);
    std::vector<double> b(r * k), matrix = balanced(a, p);
    for (double& x : b) x = blas::balanced(random.below(p), p);
    std::vector<double> x = b;
    blas::solve(p, r, k, matrix.data(), x.data());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        std::uint64_t sum = 0;
        for (std::size_t l = 0; l < r; ++l)
          sum = (sum + multiply_mod(a(i, l), blas::unbalanced(x[l * k + j], p), p)) % p;
        if (sum != blas::unbalanced(b[i * k + j], p)) ++wrong;
      }
    CHECK(wrong == 0);
    std::vector<double> singular = balanced(of_rank(random, r, r, r - 1, p), p);
    CHECK_THROWS_AS(blas::solve(p, r, k, singular.data(), b.data()), std::logic_error);
  }
}

TEST_CASE("leading minors") {
  FOR_SEEDS(120, 900) {
    const std::uint64_t p = seed % 2 == 0 ? 101 : 8388593;
    const std::size_t n = seed < 100 ? random.between(0, 70) : random.between(71, 300);
    ModularMatrix a(n, n);
    for (std::size_t k = 0; k < n * n; ++k) a.data()[k] = random.below(p);
    // Column `at` depends on earlier ones in the rows up to it, or a row depends on earlier ones.
    const std::size_t at = n < 2 ? n : random.between(1, n - 1);
    if (seed % 3 == 1)
      for (std::size_t i = 0; i < n; ++i)
        if (i <= at || seed % 4 < 2) a(i, at) = a(i, at / 2);
    if (seed % 3 == 2 && n > 1) std::copy_n(a.row(at / 2), n, a.row(at));
    bool regular = true;
    for (std::size_t k = 1; k <= n && regular; ++k) {
      if (n > 70 && k != at + 1 && k != n) continue;
      ModularMatrix leading(k, k);
      for (std::size_t i = 0; i < k; ++i) std::copy_n(a.row(i), k, leading.row(i));
      regular = rank_profiles(leading, p).rank() == k;
    }
    if (p > 101 && n > 1) CHECK(regular == (seed % 3 == 0));
    if (n > 70 && p == 101) continue;
    std::vector<double> work = balanced(a, p);
    CHECK(blas::leading_minors_regular(p, n, work.data()) == regular);
    work = balanced(a, p);
    CHECK(blas::rows_independent(p, n, n, work.data()) == (rank_profiles(a, p).rank() == n));
  }
}

TEST_CASE("blas: moduli that the field cannot hold are refused") {
  double a[1] = {1}, b[1] = {1};
  for (std::uint64_t p : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 24,
                          std::uint64_t{1} << 40}) {
    CHECK_THROWS_AS(blas::nonsingular_minor(p, 1, 1, a), std::logic_error);
    CHECK_THROWS_AS(blas::solve(p, 1, 1, a, b), std::logic_error);
    CHECK_THROWS_AS(blas::multiply(p, 1, 1, 1, a, 1, b, 1, false, b, 1), std::logic_error);
  }
  CHECK_NOTHROW(blas::nonsingular_minor(16777213, 1, 1, a));
}
