#include "attention/affine_hull.hpp"

#include "tests/support.hpp"

using namespace attest;
using test::Random;

namespace {

Case case_of(std::size_t T, std::size_t n, std::size_t d, std::size_t H, ExactArray::Storage contexts) {
  Case c;
  c.layer.emplace();
  c.layer->examples = T;
  c.layer->context = n;
  c.layer->embed_dim = d;
  c.layer->heads = H;
  c.layer->head_dim = 1;
  c.data.contexts = ExactArray({T, n, d}, std::move(contexts));
  return c;
}

}  // namespace

TEST_CASE("the hull is only solved for when it bounds the rank") {
  // Tokens in a plane of dimension 2 in dimension 4, H = 3: the bound is 7.
  Random random(1);
  const std::size_t T = 20, n = 2, d = 4, H = 3;
  std::vector<std::int64_t> contexts;
  for (std::size_t k = 0; k < T * n; ++k) {
    const std::int64_t x = random.integer(50), y = random.integer(50);
    contexts.insert(contexts.end(), {x, y, x + y + 1, x - y});
  }
  const Case c = case_of(T, n, d, H, contexts);
  CHECK(cheapest_affine_hull(c).bound(H) == 7);
  const AffineHull useful = affine_hull_below(c, 12);
  CHECK(useful.bound(H) == 7);
  CHECK(useful.functionals.size() == 2);
  CHECK(affine_hull_below(c, 7).bound(H) == 7);
  for (std::size_t rank : {1, 6}) {
    const AffineHull useless = affine_hull_below(c, rank);
    CHECK(useless.dimension == d);
    CHECK(useless.functionals.empty());
    CHECK(useless.tokens.empty());
  }
}

TEST_CASE("functionals of binary tokens are verified exactly, whatever their exponents") {
  // The sum of the entries is 1; in one token it is off by 2^-52, or by a subnormal number, or not at all.
  for (const double off : {0.0, 0x1p-52, 5e-324, 0x1p-1022}) {
    std::vector<double> contexts;
    const std::size_t T = 700, d = 3;
    for (std::size_t t = 0; t < T; ++t) {
      const double x = static_cast<double>(t % 37) / 64, y = static_cast<double>(t % 53) / 1024;
      contexts.insert(contexts.end(), {x, y, 1 - x - y});
    }
    contexts[3 * 600] = off;
    contexts[3 * 600 + 1] = 0.25;
    contexts[3 * 600 + 2] = 0.75;
    const AffineHull hull = affine_hull(case_of(T, 1, d, 2, contexts));
    CAPTURE(off);
    CHECK(hull.dimension == (off == 0 ? 2 : 3));
    CHECK(hull.functionals.size() == (off == 0 ? 1 : 0));
    CHECK_FALSE(hull.linear);
  }
  // A functional with long entries, tokens with short ones: (2^80, 1) x = 2^80 + 2^-30.
  const Case wide = case_of(2, 1, 2, 1, std::vector<double>{1, 0x1p-30, 0, 0x1p80 + 0x1p30});
  CHECK(affine_hull(wide).dimension == 1);
}
