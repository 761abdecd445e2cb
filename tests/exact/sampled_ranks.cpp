#include "search/arithmetic/sampled_ranks.hpp"

#include <numeric>

#include "problem/generate.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

// m independent rows of length d >= m: a unit upper triangular matrix with its columns in another order,
// whose pivots are nowhere near the diagonal.
std::vector<std::int64_t> independent_rows(Random& random, std::size_t m, std::size_t d) {
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t j = 0; j + 1 < d; ++j) std::swap(order[j], order[random.between(j, d - 1)]);
  std::vector<std::int64_t> rows(m * d);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = i; j < d; ++j)
      rows[i * d + order[j]] = j == i ? 1 : static_cast<std::int64_t>(random.below(3)) - 1;
  }
  return rows;
}

}  // namespace

TEST_CASE(
    "subsets of independent rows are independent, of rows with a relation when they have all of its rows") {
  for (const std::size_t m : {1, 2, 3, 31, 63, 64, 65, 100, 128, 257}) {
    PRINTED_SEED(m);
    Random random(m);
    for (const std::size_t d : {m, m + 5}) {
      std::vector<std::int64_t> rows = independent_rows(random, m, d);
      const SampledRanks all = sampled_ranks(ExactArray({m, d}, rows), 2, m, 1, 1e10);
      CHECK(all.independent == 2);
      CHECK_FALSE(all.witness);
      // One row more, the sum of two: every subset of m + 1 rows is dependent, if it can be.
      if (m < 3 || (m > 100 && d > m)) continue;
      for (std::size_t j = 0; j < d; ++j) rows.push_back(rows[j] + rows[(m - 1) * d + j]);
      const SampledRanks more = sampled_ranks(ExactArray({m + 1, d}, rows), 2, m + 1, 1, 1e12);
      CHECK(more.dependent == 2);
      REQUIRE(more.witness);
      CHECK(more.witness->rows == std::vector<std::size_t>{0, m - 1, m});
      const SampledRanks some = sampled_ranks(ExactArray({m + 1, d}, rows), 100, m, 1, 1e12);
      CHECK(some.independent + some.dependent == 100);  // dependent when none of the three is left out
    }
  }
}

TEST_CASE("the largest residues") {
  // Modulo the first prime p that is used all entries are (p - 1)/2 or -(p - 1)/2, so no sum is larger.
  const std::int64_t large = 8388593 / 2;
  const std::size_t m = 256;
  std::vector<std::int64_t> rows(m * m, large);
  for (std::size_t i = 0; i < m; ++i) rows[i * m + i] = -large;
  CHECK(sampled_ranks(ExactArray({m, m}, rows), 3, m, 1, 1e10).independent == 3);
  std::copy_n(rows.begin(), m, rows.end() - static_cast<std::ptrdiff_t>(m));
  const SampledRanks repeated = sampled_ranks(ExactArray({m, m}, rows), 3, m, 1, 1e12);
  CHECK(repeated.dependent == 3);
  CHECK(repeated.witness->rows == std::vector<std::size_t>{0, m - 1});
}

TEST_CASE("few and many samples against ranks over Q of the same draws") {
  std::size_t dependent = 0, independent = 0;
  FOR_SEEDS(60, 0) {
    const std::size_t m = random.between(2, 14), d = random.between(1, 8), size = random.between(1, m);
    RationalMatrix rows = random.matrix(m, d, seed % 3 == 0 ? 9 : 1);
    if (seed % 5 == 0)  // of lower rank
      for (std::size_t i = 0; i < m; ++i) rows(i, d - 1) = rows(i, 0);
    for (const std::size_t count : {5, 40}) {
      SplitMix64 draws(seed, 32);
      std::vector<std::size_t> order(m);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::size_t expected = 0;
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < size; ++i) std::swap(order[i], order[i + draws.below(m - i)]);
        const std::vector<std::size_t> subset(order.begin(),
                                              order.begin() + static_cast<std::ptrdiff_t>(size));
        expected += test::textbook_rank(test::rows_of(rows, subset)) == size ? 1 : 0;
      }
      const SampledRanks found =
          sampled_ranks(ExactArray({m, d}, std::vector<mpq_class>(rows.data(), rows.data() + m * d)), count,
                        size, seed, 1e10);
      CHECK(found.independent == expected);
      CHECK(found.dependent == count - expected);
      independent += found.independent;
      dependent += found.dependent;
    }
  }
  CHECK(independent > 300);
  CHECK(dependent > 300);
}
