#include "kernel/problem.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

// The first equal row, by comparing exact entries with all rows before.
std::vector<std::size_t> textbook_first_equal(const ExactArray& array, std::size_t length) {
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k < array.size() / length; ++k)
    for (std::size_t other = 0; other <= k; ++other) {
      bool equal = true;
      for (std::size_t j = 0; j < length; ++j)
        equal = equal && array.at(k * length + j) == array.at(other * length + j);
      if (!equal) continue;
      first.push_back(other);
      break;
    }
  return first;
}

std::size_t count_distinct(const ExactArray& array, std::size_t length) {
  return kernel::distinct(kernel::first_equal(array, length)).size();
}

void check(const ExactArray& array, std::size_t length) {
  const std::vector<std::size_t> expected = textbook_first_equal(array, length);
  CHECK(kernel::first_equal(array, length) == expected);
  std::size_t count = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) count += expected[k] == k ? 1 : 0;
  CHECK(count_distinct(array, length) == count);
}

}  // namespace

TEST_CASE("equal rows of every kind of storage, against comparing all of them") {
  FOR_SEEDS(60, 0) {
    const std::size_t rows = random.between(1, 40), length = random.between(1, 4), size = rows * length;
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
    std::vector<mpq_class> rationals;
    for (std::size_t k = 0; k < size; ++k) {
      doubles.push_back(0.1 * static_cast<double>(random.integer(1)));
      floats.push_back(0.1F * static_cast<float>(random.integer(1)));
      integers.push_back(random.integer(1));
      rationals.push_back(random.rational(1, 2));
    }
    check(ExactArray({rows, length}, doubles), length);
    check(ExactArray({rows, length}, floats), length);
    check(ExactArray({rows, length}, integers), length);
    check(ExactArray({rows, length}, rationals), length);
  }
}

TEST_CASE("0 and -0 are equal, numbers that agree in their low words are not") {
  check(ExactArray({2, 1}, std::vector<double>{0.0, -0.0}), 1);
  CHECK(count_distinct(ExactArray({2, 1}, std::vector<double>{0.0, -0.0}), 1) == 1);
  CHECK(count_distinct(ExactArray({2, 1}, std::vector<float>{0.0F, -0.0F}), 1) == 1);
  const mpz_class large = mpz_class(1) << 64;
  CHECK(count_distinct(ExactArray({3, 1}, std::vector<mpq_class>{5, large + 5, -5}), 1) == 3);
}

TEST_CASE("long rows, of which a sample is hashed, are equal only when all entries are") {
  const std::size_t length = 5000, rows = 9;
  FOR_SEEDS(6, 0) {
    std::vector<double> entries(rows * length, 0.5);
    for (std::size_t k = 1; k < rows; k += 2) entries[k * length + random.below(length)] = 0.25;
    check(ExactArray({rows * length}, entries), length);
  }
  // Many rows of one hash: every second entry is hashed.
  std::vector<std::int64_t> entries(30 * 2048, 1);
  for (std::size_t k = 0; k < 30; ++k) entries[k * 2048 + 1] = static_cast<std::int64_t>(k % 7);
  check(ExactArray({entries.size()}, entries), 2048);
}
