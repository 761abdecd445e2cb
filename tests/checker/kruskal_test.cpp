#include "checker/kruskal.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <random>

#include "input/errors.hpp"

using namespace attest::checker;

namespace {

bool by_brute_force(const Matrix& vectors, std::size_t k, Word p) {
  for (std::size_t mask = 0; mask < (std::size_t{1} << vectors.size()); ++mask) {
    Matrix subset;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      if (mask >> i & 1) subset.push_back(vectors[i]);
    }
    if (subset.size() == k && !rows_independent(subset, p)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("both searches agree with brute force") {
  std::mt19937_64 random(4);
  std::size_t yes = 0, no = 0;
  for (int i = 0; i < 1500; ++i) {
    const Word p = std::array<Word, 4>{7, 101, 1000003, 4611686018427387847}[static_cast<std::size_t>(i % 4)];
    const std::size_t count = 1 + random() % 8, width = 1 + random() % 6;
    Matrix vectors(count, Row(width));
    for (Row& row : vectors) {
      for (Word& entry : row) entry = random() % (i % 5 == 0 ? 3 : p);
    }
    if (i % 3 == 0) vectors.back() = vectors.front();  // a small dependent subset
    if (i % 3 == 1 && count > 3) {
      vectors[1] = vectors[3];
      subtract_multiple(vectors[1].data(), vectors[2].data(), width, random() % p, p);
    }
    for (std::size_t k = 0; k <= count; ++k) {
      const bool expected = by_brute_force(vectors, k, p);
      ++(expected ? yes : no);
      Work first(1 << 20, "", ""), second(1 << 20, "", "");
      CHECK(subsets_independent(vectors, k, p, first) == expected);
      CHECK(subsets_independent_dual(vectors, k, p, second) == expected);
    }
  }
  CHECK(yes > 500);
  CHECK(no > 500);
}

TEST_CASE("all subsets of six out of thirty vectors take about a second at most") {
  std::mt19937_64 random(5);
  const Word p = 4611686018427387847;
  Matrix vectors(30, Row(64));
  for (Row& row : vectors) {
    for (Word& entry : row) entry = random() % p;
  }
  Work work(1'000'000, "the search", "--max-subsets");
  const auto start = std::chrono::steady_clock::now();
  CHECK(subsets_independent(vectors, 6, p, work));
  MESSAGE("C(30, 6): ", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), " s");
  Work little(100, "the search", "--max-subsets");
  CHECK_THROWS_WITH_AS(subsets_independent(vectors, 6, p, little), "the search exceeds the limit of 100; --max-subsets raises it",
                       attest::LimitError);
}

TEST_CASE("the dual search is quick when there are few more vectors than dimensions") {
  std::mt19937_64 random(6);
  const Word p = 4611686018427387847;
  Matrix vectors(60, Row(57));
  for (Row& row : vectors) {
    for (Word& entry : row) entry = random() % p;
  }
  Work work(1'000'000, "the search", "--max-subsets");
  CHECK(subsets_independent_dual(vectors, 57, p, work));
  vectors[3] = vectors[50];
  subtract_multiple(vectors[3].data(), vectors[20].data(), 57, 12345, p);
  Work again(1'000'000, "the search", "--max-subsets");
  CHECK_FALSE(subsets_independent_dual(vectors, 3, p, again));
  Work last(1'000'000, "the search", "--max-subsets");
  CHECK(subsets_independent_dual(vectors, 2, p, last));
}
