#include "search/binary64.hpp"

#include "tests/support.hpp"

using namespace attest;
using test::Random;

TEST_CASE(
    "the largest singular value alone is the first of all, of matrices large enough for Lanczos' method") {
  for (const std::size_t rank : {1, 3, 600}) {
    Random random(rank);
    constexpr std::size_t T = 1040, n = 2, d = 530, H = 2;
    const auto drawn = [&](std::size_t size) {
      std::vector<double> x(size);
      for (double& entry : x) entry = static_cast<double>(random.integer(1000)) / 512;
      return x;
    };
    Case c;
    c.layer.emplace();
    c.layer->examples = T;
    c.layer->context = n;
    c.layer->embed_dim = d;
    c.layer->heads = H;
    c.layer->head_dim = 1;
    std::vector<double> contexts(T * n * d);
    if (rank == 600) contexts = drawn(contexts.size());
    // Few columns that are not 0: all singular values but some are 0, and the method ends early.
    for (std::size_t i = 0; rank < 600 && i < T * n; ++i)
      for (std::size_t j = 0; j < rank; ++j) contexts[i * d + j] = static_cast<double>(random.integer(9));
    c.data.contexts = ExactArray({T, n, d}, std::move(contexts));
    c.data.queries = ExactArray({T, d}, drawn(T * d));
    c.weights.emplace();
    c.weights->key = ExactArray({H, d, 1}, drawn(H * d));
    c.weights->query = ExactArray({H, d, 1}, drawn(H * d));
    const std::vector<double> all = binary64_singular_values(c);
    REQUIRE(all.size() == T);
    CHECK(binary64_largest_singular_value(c).value() == doctest::Approx(all[0]).epsilon(1e-13));
  }
}

TEST_CASE("where Z overflows there is no largest singular value") {
  Case c;
  c.layer.emplace();
  c.layer->examples = c.layer->heads = c.layer->head_dim = c.layer->embed_dim = c.layer->context = 1;
  c.data.contexts = ExactArray({1, 1, 1}, std::vector<mpq_class>{mpq_class("1" + std::string(400, '0'))});
  c.data.queries = ExactArray({1, 1}, std::vector<mpq_class>{1});
  c.weights.emplace();
  c.weights->key = c.weights->query = ExactArray({1, 1, 1}, std::vector<mpq_class>{1});
  CHECK(binary64_singular_values(c).empty());
  CHECK(!binary64_largest_singular_value(c));
}
