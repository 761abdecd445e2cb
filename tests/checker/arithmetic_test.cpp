// Residues, elimination in words and in doubles, sums of powers, eigenvalues, Kruskal ranks: against the
// textbook.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "kernel/arithmetic/exact.hpp"
#include "kernel/arithmetic/kruskal.hpp"
#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/layers/layer.hpp"
#include "kernel/problem.hpp"
#include "theory/failure.hpp"

using namespace attest;
using namespace attest::kernel;

namespace {

const Word kPrimes[] = {
    3, 5, 11, 65537, 1000003, 8388593, 2147483647, 2305843009213693951, 4611686018427387847};

/// Textbook elimination.
std::size_t textbook_rank(WordMatrix m, Word p) {
  std::size_t rank = 0;
  for (std::size_t col = 0; col < m.cols && rank < m.rows; ++col) {
    std::size_t i = rank;
    while (i < m.rows && m[i][col] == 0) ++i;
    if (i == m.rows) continue;
    for (std::size_t j = 0; j < m.cols; ++j) std::swap(m[i][j], m[rank][j]);
    for (i = rank + 1; i < m.rows; ++i) {
      const Word f = multiply(m[i][col], inverse(m[rank][col], p), p);
      for (std::size_t j = 0; j < m.cols; ++j) m[i][j] = (m[i][j] + p - multiply(f, m[rank][j], p)) % p;
    }
    ++rank;
  }
  return rank;
}

WordMatrix random_matrix(std::mt19937_64& random, std::size_t rows, std::size_t cols, Word p,
                         unsigned zeros) {
  WordMatrix m(rows, cols);
  for (Word& entry : m.data) entry = random() % 4 < zeros ? 0 : random() % 3 == 0 ? p - 1 : random() % p;
  return m;
}

/// Makes the last row a combination of the others.
void make_dependent(WordMatrix& m, std::mt19937_64& random, Word p) {
  std::fill(m[m.rows - 1], m[m.rows - 1] + m.cols, 0);
  for (std::size_t i = 0; i + 1 < m.rows; ++i)
    subtract_multiple(m[m.rows - 1], m[i], m.cols, random() % p, p);
}

WordMatrix matrix_of(const std::vector<std::vector<Word>>& rows) {
  WordMatrix m(rows.size(), rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), m[i]);
  return m;
}

Matrix in_doubles(const WordMatrix& words) {
  Matrix m(words.rows, words.cols);
  std::copy(words.data.begin(), words.data.end(), m.data.begin());
  return m;
}

/// The matrix minus mu has so many positive eigenvalues, and so often 0.
void check_count(const RationalMatrix& matrix, const Rational& mu, std::size_t above, std::size_t equal) {
  RationalMatrix shifted = matrix, negative = matrix;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      shifted[i][j] -= i == j ? mu : Rational(0);
      negative[i][j] = -shifted[i][j];
    }
  }
  const std::size_t below = matrix.size() - above - equal;
  CHECK(semidefinite_rank(shifted) == (below == 0 ? std::optional(above) : std::nullopt));
  CHECK(semidefinite_rank(negative) == (above == 0 ? std::optional(below) : std::nullopt));
}

}  // namespace

TEST_CASE("primes below 20000, and numbers that fool weak tests") {
  for (Word n = 0; n < 20000; ++n) {
    bool prime = n >= 2;
    for (Word f = 2; f * f <= n; ++f) prime = prime && n % f != 0;
    CHECK(is_prime(n) == prime);
  }
  for (Word n : {Word{561}, Word{3215031751}, Word{341550071728321}, Word{3825123056546413051}})
    CHECK_FALSE(is_prime(n));
  for (Word n : {Word{2147483647}, Word{2305843009213693951}, Word{18446744073709551557ULL}})
    CHECK(is_prime(n));
}

TEST_CASE("ranks in words and in doubles, and products, agree with the textbook") {
  std::mt19937_64 random(2);
  for (Word p : kPrimes) {
    for (int i = 0; i < 80; ++i) {
      const std::size_t rows = 1 + random() % 9, cols = 1 + random() % 15;
      WordMatrix m = random_matrix(random, rows, cols, p, static_cast<unsigned>(i % 4));
      if (i % 3 == 0) make_dependent(m, random, p);
      const std::size_t rank = textbook_rank(m, p);
      WordMatrix echelon = m;
      CHECK(reduced_echelon(echelon, p).size() == rank);
      CHECK(echelon.rows == rank);
      if (p >= kBlockedLimit) continue;

      CHECK(rows_independent(in_doubles(m), p) == (rank == rows));
      const std::size_t wide = 1 + random() % 20;
      const WordMatrix b = random_matrix(random, cols, wide, p, 1);
      WordMatrix transposed(wide, cols), expected(rows, wide);
      for (std::size_t k = 0; k < cols; ++k) {
        for (std::size_t j = 0; j < wide; ++j) transposed[j][k] = b[k][j];
      }
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t j = 0; j < wide; ++j) {
          for (std::size_t k = 0; k < cols; ++k)
            expected[r][j] = (expected[r][j] + multiply(m[r][k], b[k][j], p)) % p;
        }
      }
      CHECK(product(in_doubles(m), in_doubles(b), p).data == in_doubles(expected).data);
      CHECK(product(in_doubles(m), in_doubles(transposed), p, true).data == in_doubles(expected).data);
    }
  }
  CHECK(rows_independent(Matrix(0, 0), 7));
  CHECK(rows_independent(Matrix(0, 3), 7));
  CHECK_FALSE(rows_independent(Matrix(1, 0), 7));
  CHECK_FALSE(rows_independent(Matrix(1, 2), 7));
  CHECK(product(Matrix(2, 0), Matrix(0, 3), 7).data == std::vector<double>(6, 0));
}

TEST_CASE("elimination by halves: sizes around the depth of a product, the largest entries, late pivots") {
  std::mt19937_64 random(3);
  for (Word p : {Word{8388593}, Word{3}, Word{1000003}}) {
    for (std::size_t size : {127, 128, 129, 255, 257, 300}) {
      WordMatrix m = random_matrix(random, size, size + size % 5, p, 1);
      // The first columns are 0 in many rows, so that pivots come from far to the right.
      for (std::size_t i = 0; i + 1 < size; ++i)
        std::fill(m[i], m[i] + std::min<std::size_t>(40, size - 1 - i), 0);
      WordMatrix echelon = m;
      CHECK(rows_independent(in_doubles(m), p) == (reduced_echelon(echelon, p).size() == size));
      make_dependent(m, random, p);
      CHECK_FALSE(rows_independent(in_doubles(m), p));
      const Matrix a = in_doubles(random_matrix(random, 130, size, p, 0)),
                   b = in_doubles(random_matrix(random, 150, size, p, 0));
      const Matrix c = product(a, b, p, true);
      for (int k = 0; k < 200; ++k) {
        const std::size_t i = random() % 130, j = random() % 150;
        Word sum = 0;
        for (std::size_t l = 0; l < size; ++l)
          sum = (sum + static_cast<Word>(a[i][l]) * static_cast<Word>(b[j][l])) % p;
        CHECK(c[i][j] == static_cast<double>(sum));
      }
      const Matrix square = product(a, a, p, true), half = product(a, a, p, true, true);
      for (std::size_t i = 0; i < 130; ++i) {
        for (std::size_t j = 0; j < 130; ++j)
          CHECK((half[i][j] == square[i][j] || (j < i && half[i][j] == 0)));
      }
    }
  }
  for (int i = 0; i < 60; ++i) {  // blocks of zeros, which are passed over
    const Word p = i % 2 == 0 ? 8388593 : 101;
    const std::size_t size = 20 + random() % 200, block = 1 + random() % 70;
    WordMatrix m = random_matrix(random, size, size + random() % 3, p, 1);
    for (std::size_t row = 0; row < m.rows; ++row)
      for (std::size_t col = 0; col < m.cols; ++col) {
        const std::size_t own = row / block, other = col / block;
        if (own != other &&
            (i % 3 == 0 || (own + other + static_cast<std::size_t>(i)) % 3 != 0 || other < own))
          m[row][col] = 0;
      }
    if (i % 4 == 3) make_dependent(m, random, p);
    WordMatrix echelon = m;
    const std::size_t rank = reduced_echelon(echelon, p).size();
    CHECK(rows_independent(in_doubles(m), p) == (rank == size));
    const std::size_t first = size / 2;
    WordMatrix half(first, m.cols);
    std::copy_n(m[0], half.data.size(), half[0]);
    CHECK(first_rows_span(in_doubles(m), first, p) ==
          (reduced_echelon(half, p).size() == first && rank == first));
  }
  const Word p = 8388593;
  Matrix m(300, 300);
  std::fill(m.data.begin(), m.data.end(), p - 1);
  for (std::size_t i = 0; i < m.rows; ++i) m[i][i] = p - 2;
  CHECK(rows_independent(m, p));
  std::copy(m[0], m[0] + m.cols, m[299]);
  CHECK_FALSE(rows_independent(m, p));
}

TEST_CASE("products of the largest residues are exact, at sizes that BLIS packs") {
  constexpr double p = 8388593;
  for (std::size_t inner : {1, 127, 128, 129, 700}) {
    Matrix a(650, inner), b(inner, 600), c(650, inner);
    for (Matrix* m : {&a, &b, &c}) std::fill(m->data.begin(), m->data.end(), p - 1);
    const double sum = static_cast<double>(inner);  // of as many times (p - 1)^2, which is 1 mod p
    CHECK(product(a, b, 8388593).data == std::vector<double>(650 * 600, sum));
    CHECK(product(a, c, 8388593, true).data == std::vector<double>(650 * 650, sum));
    const Matrix upper = product(a, c, 8388593, true, true);
    for (std::size_t i = 0; i < 650; i += 13) {
      CHECK(std::count(upper[i] + i, upper[i] + 650, sum) == static_cast<std::ptrdiff_t>(650 - i));
      CHECK(std::count(upper[i], upper[i] + i, sum) + std::count(upper[i], upper[i] + i, 0) ==
            static_cast<std::ptrdiff_t>(i));
    }
  }
}

TEST_CASE("residues of arrays are those of the rational numbers") {
  std::mt19937_64 random(4);
  std::vector<double> doubles = {
      0, -0.0, 1, -1, 0.1, -3.75, 5e-324, -1.7976931348623157e308, 2.2250738585072014e-308};
  while (doubles.size() < 300)
    doubles.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 1800) - 950) *
                      (random() % 2 == 0 ? 1 : -1));
  std::vector<float> floats(doubles.size());
  for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(std::fmod(doubles[i], 1e30));
  std::vector<std::int64_t> integers = {0, -1, INT64_MIN, INT64_MAX, 12345};
  std::vector<mpq_class> rationals = {mpq_class(-7, 4), mpq_class("123456789123456789123456789/1000")};
  const auto check = [](const ExactArray& array) {
    for (Word p : kPrimes) {
      if (p == 5 || p >= kBlockedLimit) continue;  // 5 divides 1000
      const ArrayResidues residues_of(array, p);
      std::vector<double> found(array.size());
      residues_of.copy(0, array.size(), found.data());
      for (std::size_t i = 0; i < array.size(); ++i)
        CHECK(found[i] == static_cast<double>(residue(array.at(i), p)));
    }
    const Vector whole(array, 0, array.size());
    for (std::size_t i = 0; i < array.size(); ++i) CHECK(whole[i] == array.at(i));
    std::vector<Rational> entries;
    for (std::size_t i = 1; i < array.size(); i += 2) entries.push_back(array.at(i));
    CHECK(Vector(array, 1, entries.size(), 2) == Vector(entries));
  };
  check({{doubles.size()}, doubles});
  check({{floats.size()}, floats});
  check({{integers.size()}, integers});
  check({{rationals.size()}, rationals});
}

namespace {

/// Whether the vectors annihilate the rows, which the rational numbers decide as well; and what is said if
/// not.
std::string annihilated(const ExactArray& array, std::size_t d, const std::vector<Vector>& vectors,
                        bool affine = false, const std::vector<std::size_t>& minus = {}) {
  std::vector<Rational> entries;
  for (std::size_t i = 0; i < array.size(); ++i) entries.push_back(array.at(i));
  const ExactArray exact({array.size()}, entries);
  std::vector<std::string> found;
  for (const ExactArray* const each : {&array, &exact}) {
    std::string& text = found.emplace_back("yes");
    try {
      Rows(*each, d, all_below(array.size() / d), affine, minus).ensure_annihilated(vectors);
    } catch (const Failure& failure) {
      text = failure.what();
    }
  }
  CHECK((found[0] == "yes") == (found[1] == "yes"));
  return found[0];
}

std::string annihilated(const std::vector<double>& numbers, const std::vector<Integer>& vector,
                        bool affine = false, const std::vector<std::size_t>& minus = {}) {
  return annihilated({{numbers.size()}, numbers}, vector.size() - (affine ? 1 : 0), {Vector(vector, 1)},
                     affine, minus);
}

}  // namespace

TEST_CASE("a product that is 0 modulo the first primes, but not 0, is told from 0") {
  const std::string other = "M x = 0 for vector 0, found another value in row ";
  const Integer large = Integer(1) << 40'000;  // beyond what is compared modulo primes
  CHECK(annihilated({1, 1, 2, 2}, {large, -large}) == "yes");
  CHECK(annihilated({0, 0, 2, 2}, {large, 1 - large}).ends_with(other + "1"));
  Integer multiple = 1;
  Word p = kBlockedLimit;
  for (int primes = 1; primes < 40; ++primes) {
    multiple *= p = odd_prime_below(p);
    for (const Integer& x : {multiple, Integer(-multiple), Integer(2 * multiple), Integer(multiple << 30)}) {
      INFO(primes);
      // By the vector alone, by many small terms, as a constant, as a difference.
      CHECK(annihilated({0, 0, 1, 0}, {x, 1}).ends_with(other + "1"));
      CHECK(annihilated({1, 1, 1, 1}, {x - 1, 1}).ends_with(other + "0"));
      CHECK(annihilated({-1, 0, 0}, {1, x}, true).ends_with(other + "0"));
      CHECK(annihilated({-1, 1}, {x + 1, x}, true).ends_with(other + "0"));
      CHECK(annihilated({3, 5, 4, 5}, {x, 7}, false, {0, 0}).ends_with(other + "1"));
      CHECK(annihilated({3, 5, 3, 5}, {x, 7}, false, {0, 0}) == "yes");
      CHECK(annihilated({1, 0, -3, 4}, {x, 0}).ends_with(other + "0"));
      CHECK(annihilated({1, -1, -1, 1, 0, 0, 0x1p-1074, -0x1p-1074, 1e300, -1e300}, {x, x}) == "yes");
    }
  }
  CHECK(multiple > Integer(1) << 800);
}

TEST_CASE("the entries of a row carry multiples of primes as well") {
  // 2^900 + 2^-1000 c is 0 modulo the first 40 primes: powers of two in the row, the rest in the vector.
  Integer modulus = 1;
  for (Word p = kBlockedLimit; modulus <= Integer(1) << 920;) modulus *= p = odd_prime_below(p);
  Integer negative;
  mpz_mul_2exp(negative.get_mpz_t(), Integer(1).get_mpz_t(), 1900);
  mpz_fdiv_r(negative.get_mpz_t(), negative.get_mpz_t(), modulus.get_mpz_t());
  CHECK(annihilated({0x1p900, 0x1p-1000}, {1, -negative}) != "yes");
  CHECK(annihilated({0x1p900, 0x1p-1000}, {-1, Integer(1) << 1900}) == "yes");
  CHECK(annihilated({0x1p900, 0x1p-1000}, {-1, (Integer(1) << 1900) + 1}) != "yes");
  CHECK(annihilated({0x1p900, 0x1p-1000}, {-1, (Integer(1) << 1900) + modulus}) != "yes");
  const Word p = odd_prime_below(kBlockedLimit), q = odd_prime_below(p);
  CHECK(annihilated({static_cast<double>(p * q), 1, 0, 0}, {1, 0}) != "yes");  // an integer below 2^53
  CHECK(annihilated({static_cast<double>(p), -static_cast<double>(p)}, {1, 0}, false) != "yes");
  const auto large = static_cast<std::int64_t>(p * q);
  const std::vector<std::int64_t> integers = {large, 1, INT64_MIN, INT64_MAX, 0, 0};
  const ExactArray array({3, 2}, integers);
  CHECK(annihilated(array, 2, {Vector({0, 0}, 1), Vector({1, 0}, 1)}).find("for vector 1") !=
        std::string::npos);
  CHECK(annihilated(array, 2, {Vector({1, -large}, 1)}).find("row 1") != std::string::npos);
  CHECK(annihilated(ExactArray({1, 2}, std::vector<std::int64_t>{INT64_MIN, INT64_MIN}), 2,
                    {Vector({1, -1}, 7)}) == "yes");
}

TEST_CASE("a small vector whose product is 0 modulo many primes: the exponents of the row count") {
  // u = 2^900 v modulo the first 8 primes, with u and v of half as many digits, by Euclid's algorithm.
  Integer modulus = 1;
  Word p = kBlockedLimit;
  for (int k = 0; k < 8; ++k) modulus *= p = odd_prime_below(p);
  Integer last = modulus, u = (Integer(1) << 900) % modulus, before = 0, v = 1;
  while (u * u > modulus) {
    const Integer quotient = last / u;
    last -= quotient * u, std::swap(last, u);
    before -= quotient * v, std::swap(before, v);
  }
  CHECK(((v << 900) - u) % modulus == 0);
  CHECK(abs(v) < Integer(1) << 100);
  const double tiny = 0x1p-900;
  CHECK(annihilated({1, tiny}, {v, -u}) != "yes");
  CHECK(annihilated({0, 0, tiny, 1}, {-u, v}) != "yes");
  CHECK(annihilated({0x1p+450, 0x1p-450}, {v, -u}) != "yes");
  CHECK(annihilated({tiny}, {-u, v}, true) != "yes");
  CHECK(annihilated({0x1p+900}, {v, -u}, true) != "yes");
  CHECK(annihilated({0, -tiny, 1, 0}, {v, -u}, false, {0, 0}) != "yes");
  CHECK(annihilated({0, 0x1p+900, 1, 0}, {-u, -v}, false, {0, 0}) != "yes");
}

TEST_CASE("the first equal vectors are those of the textbook, also where binary64 confuses entries") {
  const auto check = [](const auto& values, std::size_t length) {
    std::vector<std::size_t> expected;
    for (std::size_t k = 0; k < values.size() / length; ++k) {
      std::size_t first = 0;
      const auto equal = [&](std::size_t i) {
        return std::equal(&values[i * length], &values[i * length] + length, &values[k * length]);
      };
      while (!equal(first)) ++first;
      expected.push_back(first);
    }
    CHECK(first_equal(attest::ExactArray({values.size()}, values), length) == expected);
  };
  check(std::vector<double>{0, 1, -0.0, 1, 0, 2, 1, 0, -0.0, 1}, 2);
  check(std::vector<float>{-0.0F, 0, 3, 0, -0.0F}, 1);
  const std::int64_t large = std::int64_t{1} << 53;
  check(std::vector<std::int64_t>{large + 1, large, large + 1, large, -large, large}, 1);
  check(std::vector<std::int64_t>{large, 1, large + 1, 1, large, 1, large + 1, 1}, 2);
  const Rational third(1, 3), more = third + Rational(1, Integer(1) << 200);
  check(std::vector<mpq_class>{third, more, third, more, -third, Rational(Integer(1) << 2000)}, 1);
  std::mt19937_64 random(8);
  for (int i = 0; i < 300; ++i) {
    std::vector<double> doubles;
    std::vector<std::int64_t> integers;
    const std::size_t length = 1 + random() % 4, size = length * (random() % 40);
    for (std::size_t j = 0; j < size; ++j) {
      doubles.push_back(static_cast<double>(random() % 3) - 1);
      integers.push_back(large + static_cast<std::int64_t>(random() % 3));
    }
    check(doubles, length);
    check(integers, length);
  }
}

TEST_CASE("random integers in binary32 and binary64, products that are 0 and nearly so") {
  std::mt19937_64 random(5);
  const auto draw = [&] { return static_cast<int>(random() % 2001) - 1000; };
  for (int round = 0; round < 60; ++round) {
    const std::size_t d = 3 + random() % 4, rows = 1 + random() % 5;
    const bool affine = round % 2 == 1;
    const int scale = static_cast<int>(random() % 120) - 60;
    std::vector<double> wide;
    std::vector<float> narrow;
    std::vector<Integer> x;
    for (std::size_t j = 0; j + 1 < d; ++j) x.push_back(draw());
    x.push_back(1);
    for (std::size_t i = 0; i < rows; ++i) {
      long last = affine ? 77 : 0;  // minus the sum so far
      for (std::size_t j = 0; j + 1 < d; ++j) {
        const int entry = draw();
        wide.push_back(entry), narrow.push_back(static_cast<float>(entry));
        last -= entry * x[j].get_si();
      }
      wide.push_back(static_cast<double>(last)), narrow.push_back(static_cast<float>(last));
    }
    if (affine) x.push_back(-77);
    const std::vector<Vector> vectors{Vector(x, 1), Vector(x, 3)};
    if (!affine) {
      for (double& entry : wide) entry = std::ldexp(entry, scale);
      for (float& entry : narrow) entry = std::ldexp(entry, scale);
    }
    CHECK(annihilated({{wide.size()}, wide}, d, vectors, affine) == "yes");
    CHECK(annihilated({{narrow.size()}, narrow}, d, vectors, affine) == "yes");
    const std::size_t changed = random() % rows * d + d - 1;  // its factor is 1
    wide[changed] = std::nextafter(wide[changed], 1e300);
    narrow[changed] = std::nextafter(narrow[changed], 1e30F);
    const std::string row = "vector 0, found another value in row " + std::to_string(changed / d);
    CHECK(annihilated({{wide.size()}, wide}, d, vectors, affine).ends_with(row));
    CHECK(annihilated({{narrow.size()}, narrow}, d, vectors, affine).ends_with(row));
  }
}

TEST_CASE("odd primes below a number") {
  CHECK(odd_prime_below(kBlockedLimit) == 8388593);
  CHECK(odd_prime_below(6) == 5);
  CHECK(odd_prime_below(4) == 3);
  CHECK_THROWS_AS(odd_prime_below(3), LimitError);
}

TEST_CASE("vectors are in lowest terms, so that residues exist whenever they can") {
  const Vector v(std::vector<Rational>{Rational(1, 6), Rational(1, 2)});
  CHECK(v.den == 6);
  Word found[2];
  residues(v, 5, found);
  CHECK(found[0] == 1);
  CHECK(found[1] == 3);
  CHECK_THROWS_AS(residues(v, 3, found), Failure);
  CHECK_THROWS_AS(residue(Rational(1, 3), 3), Failure);
  CHECK(Vector({7, 14}, 7) == Vector({1, 2}, 1));
  CHECK(Vector(ExactArray({3}, std::vector<float>{-1.5F, 0, 48}), 0, 3) == Vector({-3, 0, 96}, 2));
  CHECK(Vector(ExactArray({2}, std::vector<double>{-0.0, 1e300}), 0, 2).den == 1);
  CHECK(dot(v, v) == Rational(1, 36) + Rational(1, 4));
  CHECK(combination({2, Rational(1, 3)}, {v, v})[0] == Rational(7, 18));
  CHECK(primitive(Vector({6, -9}, 2)).num == std::vector<Integer>{2, -3});
  CHECK(primitive(Vector({0, 0}, 1)).num == std::vector<Integer>{0, 0});
  CHECK(mean({v, v}) == v);
}

TEST_CASE("powers of two have relations, powers of e have none") {
  for (const bool two : {false, true}) {
    const PowerSums ring{two};
    const auto power = [&](const char* c, const char* x) {
      PowerSums::Scalar sum;
      ring.add_term(sum, Rational(c), Rational(x));
      return sum;
    };
    const auto equal = [&](PowerSums::Scalar a, const PowerSums::Scalar& b) {
      ring.add(a, b, -1);
      return a.empty();
    };
    CHECK(equal(ring.multiply(power("1", "1/2"), power("1", "1/2")), power("1", "1")));
    CHECK(equal(power("1", "1"), power("2", "0")) == two);
    CHECK(equal(power("3", "-5/2"), power("3/8", "1/2")) == two);
    CHECK_FALSE(equal(power("1", "1/2"), power("1", "1/3")));
    CHECK_FALSE(equal(power("1", "1/2"), power("7/5", "0")));
    for (const char* x : {"1/3", "1", "7/2"}) {  // (b^x - b^-x)^2 = b^2x - 2 + b^-2x
      PowerSums::Scalar a = power("1", x), b = power("-2", "0");
      ring.add_term(a, -1, -Rational(x));
      ring.add_term(b, 1, 2 * Rational(x));
      ring.add_term(b, 1, -2 * Rational(x));
      CHECK(equal(ring.multiply(a, a), b));
    }
  }
}

TEST_CASE("characters are ring homomorphisms, and powers by the table are powers") {
  std::mt19937_64 random(5);
  std::size_t found = 0;
  for (Word q = 100003; found < 6; q += 2) {
    const Word p = 2 * q + 1;
    if (!is_prime(q) || !is_prime(p)) continue;
    ++found;
    for (const bool two : {false, true}) {
      const Ring ring{two};
      if (two && p % 8 != 7) {
        CHECK_THROWS_AS(Character(ring, p, 2), Failure);
        continue;
      }
      const Character phi(ring, p, two ? 2 : 9);
      const PowerSums sums{two};
      PowerSums::Scalar a, b, sum;
      for (int i = 0; i < 3; ++i) {
        for (PowerSums::Scalar* element : {&a, &b}) {
          const Rational c(static_cast<long>(random() % 19) - 9, 1 + random() % 9),
              x(static_cast<long>(random() % 99) - 50, 7);
          sums.add_term(*element, Rational(c.get_num()) / c.get_den(), Rational(x.get_num()) / x.get_den());
        }
      }
      CHECK(phi.image(sums.multiply(a, b)) == multiply(phi.image(a), phi.image(b), p));
      sum = a;
      sums.add(sum, b, 1);
      CHECK(phi.image(sum) == (phi.image(a) + phi.image(b)) % p);
      const PowerResidues powers(phi);
      for (Word x : {Word{0}, Word{1}, Word{2047}, Word{2048}, Word{65536}, q - 1})
        CHECK(powers.power(x) == power(phi.g, x, p));
    }
  }
}

TEST_CASE("semidefinite matrices: diagonal ones, with irrational eigenvalues, and rotated ones") {
  const RationalMatrix diagonal = {{3, 0, 0, 0}, {0, -2, 0, 0}, {0, 0, 3, 0}, {0, 0, 0, 0}};
  check_count(diagonal, 0, 2, 1);
  check_count(diagonal, 3, 0, 2);
  check_count(diagonal, Rational(5, 2), 2, 0);
  check_count(diagonal, -2, 3, 1);
  check_count(diagonal, -3, 4, 0);
  const RationalMatrix golden = {{1, 1}, {1, 0}};  // 1.618..., -0.618...
  check_count(golden, Rational(809, 500), 1, 0);
  check_count(golden, Rational(1619, 1000), 0, 0);
  check_count(golden, Rational(-309, 500), 1, 0);
  check_count(golden, Rational(-619, 1000), 2, 0);
  for (long a = -3; a <= 3; ++a) {  // Q = [3 -4; 4 3] / 5
    for (long b = -3; b <= 3; ++b) {
      const auto fraction = [](long n) -> Rational { return Rational(n) / 25; };
      const Rational x = fraction(9 * a + 16 * b), y = fraction(12 * a - 12 * b),
                     z = fraction(16 * a + 9 * b);
      for (long mu = -4; mu <= 4; ++mu)
        check_count({{x, y}, {y, z}}, mu, (a > mu ? 1 : 0) + (b > mu ? 1 : 0),
                    (a == mu ? 1 : 0) + (b == mu ? 1 : 0));
    }
  }
  CHECK(gram({Vector({1, 2, 0}, 1)}) == RationalMatrix{{5}});
  CHECK(gram({Vector({1}, 1), Vector({1}, 2)}) == RationalMatrix{{Rational(5, 4)}});
  CHECK(gram({Vector({1, 2}, 1), Vector({3, 4}, 1)}) == RationalMatrix{{5, 11}, {11, 25}});
}

TEST_CASE("products of integers, and the upper half of symmetric ones") {
  std::mt19937_64 random(9);
  for (const unsigned bits : {1u, 22u, 70u, 300u}) {
    const auto draw = [&](std::size_t rows, std::size_t cols) {
      IntegerMatrix m(rows, std::vector<Integer>(cols));
      for (auto& row : m) {
        for (Integer& entry : row) {
          entry = (Integer(random() % 1024) << bits) / 1024;
          if (random() % 2 == 0) entry = -entry;
        }
      }
      return m;
    };
    const IntegerMatrix a = draw(14, 9), b = draw(9, 17), c = draw(30, 9);
    const IntegerMatrix ab = product(a, b, false), ac = product(a, c, true), aa = product(a, a, true, true),
                        full = product(a, a, true);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto entry = [&](std::size_t count, const auto& factor) {
        Integer sum = 0;
        for (std::size_t k = 0; k < count; ++k) sum += a[i][k] * factor(k);
        return sum;
      };
      for (std::size_t j = 0; j < 17; ++j)
        CHECK(ab[i][j] == entry(9, [&](std::size_t k) -> const Integer& { return b[k][j]; }));
      for (std::size_t j = 0; j < 30; ++j)
        CHECK(ac[i][j] == entry(9, [&](std::size_t k) -> const Integer& { return c[j][k]; }));
      for (std::size_t j = 0; j < 14; ++j) {
        const Integer sum = entry(9, [&](std::size_t k) -> const Integer& { return a[j][k]; });
        CHECK(full[i][j] == sum);
        CHECK(aa[i][j] == (j < i ? Integer(0) : sum));
      }
    }
  }
}

TEST_CASE("strict dominance of X (C C^T - theta^2 I) X^T and of its negative") {
  const IntegerMatrix c = {{3, 0, 0}, {0, 3, 4}, {1, 0, 5}}, unit = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                      last = {{0, 1, 0}, {0, 0, 1}}, near = {{2, 1}, {1, 2}};
  CHECK(dominant(unit, c, false, 1, true));        // [8 0 3; 0 24 20; 3 20 25]
  CHECK(dominant(last, c, false, 2, true));        // [21 20; 20 22]
  CHECK_FALSE(dominant(last, c, false, 3, true));  // [16 20; 20 17]
  CHECK_FALSE(dominant(unit, c, false, 3, true));  // the first entry is 0
  CHECK(dominant(unit, c, false, 8, false));       // [55 0 3; 0 39 20; 3 20 38], all but the diagonal negated
  CHECK_FALSE(dominant(unit, c, false, 7, false));  // [40 0 3; 0 24 20; 3 20 23]: 23 = 3 + 20
  CHECK_FALSE(dominant(unit, c, false, 8, true));
  CHECK_FALSE(dominant(unit, c, false, 1, false));
  CHECK_FALSE(dominant({{1, 0}, {0, 1}}, near, false, 1, true));   // [4 4; 4 4]
  CHECK(dominant({{1, 0}, {0, 1}}, near, true, 0, true));          // [5 4; 4 5]
  CHECK_FALSE(dominant({{1, 1}, {1, -1}}, near, false, 2, true));  // [10 0; 0 -6]
  CHECK(dominant({{1, -1}}, near, false, 2, false));
}

TEST_CASE("every subset of k rows, by both methods and by brute force") {
  std::mt19937_64 random(6);
  for (int round = 0; round < 300; ++round) {
    const Word p = round % 3 == 0 ? 5 : round % 3 == 1 ? 1000003 : 4611686018427387847;
    const std::size_t rows = 1 + random() % 7, cols = 1 + random() % 5;
    WordMatrix m(rows, cols);
    for (Word& entry : m.data) entry = random() % 3;
    for (std::size_t k = 0; k <= rows; ++k) {
      bool all = true;
      for (unsigned subset = 0; subset < 1u << rows; ++subset) {
        if (static_cast<std::size_t>(std::popcount(subset)) != k) continue;
        WordMatrix chosen(k, cols);
        std::size_t next = 0;
        for (std::size_t i = 0; i < rows; ++i) {
          if (subset >> i & 1) std::copy(m[i], m[i] + cols, chosen[next++]);
        }
        all = all && textbook_rank(chosen, p) == k;
      }
      CAPTURE(k);
      CHECK(subsets_independent(m, k, p, false) == all);
      CHECK(subsets_independent(m, k, p, true) == all);
    }
  }
  CHECK(matrix_of({{1, 2}})[0][1] == 2);
}
