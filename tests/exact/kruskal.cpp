#include "search/arithmetic/kruskal.hpp"

#include <ctime>

#include "search/arithmetic/modular.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

bool next_subset(std::vector<std::size_t>& s, std::size_t n) {
  for (std::size_t i = s.size(); i-- > 0;)
    if (s[i] + (s.size() - i) < n) {
      ++s[i];
      for (std::size_t j = i + 1; j < s.size(); ++j) s[j] = s[j - 1] + 1;
      return true;
    }
  return false;
}

std::vector<std::size_t> first_subset(std::size_t k) {
  std::vector<std::size_t> s(k);
  for (std::size_t i = 0; i < k; ++i) s[i] = i;
  return s;
}

void check_rank(const KruskalRank& k, std::size_t rank) {
  CHECK(k.lower == rank);
  CHECK(k.upper == rank);
}

void check_witnesses(const RationalMatrix& v, const KruskalRank& k) {
  CHECK(k.lower <= k.upper);
  CHECK(k.upper <= std::min(v.rows(), v.cols()));
  if (k.upper < std::min(v.rows(), v.cols())) {
    REQUIRE(k.dependency.has_value());
    CHECK(k.dependency->rows.size() == k.upper + 1);
    for (std::size_t j = 0; j < v.cols(); ++j) {
      mpq_class sum = 0;
      for (std::size_t i = 0; i < k.dependency->rows.size(); ++i)
        sum += k.dependency->relation[i] * v(k.dependency->rows[i], j);
      CHECK(sum == 0);
    }
    for (const mpz_class& c : k.dependency->relation) CHECK(c != 0);
  }
}

// Every `lower`-subset is independent modulo the prime that is named.
void check_prime(const RationalMatrix& v, const KruskalRank& k) {
  if (k.lower == 0) return;
  const Matrix<mpz_class> integers = primitive_rows(v);
  std::vector<std::size_t> s = first_subset(k.lower);
  do {
    ModularMatrix m(k.lower, v.cols());
    for (std::size_t i = 0; i < k.lower; ++i)
      for (std::size_t j = 0; j < v.cols(); ++j)
        m(i, j) = mpz_fdiv_ui(integers(s[i], j).get_mpz_t(), k.prime);
    REQUIRE(test::textbook_rank_mod(m, k.prime) == k.lower);
  } while (next_subset(s, v.rows()));
}

// Random vectors into which a circuit of `size` vectors is planted, at random places.
RationalMatrix with_circuit(Random& random, std::size_t T, std::size_t d, std::size_t size, long bound) {
  RationalMatrix v = random.matrix(T, d, bound, 3);
  std::vector<std::size_t> places = random.permutation(T);
  places.resize(size);
  for (std::size_t j = 0; j < d; ++j) v(places[0], j) = 0;
  for (std::size_t k = 1; k < size; ++k) {
    const mpq_class c = mpq_class(2 * static_cast<long>(random.below(4)) + 1, 2);
    for (std::size_t j = 0; j < d; ++j) v(places[0], j) += c * v(places[k], j);
  }
  return v;
}

}  // namespace

TEST_CASE("Kruskal rank against all subsets over Q") {
  std::size_t dual = 0, subsets = 0;
  FOR_SEEDS(250, 0) {
    const std::size_t T = random.between(1, 9), d = random.between(1, 5);
    RationalMatrix v = random.one_in(2) && T >= 2
                           ? with_circuit(random, T, d, random.between(2, std::min(T, d + 1)), 5)
                           : random.matrix(T, d, random.one_in(2) ? 1 : 20, 2);
    const std::size_t truth = test::textbook_kruskal_rank(v);
    const KruskalRank k = kruskal_rank(v, d, kSubsetBudget);
    check_rank(k, truth);
    CHECK_FALSE(k.limited);
    check_witnesses(v, k);
    check_prime(v, k);
    (k.method == SubsetMethod::dual ? dual : subsets) += 1;
  }
  // Both ways of going through all subsets were taken.
  CHECK(dual > 20);
  CHECK(subsets > 20);
}

TEST_CASE("targets: at least as much as was asked is decided") {
  FOR_SEEDS(120, 1000) {
    const std::size_t T = random.between(1, 9), d = random.between(1, 5), target = random.between(0, d + 2);
    const RationalMatrix v = random.matrix(T, d, seed % 3 == 0 ? 1 : 9);
    const std::size_t truth = test::textbook_kruskal_rank(v);
    const KruskalRank k = kruskal_rank(v, target, kSubsetBudget);
    CHECK(k.lower <= truth);
    CHECK(truth <= k.upper);
    if (target <= std::min(T, d))
      CHECK((k.lower >= target || k.upper < target));
    else
      CHECK(k.lower == k.upper);
    check_witnesses(v, k);
    check_prime(v, k);
  }
}

TEST_CASE("budgets end in an interval that contains the truth") {
  std::size_t limited = 0;
  FOR_SEEDS(120, 2000) {
    const std::size_t T = random.between(4, 9), d = random.between(3, 5);
    const RationalMatrix v =
        seed % 2 == 0 ? with_circuit(random, T, d, random.between(2, d), 9) : random.matrix(T, d, 9);
    const std::size_t truth = test::textbook_kruskal_rank(v);
    for (const double budget : {0.0, 3.0, 12.0, 60.0, 200.0}) {
      const KruskalRank k = kruskal_rank(v, d, budget);
      CHECK(k.lower <= truth);
      CHECK(truth <= k.upper);
      if (k.lower < k.upper) CHECK(k.limited);
      check_witnesses(v, k);
      check_prime(v, k);
      limited += k.limited ? 1 : 0;
    }
  }
  CHECK(limited > 50);
}

TEST_CASE("zero vectors, repeated vectors, few vectors, dimension 1") {
  Random random(1);
  RationalMatrix v = random.matrix(5, 4, 9);
  for (std::size_t j = 0; j < 4; ++j) v(3, j) = 0;
  KruskalRank k = kruskal_rank(v, 4, kSubsetBudget);
  CHECK(k.upper == 0);
  CHECK(k.dependency->rows == std::vector<std::size_t>{3});
  for (std::size_t j = 0; j < 4; ++j) v(3, j) = mpq_class(-7, 3) * v(1, j);
  k = kruskal_rank(v, 4, kSubsetBudget);
  check_rank(k, 1);
  CHECK(k.dependency->rows == std::vector<std::size_t>{1, 3});
  RationalMatrix few(2, 6);
  few(0, 0) = few(1, 5) = 1;
  k = kruskal_rank(few, 6, kSubsetBudget);
  check_rank(k, 2);
  CHECK(kruskal_rank(RationalMatrix(3, 1), 1, kSubsetBudget).upper == 0);
  RationalMatrix line(3, 1);
  line(0, 0) = 1, line(1, 0) = -2, line(2, 0) = mpq_class(1, 3);
  CHECK(kruskal_rank(line, 1, kSubsetBudget).lower == 1);
}

TEST_CASE("one hidden circuit among many vectors") {
  FOR_SEEDS(6, 3000) {
    const std::size_t size = 2 + seed;
    const RationalMatrix v = with_circuit(random, 24, 7, size, 1000);
    const KruskalRank k = kruskal_rank(v, 7, kSubsetBudget);
    check_rank(k, size - 1);
    check_witnesses(v, k);
  }
}

TEST_CASE("30 vectors in dimension 8 at n = 6 take seconds at most") {
  Random random(4);
  const std::clock_t start = std::clock();
  const RationalMatrix v = random.matrix(30, 8, 100);
  const KruskalRank all = kruskal_rank(v, 6, kSubsetBudget);
  CHECK(all.lower >= 6);
  const RationalMatrix hidden = with_circuit(random, 30, 8, 6, 100);
  const KruskalRank k = kruskal_rank(hidden, 6, kSubsetBudget);
  check_rank(k, 5);
  check_witnesses(hidden, k);
  CHECK(std::clock() - start < 20 * CLOCKS_PER_SEC);
}

TEST_CASE("a prime that makes independent vectors dependent is replaced") {
  // The rows are independent, but not mod the first prime that is tried.
  RationalMatrix v(3, 2);
  v(0, 0) = 1, v(0, 1) = 0;
  v(1, 0) = 1, v(1, 1) = mpq_class(mpz_class(std::to_string(large_prime(0))));
  v(2, 0) = 0, v(2, 1) = 1;
  const KruskalRank k = kruskal_rank(v, 2, kSubsetBudget);
  check_rank(k, 2);
  CHECK(k.prime != large_prime(0));
  check_prime(v, k);
}

TEST_CASE("primes below 2^23 that make independent vectors dependent are not believed") {
  mpz_class product = 1;
  for (std::size_t k = 0; k < 4; ++k) product *= static_cast<unsigned long>(small_prime(k));
  // Row 2 is a sum modulo four primes only, and the last row of `more` is a sum over Q.
  RationalMatrix v(3, 4), more(5, 4);
  for (std::size_t i = 0; i < 3; ++i) v(i, i == 2 ? 0 : i) = 1;
  v(2, 1) = 1;
  v(2, 2) = product;
  const KruskalRank all = kruskal_rank(v, 3, kSubsetBudget);
  CHECK(all.lower == 3);
  check_prime(v, all);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) more(i, j) = v(i, j);
  for (std::size_t j = 0; j < 4; ++j) {
    more(3, j) = mpq_class(static_cast<long>(j * j + 1), 3);
    more(4, j) = more(0, j) + 2 * more(1, j) - more(2, j) + more(3, j);
  }
  for (const double budget : {0.0, kSubsetBudget}) {
    const KruskalRank k = kruskal_rank(more, 4, budget);
    CHECK(k.lower <= test::textbook_kruskal_rank(more));
    CHECK(k.upper == test::textbook_kruskal_rank(more));
    check_witnesses(more, k);
    check_prime(more, k);
  }
}

TEST_CASE("a search says the same whatever was asked before") {
  FOR_SEEDS(60, 5000) {
    const std::size_t T = random.between(2, 10), d = random.between(2, 6);
    const RationalMatrix v = seed % 2 == 0 ? random.matrix(T, d, seed % 4 == 0 ? 1 : 9)
                                           : with_circuit(random, T, d, random.between(2, std::min(T, d)), 9);
    KruskalSearch search(v);
    for (int round = 0; round < 6; ++round) {
      const std::size_t target = random.between(0, d);
      const double budget = random.one_in(2) ? 40 : kSubsetBudget;
      const KruskalRank again = search.up_to(target, budget), fresh = kruskal_rank(v, target, budget);
      CHECK(again.lower == fresh.lower);
      CHECK(again.upper == fresh.upper);
      CHECK(again.prime == fresh.prime);
      CHECK((again.method == fresh.method));
      CHECK(again.limited == fresh.limited);
      CHECK(again.dependency.has_value() == fresh.dependency.has_value());
      if (again.dependency && fresh.dependency) CHECK(again.dependency->rows == fresh.dependency->rows);
    }
  }
}

TEST_CASE("a pair and a triple among many vectors") {
  for (const std::size_t size : {2, 3}) {
    PRINTED_SEED(size);
    Random random(6000 + size);
    const RationalMatrix v = with_circuit(random, 150, 12, size, 1000);
    const KruskalRank k = kruskal_rank(v, 12, size == 2 ? 0 : 1e6);  // pairs need no budget
    check_rank(k, size - 1);
    check_witnesses(v, k);
  }
}
