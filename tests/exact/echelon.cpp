#include "search/arithmetic/echelon.hpp"

#include <numeric>
#include <stdexcept>

#include "tests/exact/residues.hpp"

using namespace attest;
using test::balanced;
using test::Random;

namespace {

const std::uint64_t kPrimes[] = {3, 7, 101, 8388593, 16777213};

// Random products; with few distinct rows and sparse factors, so that rank profiles are not the leading ones.
ModularMatrix matrix(Random& random, std::size_t m, std::size_t n, std::size_t r, std::uint64_t p) {
  ModularMatrix left(m, r), right(r, n), a(m, n);
  const bool sparse = random.one_in(2);
  for (std::size_t i = 0; i < m * r; ++i) left.data()[i] = sparse && !random.one_in(3) ? 0 : random.below(p);
  for (std::size_t i = 0; i < r * n; ++i) right.data()[i] = sparse && !random.one_in(4) ? 0 : random.below(p);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < r; ++k) a(i, j) = (a(i, j) + multiply_mod(left(i, k), right(k, j), p)) % p;
  return a;
}

std::vector<std::size_t> names(std::size_t first, std::size_t count) {
  std::vector<std::size_t> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

// Rows first .. first + count - 1, in pieces of random sizes; `ends`: no more follow.
void feed(Echelon& echelon, Random& random, const ModularMatrix& a, std::size_t first, std::size_t count,
          bool ends = false) {
  while (count > 0) {
    const std::size_t piece = random.between(1, count);
    ModularMatrix part(piece, a.cols());
    std::copy_n(a.row(first), piece * a.cols(), part.data());
    std::vector<double> rows = balanced(part, echelon.prime());
    echelon.add_rows(rows.data(), names(first, piece), ends && piece == count);
    first += piece;
    count -= piece;
  }
}

ModularMatrix leading_columns(const ModularMatrix& a, std::size_t cols) {
  ModularMatrix result(a.rows(), cols);
  for (std::size_t i = 0; i < a.rows(); ++i) std::copy_n(a.row(i), cols, result.row(i));
  return result;
}

// Both rank profiles and the ranks of leading columns, against FLINT.
void check_profiles(const Echelon& echelon, const ModularMatrix& a) {
  const std::uint64_t p = echelon.prime();
  const MinorIndices expected = rank_profiles(a, p), minor = echelon.minor();
  CHECK(echelon.rank() == expected.rank());
  CHECK(minor.rows == expected.rows);
  CHECK(minor.cols == expected.cols);
  for (std::size_t k = 0; k <= a.cols(); ++k)
    CHECK(echelon.rank_of_leading(k) == (k == 0 ? 0 : rank_profiles(leading_columns(a, k), p).rank()));
}

// And a kernel vector.
void check(const Echelon& echelon, const ModularMatrix& a) {
  check_profiles(echelon, a);
  const std::uint64_t p = echelon.prime();
  const std::vector<double> x = echelon.kernel_vector(7);
  REQUIRE(x.size() == a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < a.cols(); ++j)
      sum = (sum + multiply_mod(a(i, j), blas::unbalanced(x[j], p), p)) % p;
    CHECK(sum == 0);
  }
}

}  // namespace

TEST_CASE("echelon: rank profiles of what was added, however it was cut") {
  FOR_SEEDS(150, 0) {
    const std::uint64_t p = kPrimes[seed % 5];
    const std::size_t m = random.between(1, 24), n = random.between(1, 20), r = random.between(0, 12);
    const ModularMatrix a = matrix(random, m, n, r, p);
    Echelon echelon(p, n), ended(p, n);
    feed(echelon, random, a, 0, m);
    check(echelon, a);
    feed(ended, random, a, 0, m, true);
    check_profiles(ended, a);
  }
}

TEST_CASE("echelon: more rows than one panel, with many dependent ones") {
  FOR_SEEDS(6, 200) {
    const std::uint64_t p = seed % 3 == 0 ? 101 : 8388593;
    const std::size_t m = random.between(1200, 1500), n = random.between(700, 900),
                      r = seed % 2 == 0 ? n : random.between(2, 600);
    ModularMatrix a(m, n);
    // Row i is a row of fewer distinct ones, zero left of a random column.
    for (std::size_t i = 0; i < m; ++i) {
      Random row(1000 * seed + random.below(r));
      const std::size_t start = row.below(n);
      for (std::size_t j = start; j < n; ++j) a(i, j) = row.below(p);
    }
    Echelon echelon(p, n), pieces(p, n), whole(p, n);
    feed(echelon, random, a, 0, m);
    feed(pieces, random, a, 0, m, true);
    std::vector<double> rows = balanced(a, p);
    whole.add_rows(rows.data(), names(0, m), true);
    const MinorIndices expected = rank_profiles(a, p);
    for (const Echelon* each : {&echelon, &pieces, &whole}) {
      const MinorIndices minor = each->minor();
      CHECK(minor.rows == expected.rows);
      CHECK(minor.cols == expected.cols);
    }
  }
}

TEST_CASE("reduced echelon form: A at the row profile is its minor at the column profile times [I rest]") {
  FOR_SEEDS(200, 700) {
    const std::uint64_t p = kPrimes[seed % 5];
    // Wide ones take another path, by slabs of their columns; the first ones have small ranks in some.
    const std::size_t m = random.between(1, seed % 3 == 0 ? 30 : 7),
                      n = random.between(1, seed % 2 == 0 ? 600 : 12);
    ModularMatrix a = matrix(random, m, n, random.between(0, 2 * m), p);
    const std::size_t zeros = seed % 4 == 0 ? random.below(std::min<std::size_t>(n, 30)) : 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < zeros; ++j)
        if (j % 3 != 2) a(i, j) = 0;
    // A hundred columns of small rank, and so on.
    for (std::size_t first = 0; first < n && seed % 5 < 3; first += 100) {
      const std::size_t count = std::min<std::size_t>(n - first, 100);
      const ModularMatrix part = matrix(random, m, count, random.between(0, 1 + m / 4), p);
      for (std::size_t i = 0; i < m; ++i) std::copy_n(part.row(i), count, a.row(i) + first);
    }
    // Rows that differ in the last columns only, or not at all.
    for (std::size_t i = 2; i < m && seed % 8 < 3; i += 3)
      for (std::size_t j = 0; j < (random.one_in(2) ? n : n - 1); ++j) a(i, j) = a(i / 2, j);
    const std::vector<double> entries = balanced(a, p);
    const blas::ReducedEchelon echelon = blas::reduced_echelon(p, m, n, entries.data(), n);
    const MinorIndices expected = rank_profiles(a, p);
    const std::size_t r = expected.rank();
    const MinorIndices profiles = blas::rank_profiles(p, m, n, entries.data(), n);
    CHECK(profiles.rows == expected.rows);
    CHECK(profiles.cols == expected.cols);
    CHECK(echelon.rows == expected.rows);
    std::vector<std::size_t> sorted = echelon.cols;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == expected.cols);
    REQUIRE(echelon.rest.size() == r * (n - r));
    std::size_t wrong = 0, k = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (std::find(sorted.begin(), sorted.end(), j) != sorted.end()) continue;
      for (std::size_t i : echelon.rows) {
        std::uint64_t sum = 0;
        for (std::size_t l = 0; l < r; ++l)
          sum = (sum +
                 multiply_mod(a(i, echelon.cols[l]), blas::unbalanced(echelon.rest[l * (n - r) + k], p), p)) %
                p;
        if (sum != a(i, j)) ++wrong;
      }
      ++k;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("echelon: the largest residues, in the longest sums") {
  const std::uint64_t p = 8388593;
  const std::size_t m = 1100, n = 1100;
  // I + h J with h the largest residue: rank n, and every entry off the diagonal is extreme.
  const std::uint64_t h = p / 2;
  std::vector<double> rows(m * n, static_cast<double>(h));
  for (std::size_t i = 0; i < n; ++i) rows[i * n + i] = blas::balanced((h + 1) % p, p);
  Echelon echelon(p, n);
  echelon.add_rows(rows.data(), names(0, m));
  CHECK(echelon.rank() == ((1 + multiply_mod(h, n, p)) % p == 0 ? n - 1 : n));
}

TEST_CASE("echelon: primes for which sums could leave binary64 are refused") {
  CHECK_THROWS_AS(Echelon(2, 3), std::logic_error);
  CHECK_THROWS_AS(Echelon(std::uint64_t{1} << 24, 3), std::logic_error);
}
