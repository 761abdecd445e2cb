#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Tokens whose entries sum to `sum`.
Numbers plane(Random& random, std::size_t tokens, std::size_t d, const mpq_class& sum) {
  Numbers v;
  for (std::size_t k = 0; k < tokens; ++k) {
    mpq_class rest = sum;
    for (std::size_t j = 0; j + 1 < d; ++j) {
      v.push_back(random.rational(9, 3));
      rest -= v.back();
    }
    v.push_back(rest);
  }
  return v;
}

}  // namespace

TEST_CASE("Proposition 2: verified for every shared context, and how far the weights reach the bound") {
  FOR_SEEDS(40, 0) {
    const std::size_t H = random.between(1, 3), n = random.between(1, 4), d = random.between(1, 5),
                      T = random.between(1, 10);
    Draft draft = random_draft(random, H, n, d, random.between(1, 3), T, true, seed % 2 == 0 ? 30 : 1);
    if (seed % 4 < 2) draft = draft.without_weights();
    draft.claims = {claim("proposition-2")};
    const auto [c, proof] = proved(draft);
    CHECK(proof.verdict() == Verdict::verified);
    CHECK(proof.finding.conclusion == Truth::yes);
    const std::size_t bound = std::min(T, H * (n - 1) + 1);
    const Bounds any = proof.of("rank(Z(any))"), capacity = proof.of("capacity");
    CHECK(any.upper <= static_cast<unsigned long>(bound));
    CHECK(capacity.upper <= any.upper);
    CHECK(capacity.lower <= any.lower);
    if (c.weights) {
      CHECK(proof.of("rank(Z(given))").lower <= capacity.upper);
    } else {
      CHECK(has_step(proof, "let") == (any.upper > 0));
    }
  }
}

TEST_CASE("Proposition 2 with n = 1: the rank is 1 whatever the weights") {
  Random random(1);
  Draft draft = random_draft(random, 4, 1, 3, 2, 6, true, 9);
  draft.claims = {claim("proposition-2"), claim("rank", "value = 1")};
  const auto proofs = certified(read(draft));
  CHECK(proofs[0].is("capacity", 1));
  CHECK(proofs[1].verdict() == Verdict::verified);
}

TEST_CASE("Proposition 2: equal contexts given one by one count as shared, a different entry does not") {
  Random random(2);
  Draft draft = random_draft(random, 2, 2, 3, 2, 5, true, 30);
  Numbers repeated;
  for (int t = 0; t < 5; ++t) repeated.insert(repeated.end(), draft.contexts.begin(), draft.contexts.end());
  draft.shared = false;
  draft.contexts = repeated;
  draft.claims = {claim("proposition-2")};
  Proof proof = certified(read(draft))[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK(proof.is("capacity", 3));
  draft.contexts[3 * 6 + 1 * 3 + 2] += mpq_class("1/1000000000000000000000");
  proof = inapplicable(draft, "shared-context");
}

TEST_CASE("Proposition 5: constant sums, also zero, also in general position") {
  FOR_SEEDS(40, 100) {
    const std::size_t H = random.between(1, 3), n = random.between(1, 4), d = random.between(1, 4),
                      T = random.between(1, 10);
    const bool shared = seed % 2 == 0;
    Draft draft = random_draft(random, H, n, d, random.between(1, 3), T, shared, 9);
    const mpq_class sum = seed % 3 == 0 ? mpq_class(0) : mpq_class(7, 2);
    draft.contexts = plane(random, (shared ? 1 : T) * n, d, sum);
    if (seed % 4 < 2) draft = draft.without_weights();
    draft.claims = {claim("proposition-5")};
    const Case c = read(draft);
    Proof proof = certified(c)[0];
    CHECK(proof.verdict() == Verdict::verified);
    CHECK(proof.finding.conclusion == Truth::yes);
    const char* const about = sum == 0 ? "rank(tokens)" : "rank(affine-tokens)";
    CHECK(has_step(proof, "zero", about));
    const bool only_zeros = d == 1 && sum == 0;  // then 2 is as good a functional as 1
    CHECK(accepted_after(c, proof, "zero", about, [](Json& s) { s["vectors"][0][0][1] = "2"; }) ==
          only_zeros);
    // One token off the plane.
    if (n * (shared ? 1 : T) < 2) continue;
    draft.contexts[0] += mpq_class("1/1000000000000000000000");
    proof = inapplicable(draft, "constant-sum");
  }
}

TEST_CASE("Proposition 5: binary64 tokens are exact: a sum that only rounds to a constant does not count") {
  Draft draft;
  draft.context = draft.embed_dim = 2;
  draft.claims = {claim("proposition-5")};
  // 0.1 + 0.2 is 0.3 in no binary64 arithmetic that is exact.
  draft.contexts = {mpq_class(0.1), mpq_class(0.2), mpq_class(0.3), 0};
  CHECK(certified(read(draft))[0].verdict() == Verdict::inapplicable);
  draft.contexts = {mpq_class("1/10"), mpq_class("1/5"), mpq_class("3/10"), 0};
  CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
}

TEST_CASE("tokens that are all zero: rank 0 by the hull alone, so no layer is examined") {
  for (const bool given : {true, false}) {
    Random random(4);
    Draft draft = random_draft(random, 2, 2, 2, 2, 4, true, 9);
    for (mpq_class& x : draft.contexts) x = 0;
    if (!given) draft = draft.without_weights();
    draft.claims = {claim("proposition-2"), claim("proposition-5"), claim("affine-hull-bound")};
    for (const Proof& proof : certified(read(draft))) {
      CHECK(proof.verdict() == Verdict::verified);
      CHECK(proof.is("rank(Z(any))", 0));
      CHECK_FALSE(has_step(proof, "let"));
    }
    // One token that is not: now there is something to examine.
    draft.contexts[1] = 1;
    for (const Proof& proof : certified(read(draft))) {
      CHECK(has_step(proof, "let") == !given);
      CHECK(proof.of("rank(Z(any))").lower > 0);
    }
  }
}

TEST_CASE("Proposition 5 is tight for fresh contexts, also when the given weights do not show it") {
  Random random(3);
  Draft draft = random_draft(random, 2, 4, 4, 2, 9, false, 9);
  draft.contexts = plane(random, 36, 4, 1);
  draft.claims = {claim("proposition-5")};
  Proof proof = certified(read(draft))[0];
  CHECK(proof.is("capacity", 7));
  for (mpq_class& x : draft.key) x = 0;
  proof = certified(read(draft))[0];
  CHECK(proof.is("capacity", 7));
  CHECK(has_step(proof, "let"));
}

TEST_CASE("given weights that are not of the shape are not used for the capacity") {
  Random random(5);
  Draft draft = random_draft(random, 2, 3, 3, 2, 6, true, 9);
  draft.claims = {claim("proposition-2")};
  CHECK_FALSE(has_step(certified(read(draft))[0], "let"));
  Draft biased = draft;
  biased.query_bias = integers(random, 4, 3);
  CHECK(has_step(certified(read(biased))[0], "let"));
  // A matrix W_h may have a rank above d_h = 2, not above d_h = 3.
  draft = draft.without_weights();
  draft.combined = integers(random, 18, 9);
  CHECK(has_step(certified(read(draft))[0], "let"));
  draft.head_dim = 3;
  CHECK_FALSE(has_step(certified(read(draft))[0], "let"));
}
