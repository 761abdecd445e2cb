#include "search/affine_hull.hpp"

#include "search/arithmetic/modular.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// All tokens, or all tokens with a coordinate 1 more.
RationalMatrix all_tokens(const Case& c, bool affine) {
  const std::size_t d = c.layer->embed_dim, count = c.data.contexts->size() / d;
  RationalMatrix tokens(count, d + (affine ? 1 : 0));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = 0; j < d; ++j) tokens(k, j) = c.data.contexts->at(k * d + j);
    if (affine) tokens(k, d) = 1;
  }
  return tokens;
}

std::size_t token_rank(const Case& c, bool affine) {
  return test::textbook_rank(all_tokens(c, affine));
}

// The bound for all weights, from the ranks over the rationals.
std::size_t textbook_bound(const Case& c) {
  const std::size_t affine = token_rank(c, true), linear = token_rank(c, false), H = c.layer->heads;
  return linear < affine ? H * linear : H * (affine - 1) + 1;
}

// The same with the hulls of the contexts: (H - 1) dim V + the rank of the tokens, V the span of all E_ti -
// E_t1.
std::size_t context_hulls_bound(const Case& c) {
  const std::size_t n = c.layer->context;
  RationalMatrix differences = all_tokens(c, false);
  for (std::size_t k = differences.rows(); k-- > 0;)
    for (std::size_t j = 0; j < differences.cols(); ++j) differences(k, j) -= differences(k / n * n, j);
  return (c.layer->heads - 1) * test::textbook_rank(differences) + token_rank(c, false);
}

// Ranks, bound and kernel of the hull once the kernel has made them exact.
void check_hull(const Case& c) {
  AffineHull hull(c);
  const std::vector<std::vector<mpz_class>> kernel = hull.kernel();
  const bool affine = hull.best() == Span::affine;
  CHECK(affine == (token_rank(c, false) == token_rank(c, true)));
  CHECK(hull.bound() == textbook_bound(c));
  const RationalMatrix tokens = all_tokens(c, affine);
  REQUIRE(tokens.cols() == hull.columns(hull.best()));
  RationalMatrix x(tokens.cols(), kernel.size());
  for (std::size_t k = 0; k < kernel.size(); ++k)
    for (std::size_t j = 0; j < x.rows(); ++j) x(j, k) = kernel[k][j];
  CHECK(test::textbook_rank(x) == kernel.size());
  CHECK(kernel.size() == tokens.cols() - test::textbook_rank(tokens));
  const RationalMatrix zero = test::product(tokens, x);
  for (std::size_t k = 0; k < zero.rows() * zero.cols(); ++k) CHECK(zero.data()[k] == 0);
  for (const Span span : {Span::linear, Span::affine}) {
    const AffineHull::TokenRank rank = hull.rank(span);
    CHECK(rank.minor.rank() == token_rank(c, span == Span::affine));
    CHECK(rank.minor.cols.size() == rank.minor.rank());
  }
}

Draft with_contexts(std::size_t heads, std::size_t context, std::size_t embed_dim, std::size_t examples,
                    bool shared, const Numbers& contexts) {
  Draft draft = sized_draft(heads, context, embed_dim, 1, examples);
  draft.shared = shared;
  draft.contexts = contexts;
  draft.claims = {claim("affine-hull-bound")};
  return draft;
}

// The upper bound that a proof shows for all coefficients.
std::size_t hull_bound(const Proof& proof) {
  return proof.of("rank(Z(any))").upper.get_ui();
}

}  // namespace

TEST_CASE("any coefficients: the hull above, a layer below, and no more is claimed than they show") {
  FOR_SEEDS(12, 0) {
    Draft draft = random_draft(random, 2, 3, 3, 2, seed % 3 == 0 ? 2 : 8, true, 5);
    draft.claims = {claim("any-coefficients")};
    const Case c = read(draft);
    const auto proofs = certified(c);
    const Bounds found = proofs[0].of("rank(Z(any))");
    CHECK(found.upper <=
          static_cast<unsigned long>(std::min({draft.examples, std::size_t{6}, textbook_bound(c)})));
    CHECK(proofs[0].of("capacity").lower <= found.lower);
    CHECK(proofs[0].verdict() == (found.decided() ? Verdict::verified : Verdict::undecided));
    CHECK(proofs[0].reason.empty() == found.decided());
  }
}

TEST_CASE("points of a random affine subspace: its ranks, functionals and bound") {
  FOR_SEEDS(60, 0) {
    const bool shared = seed % 2 == 0, through_zero = seed % 3 == 0;
    const std::size_t d = random.between(1, 6), a = random.between(0, d), n = random.between(1, 5),
                      T = random.between(1, 6), H = random.between(1, 3);
    const std::size_t tokens = (shared ? 1 : T) * n;
    const RationalMatrix basis = random.matrix(a, d, 5, 3), origin = random.matrix(1, d, 5, 3);
    Numbers contexts;
    for (std::size_t k = 0; k < tokens; ++k) {
      const RationalMatrix weights = random.matrix(1, a, 4, 3), x = test::product(weights, basis);
      for (std::size_t j = 0; j < d; ++j)
        contexts.push_back((through_zero ? mpq_class(0) : origin(0, j)) + x(0, j));
    }
    const Case c = read(with_contexts(H, n, d, T, shared, contexts));
    check_hull(c);
    const Proof proof = certified(c)[0];
    CHECK(proof.verdict() == Verdict::verified);
    CHECK(hull_bound(proof) == std::min({T, H * d, textbook_bound(c), context_hulls_bound(c)}));
  }
}

TEST_CASE("contexts on parallel lines in a plane that does not contain 0: the span of all tokens counts") {
  // Tokens (x, y, 1, 0, 0), each context on a line y = const: (H - 1) 1 + 3 instead of 2 H + 1 = 11.
  Numbers contexts;
  for (const long t : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    for (const long i : {0, 1, 2})
      for (const long x : {t + i * i, t * t, 1L, 0L, 0L}) contexts.emplace_back(x);
  const auto [c, proof] = proved(with_contexts(5, 3, 5, 12, false, contexts));
  CHECK(textbook_bound(c) == 11);
  CHECK(hull_bound(proof) == 7);
}

TEST_CASE("many tokens: those that matter may come last, and equal ones count once") {
  Numbers contexts(60 * 4 * 3, mpq_class(1));
  contexts[60 * 4 * 3 - 1] = mpq_class(1, 2);
  contexts[40 * 4 * 3] = 3;
  const Case c = read(with_contexts(2, 4, 3, 60, false, contexts));
  check_hull(c);
  AffineHull hull(c);
  CHECK(hull.rank(Span::affine).minor.rank() == 3);
  CHECK(hull.rank(Span::affine).minor.rows == std::vector<std::size_t>{0, 1, 2});
  // Three distinct tokens have an affine rank of at most 3: nothing needs a proof but the theorem.
  const Proof proof = certified(c)[0];
  CHECK_FALSE(has_step(proof, "zero"));
  CHECK(hull_bound(proof) == 5);
}

TEST_CASE("one point, the zero point, everything") {
  Case c = read(with_contexts(3, 2, 2, 4, true, {1, 2, 1, 2}));
  check_hull(c);
  CHECK(hull_bound(certified(c)[0]) == 1);
  c = read(with_contexts(3, 2, 2, 4, true, {0, 0, 0, 0}));
  check_hull(c);
  CHECK(hull_bound(certified(c)[0]) == 0);
  c = read(with_contexts(3, 3, 2, 4, true, {0, 0, 1, 0, 0, 1}));
  check_hull(c);
  CHECK(hull_bound(certified(c)[0]) == 4);
}

TEST_CASE("functionals: a changed one is no proof") {
  // x + y + z = 6 and, of it, x = 1: an affine rank of 2 among four tokens.
  const Case c = read(with_contexts(2, 4, 3, 9, true, {1, 2, 3, 1, 3, 2, 1, 7, -2, 1, 4, 1}));
  check_hull(c);
  const Proof proof = certified(c)[0];
  CHECK(hull_bound(proof) == 3);
  CHECK(step(proof, "zero", "rank(affine-tokens)")["vectors"].size() == 2);
  const auto changed = [&](auto change) {
    return accepted_after(c, proof, "zero", "rank(affine-tokens)", [&](Json& s) { change(s["vectors"]); });
  };
  CHECK(changed([](Json&) {}));
  CHECK_FALSE(changed([](Json& vectors) { vectors[0][0][1] = "2/7"; }));
  CHECK_FALSE(changed([](Json& vectors) { vectors[1] = vectors[0]; }));
  CHECK_FALSE(changed([](Json& vectors) { vectors.erase(0); }));  // then the fact is another one
}

TEST_CASE("unlucky primes: the hull and its minors are those over the rationals") {
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
      const Case c = read(with_contexts(2, shared ? 3 : 1, 3, shared ? 5 : 3, shared, contexts));
      CHECK(token_rank(c, true) == affine);
      CHECK(token_rank(c, false) == linear);
      check_hull(c);
      const Proof proof = certified(c)[0];
      CHECK(proof.verdict() == Verdict::verified);
    }
  // The minor shows the rank mod the prime that it names; mod the unlucky one it is singular.
  const auto [c, proof] = proved(with_contexts(1, 2, 2, 3, true, {1, 0, 1, p}));
  CHECK(proof.of("rank(affine-tokens)").lower <= 2);
  const Json minor = step(proof, "minor", "rank(tokens)");
  CHECK(minor["rows"].size() == minor["cols"].size());
  CHECK_FALSE(accepted_after(c, proof, "minor", "rank(tokens)", [](Json& s) {
    s["p"] = small_prime(0);
    s["rows"] = {0, 1};
    s["cols"] = {0, 1};
    s["fact"] = "rank(tokens) >= 2";
  }));
  CHECK(accepted_after(c, proof, "minor", "rank(tokens)", [](Json& s) {
    s["p"] = small_prime(1);
    s["rows"] = {0, 1};
    s["cols"] = {0, 1};
    s["fact"] = "rank(tokens) >= 2";
  }));
}
