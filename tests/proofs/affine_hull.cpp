#include "attention/affine_hull.hpp"

#include "exact/modular.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Rank of the tokens, or of the tokens with a coordinate 1 more.
std::size_t token_rank(const Case& c, bool affine) {
  const std::size_t d = c.layer->embed_dim, count = c.data.contexts->size() / d;
  RationalMatrix tokens(count, d + (affine ? 1 : 0));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < d; ++j) tokens(k, j) = c.data.contexts->at(k * d + j);
    if (affine) tokens(k, d) = 1;
  }
  return test::textbook_rank(tokens);
}

void check_hull(const Case& c, const AffineHull& hull) {
  const std::size_t d = c.layer->embed_dim, count = c.data.contexts->size() / d, affine = token_rank(c, true),
                    linear = token_rank(c, false);
  CHECK(hull.dimension == affine - 1);
  // `linear` may be left unsaid only where the hull has been given by tokens.
  if (hull.linear)
    CHECK(linear + 1 == affine);
  else
    CHECK(linear == (hull.dimension == d ? d : affine));
  const std::size_t H = c.layer->heads;
  CHECK(hull.bound(H) == H * hull.dimension + (hull.linear ? 0 : 1));
  if (hull.tokens.empty()) {
    REQUIRE(hull.functionals.size() == d - hull.dimension);
    RationalMatrix v(hull.functionals.size(), d);
    for (std::size_t k = 0; k < hull.functionals.size(); ++k) {
      const Numbers f = entries(hull.functionals[k].v);
      for (std::size_t j = 0; j < d; ++j) v(k, j) = f[j];
      for (std::size_t t = 0; t < count; ++t) {
        mpq_class sum = 0;
        for (std::size_t j = 0; j < d; ++j) sum += f[j] * c.data.contexts->at(t * d + j);
        CHECK(sum == hull.functionals[k].c);
      }
    }
    CHECK(test::textbook_rank(v) == v.rows());
  } else {
    CHECK(hull.tokens.size() == hull.dimension + 1);
  }
}

Draft with_contexts(std::size_t heads, std::size_t context, std::size_t embed_dim, std::size_t examples,
                    bool shared, const Numbers& contexts) {
  Draft draft;
  draft.heads = heads;
  draft.context = context;
  draft.embed_dim = embed_dim;
  draft.examples = examples;
  draft.shared = shared;
  draft.contexts = contexts;
  draft.claims = {claim("affine-hull-bound")};
  return draft;
}

}  // namespace

TEST_CASE("points of a random affine subspace: its dimension, functionals and bound") {
  Folder folder;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    PRINTED_SEED(seed);
    Random random(seed);
    const bool shared = seed % 2 == 0, through_zero = seed % 3 == 0;
    const std::size_t d = random.between(1, 6), a = random.between(0, d), n = random.between(1, 5),
                      T = random.between(1, 6), H = random.between(1, 3);
    const std::size_t tokens = (shared ? 1 : T) * n;
    const RationalMatrix basis = random.matrix(a, d, 5, 3), origin = random.matrix(1, d, 5, 3);
    Numbers contexts;
    std::vector<std::size_t> order = random.permutation(tokens);
    for (std::size_t k = 0; k < tokens; ++k) {
      const RationalMatrix weights = random.matrix(1, a, 4, 3), x = test::product(weights, basis);
      for (std::size_t j = 0; j < d; ++j)
        contexts.push_back((through_zero ? mpq_class(0) : origin(0, j)) + x(0, j));
    }
    const Case c = read(with_contexts(H, n, d, T, shared, contexts), folder);
    check_hull(c, affine_hull(c));
    const AffineHull cheap = cheapest_affine_hull(c);
    CHECK(cheap.dimension == affine_hull(c).dimension);
    CHECK(cheap.bound(H) == affine_hull(c).bound(H));
    const auto proofs = certified(c);
    CHECK(proofs[0].verdict == Verdict::verified);
    const std::size_t bound = std::min({T, H * d, affine_hull(c).bound(H)});
    CHECK(proofs[0].result["bounds"]["affine_hull"] == bound);
    // As many affinely (linearly) independent tokens as there are.
    const TokenMinor affine = token_minor(c, cheap, true), linear = token_minor(c, cheap, false);
    CHECK(affine.tokens.size() == token_rank(c, true));
    CHECK(affine.cols.size() == affine.tokens.size());
    CHECK(linear.tokens.size() == token_rank(c, false));
  }
}

TEST_CASE("many tokens: those that matter may come last") {
  Folder folder;
  Numbers contexts(60 * 4 * 3, mpq_class(1));
  contexts[60 * 4 * 3 - 1] = mpq_class(1, 2);
  contexts[40 * 4 * 3] = 3;
  const Case c = read(with_contexts(2, 4, 3, 60, false, contexts), folder);
  check_hull(c, affine_hull(c));
  CHECK(affine_hull(c).dimension == 2);
  certified(c);
}

TEST_CASE("one point; the zero point; everything") {
  Folder folder;
  Case c = read(with_contexts(3, 2, 2, 4, true, {1, 2, 1, 2}), folder);
  CHECK(affine_hull(c).dimension == 0);
  CHECK_FALSE(affine_hull(c).linear);
  CHECK(affine_hull(c).bound(3) == 1);
  certified(c);
  c = read(with_contexts(3, 2, 2, 4, true, {0, 0, 0, 0}), folder);
  CHECK(affine_hull(c).linear);
  CHECK(affine_hull(c).bound(3) == 0);
  certified(c);
  c = read(with_contexts(3, 3, 2, 4, true, {0, 0, 1, 0, 0, 1}), folder);
  CHECK(affine_hull(c).dimension == 2);
  CHECK(affine_hull(c).functionals.empty());
  CHECK(certified(c)[0].result["bounds"]["affine_hull"] == 4);
}

TEST_CASE("binary64 tokens are exact: a sum that only rounds to a constant does not count") {
  Folder folder;
  // 0.1 + 0.2 is 0.3 in no binary64 arithmetic that is exact.
  Draft draft = with_contexts(1, 2, 2, 1, true, {mpq_class(0.1), mpq_class(0.2), mpq_class(0.3), 0});
  Case c = read(draft, folder);
  CHECK(token_sums(c).different.has_value());
  draft.contexts = {mpq_class(1, 10), mpq_class(2, 10), mpq_class(3, 10), 0};
  for (mpq_class& x : draft.contexts) x.canonicalize();
  c = read(draft, folder);
  CHECK_FALSE(token_sums(c).different.has_value());
  CHECK(token_sums(c).sum == mpq_class(3, 10));
}

TEST_CASE("token sums: the witness is two tokens that differ") {
  Folder folder;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PRINTED_SEED(seed);
    Random random(100 + seed);
    const std::size_t n = random.between(1, 3), T = random.between(2, 4), d = random.between(1, 4);
    Numbers contexts;
    for (std::size_t k = 0; k < n * T; ++k) {
      mpq_class sum = 0;
      for (std::size_t j = 0; j + 1 < d; ++j) {
        contexts.push_back(random.rational(9, 4));
        sum += contexts.back();
      }
      contexts.push_back(mpq_class(5, 3) - sum);
    }
    CHECK(token_sums(read(with_contexts(1, n, d, T, false, contexts), folder)).sum == mpq_class(5, 3));
    const std::size_t odd = random.below(n * T);
    contexts[odd * d] += mpq_class(1, 1000000007);
    const TokenSums sums = token_sums(read(with_contexts(1, n, d, T, false, contexts), folder));
    REQUIRE(sums.different.has_value());
    const auto [first, second] = *sums.different;
    CHECK(((first.first * n + first.second == odd) != (second.first * n + second.second == odd)));
  }
}

TEST_CASE("unlucky primes: the hull and its minors are those over the rationals") {
  Folder folder;
  const mpz_class p(static_cast<unsigned long>(small_prime(0))),
      q(static_cast<unsigned long>(small_prime(1)));
  struct Tokens {
    Numbers contexts;
    std::size_t affine, linear;
  };
  // Ranks over the rationals; mod the first prime, or both of the first two, each is smaller.
  for (const auto& [contexts, affine, linear] :
       {Tokens{{0, 0, 0, p, 0, 0, 0, 1, 0}, 3, 2}, Tokens{{1, 0, 0, 1, p, 0, 1, 0, p * q}, 3, 3},
        Tokens{{p, 0, 0, 0, p * q, 0, p, p * q, 0}, 3, 2}, Tokens{{1, 2, p, 1, 2, 0, 1, 2, p * q}, 2, 2}})
    for (const bool shared : {true, false}) {
      CAPTURE(affine);
      CAPTURE(shared);
      const Case c = read(with_contexts(2, shared ? 3 : 1, 3, shared ? 5 : 3, shared, contexts), folder);
      CHECK(token_rank(c, true) == affine);
      CHECK(token_rank(c, false) == linear);
      for (const AffineHull& hull : {affine_hull(c), cheapest_affine_hull(c)}) {
        check_hull(c, hull);
        for (const bool with_ones : {true, false}) {
          const TokenMinor minor = token_minor(c, hull, with_ones);
          const std::size_t rank = with_ones ? affine : linear;
          CHECK(minor.tokens.size() == rank);
          CHECK(minor.cols.size() == rank);
          RationalMatrix m(minor.tokens.size(), minor.cols.size());
          for (std::size_t i = 0; i < m.rows(); ++i)
            for (std::size_t j = 0; j < m.cols(); ++j) {
              const auto [t, token] = minor.tokens[i];
              m(i, j) = minor.cols[j] == 3 ? mpq_class(1) : tokens_of(c, t)(token, minor.cols[j]);
            }
          CHECK(test::textbook_rank(m) == rank);
        }
      }
      const ClaimProof proof = certified(c)[0];
      CHECK(proof.verdict == Verdict::verified);
      CHECK(step(proof, "token-minor")["tokens"].size() == affine);
      // Mod the unlucky prime the same minor is singular.
      CHECK_FALSE(accepted_after(c, proof, "token-minor", [](Json& s) { s["p"] = small_prime(0); }));
    }
}
