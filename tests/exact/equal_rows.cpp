#include "exact/equal_rows.hpp"

#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

template <class Entry>
void check(const std::vector<Entry>& entries, std::size_t width) {
  const std::vector<std::size_t> equal = first_equal_rows(ExactArray({entries.size()}, entries), width);
  REQUIRE(equal.size() == entries.size() / width);
  for (std::size_t k = 0; k < equal.size(); ++k) {
    CHECK(equal[k] <= k);
    auto row = [&](std::size_t i) { return entries.begin() + static_cast<std::ptrdiff_t>(i * width); };
    CHECK(std::equal(row(k), row(k + 1), row(equal[k])));
    for (std::size_t i = 0; i < equal[k]; ++i) CHECK_FALSE(std::equal(row(k), row(k + 1), row(i)));
  }
}

}  // namespace

TEST_CASE("equal rows: the first of them, in every storage") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PRINTED_SEED(seed);
    Random random(seed);
    const std::size_t width = random.between(1, 9), rows = random.between(1, 30);
    std::vector<std::int64_t> integers;
    std::vector<float> floats;
    std::vector<double> doubles;
    std::vector<mpq_class> rationals;
    for (std::size_t k = 0; k < rows * width; ++k) {
      integers.push_back(random.integer(1));
      doubles.push_back(random.one_in(4) ? -0.0 : static_cast<double>(random.integer(1)) / 3);
      floats.push_back(static_cast<float>(doubles.back()));
      rationals.push_back(random.rational(1, 2));
    }
    check(integers, width);
    check(floats, width);
    check(doubles, width);
    check(rationals, width);
  }
}

TEST_CASE("equal rows: long rows that differ in one entry are not equal, wherever it is") {
  const std::size_t width = 5000, rows = 12;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    std::vector<double> entries(rows * width, 0.5);
    for (std::size_t k = 1; k < rows; k += 2) entries[k * width + random.below(width)] = 0.25;
    check(entries, width);
    const std::vector<std::size_t> equal = first_equal_rows(ExactArray({rows * width}, entries), width);
    for (std::size_t k = 0; k < rows; k += 2) CHECK(equal[k] == 0);
  }
}

TEST_CASE("equal rows: many rows of one hash are told apart") {
  // Rows of 2048 entries are hashed by every second one.
  const std::size_t width = 2048, rows = 40;
  std::vector<std::int64_t> entries(rows * width, 1);
  for (std::size_t k = 0; k < rows; ++k) entries[k * width + 1] = static_cast<std::int64_t>(k % 7);
  check(entries, width);
  CHECK(count_distinct_rows(ExactArray({rows * width}, entries), width) == 7);
}
