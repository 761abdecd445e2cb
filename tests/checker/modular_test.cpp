#include "checker/modular.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace attest::checker;

namespace {

const Word kPrimes[] = {2, 3, 5, 11, 65537, 1000003, 2147483647, 2305843009213693951, 4611686018427387847};

/// Textbook elimination, with the residues in 128 bits.
std::size_t rank_by_textbook(Matrix m, Word p) {
  std::size_t rank = 0;
  const std::size_t width = m.empty() ? 0 : m[0].size();
  for (std::size_t col = 0; col < width && rank < m.size(); ++col) {
    std::size_t i = rank;
    while (i < m.size() && m[i][col] == 0) ++i;
    if (i == m.size()) continue;
    std::swap(m[i], m[rank]);
    for (i = rank + 1; i < m.size(); ++i) {
      const Word f = multiply(m[i][col], inverse(m[rank][col], p), p);
      for (std::size_t j = 0; j < width; ++j) m[i][j] = (m[i][j] + p - multiply(f, m[rank][j], p)) % p;
    }
    ++rank;
  }
  return rank;
}

Matrix random_matrix(std::mt19937_64& random, std::size_t rows, std::size_t cols, Word p) {
  Matrix m(rows, Row(cols));
  for (Row& row : m) {
    for (Word& entry : row) entry = random() % 4 == 0 ? 0 : random() % p;
  }
  return m;
}

/// Makes the last row a combination of the others.
void make_dependent(Matrix& m, std::mt19937_64& random, Word p) {
  for (Word& entry : m.back()) entry = 0;
  for (std::size_t i = 0; i + 1 < m.size(); ++i) {
    subtract_multiple(m.back().data(), m[i].data(), m[i].size(), random() % p, p);
  }
}

}  // namespace

TEST_CASE("primes below 20000, and numbers that fool weak tests") {
  for (Word n = 0; n < 20000; ++n) {
    bool prime = n >= 2;
    for (Word f = 2; f * f <= n; ++f) prime = prime && n % f != 0;
    CHECK(is_prime(n) == prime);
  }
  for (Word n : {Word{561}, Word{3215031751}, Word{341550071728321}, Word{3825123056546413051}}) CHECK_FALSE(is_prime(n));
  for (Word n : {Word{2147483647}, Word{2305843009213693951}, Word{18446744073709551557ULL}}) CHECK(is_prime(n));
}

TEST_CASE("products, powers and inverses") {
  std::mt19937_64 random(1);
  for (Word p : kPrimes) {
    for (int i = 0; i < 200; ++i) {
      const Word a = random() % p, b = random() % p;
      __extension__ const auto exact = static_cast<unsigned __int128>(a) * b % p;
      CHECK(multiply(a, b, p) == static_cast<Word>(exact));
      if (a != 0) CHECK(multiply(a, inverse(a, p), p) == 1 % p);
      Word slow = 1 % p;
      for (int e = 0; e < i % 20; ++e) slow = multiply(slow, a, p);
      CHECK(power(a, static_cast<Word>(i % 20), p) == slow);
      Word difference = b;
      const Word f = random() % p;
      subtract_multiple(&difference, &a, 1, f, p);
      CHECK(difference == (b + p - multiply(f, a, p)) % p);
    }
  }
}

TEST_CASE("independence of rows agrees with the textbook, for every size of prime") {
  std::mt19937_64 random(2);
  for (Word p : kPrimes) {
    for (int i = 0; i < 60; ++i) {
      const std::size_t rows = 1 + random() % 7, cols = 1 + random() % 8;
      Matrix m = random_matrix(random, rows, cols, p);
      if (i % 3 == 0) make_dependent(m, random, p);
      const std::size_t rank = rank_by_textbook(m, p);
      CHECK(rows_independent(m, p) == (rank == rows));
      Matrix echelon = m;
      CHECK(reduced_echelon(echelon, p).size() == rank);
      CHECK(echelon.size() == rank);
    }
  }
  CHECK(rows_independent({}, 7));
  CHECK_FALSE(rows_independent({{}}, 7));
  CHECK_FALSE(rows_independent({{0, 0}}, 7));
}

TEST_CASE("a large matrix with the largest entries does not overflow") {
  const Word p = 2147483647;
  Matrix m(90, Row(90, p - 1));
  for (std::size_t i = 0; i < m.size(); ++i) m[i][i] = p - 2;
  CHECK(rows_independent(m, p));
  m.back() = m.front();
  CHECK_FALSE(rows_independent(m, p));
}

TEST_CASE("leading blocks") {
  std::mt19937_64 random(3);
  for (Word p : {Word{5}, Word{65537}, Word{4611686018427387847}}) {
    for (int i = 0; i < 200; ++i) {
      const std::size_t size = 3 + random() % 4, first = 1 + random() % (size - 1);
      const Matrix m = random_matrix(random, size, size, p);
      Matrix leading;
      for (std::size_t k = 0; k < first; ++k) leading.emplace_back(m[k].begin(), m[k].begin() + static_cast<long>(first));
      const bool expected = rank_by_textbook(m, p) == size && rank_by_textbook(leading, p) == first;
      CHECK(rows_independent(m, p, {{first, first}, {size, size}}) == expected);
    }
  }
  // Non-singular, but its leading 1 x 1 block is 0.
  CHECK(rows_independent({{0, 1}, {1, 0}}, 7));
  CHECK_FALSE(rows_independent({{0, 1}, {1, 0}}, 7, {{1, 1}, {2, 2}}));
  CHECK(rows_independent({{0, 1}, {1, 0}}, 7, {{0, 0}, {2, 2}, {2, 2}}));
}
