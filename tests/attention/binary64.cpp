#include "search/binary64.hpp"

#include <cmath>

#include "tests/attention/case_of.hpp"
#include "tests/support.hpp"

using namespace attest;
using test::case_of;
using test::Random;

TEST_CASE("the largest singular value alone is the first of all, of matrices large enough for Lanczos") {
  constexpr std::size_t T = 1040, n = 2, d = 530, H = 2;
  struct Drawn {
    std::size_t columns;  // that are not 0: few end the method early
    int exponent;         // the power of two of the entries
  };
  for (const auto& [columns, exponent] : {Drawn{0, 0}, {1, 0}, {3, 600}, {3, -600}, {d, 0}}) {
    Random random(columns);
    const auto drawn = [&](std::size_t size) {
      std::vector<double> x(size);
      for (double& entry : x) entry = static_cast<double>(random.integer(1000)) / 512;
      return x;
    };
    std::vector<double> contexts(T * n * d);
    for (std::size_t i = 0; i < T * n; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        contexts[i * d + j] = std::ldexp(static_cast<double>(random.integer(1000)), exponent);
    Case c = case_of(T, n, d, H, std::move(contexts));
    c.data.queries = ExactArray({T, d}, drawn(T * d));
    c.weights.emplace();
    // All logits are 0 where entries are far from 1.
    c.weights->key = ExactArray({H, d, 1}, exponent == 0 ? drawn(H * d) : std::vector<double>(H * d));
    c.weights->query = ExactArray({H, d, 1}, drawn(H * d));
    const std::vector<double> all = binary64_singular_values(c);
    REQUIRE(all.size() == T);
    const double found = binary64_largest_singular_value(c).value();
    CHECK((found == all[0] || std::abs(found / all[0] - 1) < 1e-13));
  }
}

TEST_CASE("where Z overflows there is no largest singular value") {
  Case c = case_of(1, 1, 1, 1, std::vector<mpq_class>{mpq_class("1" + std::string(400, '0'))});
  c.data.queries = ExactArray({1, 1}, std::vector<mpq_class>{1});
  c.weights.emplace();
  c.weights->key = c.weights->query = ExactArray({1, 1, 1}, std::vector<mpq_class>{1});
  CHECK(binary64_singular_values(c).empty());
  CHECK(!binary64_largest_singular_value(c));
}
