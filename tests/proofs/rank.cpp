#include "proofs/rank.hpp"

#include "search/arithmetic/modular.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft small_draft(Random& random) {
  return random_draft(random, random.between(1, 4), random.between(1, 4), random.between(1, 4),
                      random.between(1, 3), random.between(1, 8), random.one_in(2), random.one_in(2) ? 1 : 3);
}

struct Interval {
  std::size_t lower, upper;
};

Interval rank_of(const Proof& proof) {
  const Bounds rank = proof.of("rank(Z(given))");
  return {rank.lower.get_ui(), rank.upper.get_ui()};
}

// Proves `rank` for a draft that has no claims yet, and has the checker validate it.
Proof proof_of_rank(Draft draft) {
  draft.claims = {claim("rank")};
  Proof proof = certified(read(draft))[0];
  const Interval rank = rank_of(proof);
  CHECK(proof.verdict() == (rank.lower == rank.upper ? Verdict::verified : Verdict::undecided));
  CHECK(proof.reason.empty() == (rank.lower == rank.upper));
  return proof;
}

Interval proved_rank(const Draft& draft) {
  return rank_of(proof_of_rank(draft));
}

void zero_head(Numbers& weights, std::size_t size, std::size_t h) {
  for (std::size_t k = 0; k < size; ++k) weights[h * size + k] = 0;
}

void copy_head(Numbers& weights, std::size_t size, std::size_t from, std::size_t to) {
  for (std::size_t k = 0; k < size; ++k) weights[to * size + k] = weights[from * size + k];
}

}  // namespace

TEST_CASE("nine of ten ranks of small layers are decided, in any base, of any numbers") {
  std::size_t points = 0, total = 0;
  FOR_SEEDS(400, 0) {
    Draft draft = small_draft(random);
    if (seed % 3 == 1) draft.base = Base::two;
    const char* const scales[] = {"", "", "-2", "1/sqrt(d)", "1/sqrt(d_h)", "-5/3"};
    draft.logit_scale = scales[seed % 6];
    if (seed % 2 == 0) {
      draft.contexts = rationals(random, draft.contexts.size(), 2, 3);
      draft.key = rationals(random, draft.key.size(), 2, 2);
    }
    if (seed % 5 == 0) {
      draft.key_bias = rationals(random, draft.heads * draft.head_dim, 2, 3);
      draft.query_bias = rationals(random, draft.heads * draft.head_dim, 2, 3);
    } else if (seed % 5 == 1) {
      draft = draft.without_weights();
      draft.combined = integers(random, draft.heads * draft.embed_dim * draft.embed_dim, 2);
    }
    const Interval rank = proved_rank(draft);
    ++total;
    points += rank.lower == rank.upper ? 1 : 0;
  }
  MESSAGE(points << " of " << total << " ranks decided");
  CHECK(points * 10 >= total * 9);
}

TEST_CASE("every rank of a tiny layer is decided") {
  FOR_SEEDS(60, 2000) {
    const Interval rank = proved_rank(random_draft(random, random.between(1, 2), 2, random.between(1, 2), 1,
                                                   random.between(1, 4), random.one_in(2), 1));
    CHECK(rank.lower == rank.upper);
  }
}

TEST_CASE("a prime that divides a denominator is passed over") {
  const Character first = small_character(Ring::independent, 0);
  Random random(5);
  Draft draft = random_draft(random, 2, 2, 3, 2, 3, true, 3);
  draft.contexts[0] = mpq_class(1, static_cast<unsigned long>(first.p));
  draft.contexts[4] = mpq_class(1, static_cast<unsigned long>(first.q));
  const Interval rank = proved_rank(draft);
  CHECK(rank.lower == rank.upper);
  draft.key[0] = mpq_class(2, static_cast<unsigned long>(first.q));
  CHECK(proved_rank(draft).lower == rank.lower);
}

TEST_CASE("random weights reach the affine hull bound: shared and fresh contexts") {
  FOR_SEEDS(30, 4000) {
    const bool shared = seed % 2 == 0;
    const std::size_t H = random.between(1, 5), n = random.between(2, 5), d = n + random.below(3),
                      T = random.between(1, 20);
    Draft draft = random_draft(random, H, n, d, 1 + random.below(2), T, shared, 100);
    draft.base = seed % 3 == 0 ? Base::two : Base::e;
    const Interval rank = proved_rank(draft);
    CHECK(rank.lower == rank.upper);
    CHECK(rank.lower == (shared ? std::min(T, H * (n - 1) + 1) : std::min(T, H * d)));
  }
}

TEST_CASE("exact reasons: equal heads") {
  FOR_SEEDS(20, 5000) {
    const bool shared = seed % 2 == 0;
    Draft draft = random_draft(random, 3, 3, 4, 2, 12, shared, 9);
    draft.base = seed % 3 == 0 ? Base::two : Base::e;
    copy_head(draft.key, 8, 0, 2);
    copy_head(draft.query, 8, 0, 2);
    const Proof proof = proof_of_rank(draft);
    CHECK(proof.is("rank(Z(given))", shared ? 2 * 2 + 1 : 2 * 4));
    CHECK(has_step(proof, "theorem", "equal-heads"));
  }
}

TEST_CASE("exact reasons: zero heads, alone and in company") {
  FOR_SEEDS(20, 6000) {
    const bool shared = seed % 2 == 0;
    Draft draft = random_draft(random, 4, 3, 4, 2, 14, shared, 9);
    zero_head(draft.key, 8, 1);
    zero_head(draft.query, 8, 3);
    CHECK(proof_of_rank(draft).is("rank(Z(given))", shared ? 2 * 2 + 1 : 3 * 4));
  }
  Random random(1);
  Draft draft = random_draft(random, 3, 3, 4, 2, 6, true, 9);
  for (mpq_class& x : draft.key) x = 0;
  CHECK(proved_rank(draft).upper == 1);
  CHECK(proved_rank(draft).lower == 1);
}

TEST_CASE("exact reasons: a head whose coefficients do not depend on the query") {
  // With key and query biases the logit is (x.k + b)(q.e + c); a zero query matrix leaves (x.k) c.
  FOR_SEEDS(20, 7000) {
    Draft draft = random_draft(random, 3, 3, 4, 2, 12, true, 99);
    draft.key_bias = integers(random, 6, 5);
    draft.query_bias = integers(random, 6, 5);
    zero_head(draft.query, 8, 1);
    draft.query_bias[2] = 2;
    const Proof proof = proof_of_rank(draft);
    CHECK(proof.is("rank(Z(given))", 2 * 2 + 1));
    CHECK(has_step(proof, "theorem", "constant-heads"));
  }
}

TEST_CASE("two reasons that only together give the rank: an interval") {
  // Head 1 does not depend on the query, and the keys of head 2 give two tokens equal coefficients. The first
  // reason is one of structure, the second a rational kernel; no step combines them, and the exponents are
  // too large for elimination.
  Random random(7006);
  Draft draft = random_draft(random, 3, 3, 4, 2, 12, true, 9);
  draft.key_bias = integers(random, 6, 5);
  draft.query_bias = integers(random, 6, 5);
  zero_head(draft.query, 8, 1);
  draft.query_bias[2] = 2;
  const Interval rank = proved_rank(draft);
  CHECK(rank.lower == 4);
  CHECK(rank.upper >= 4);
  CHECK(rank.upper <= 5);
}

TEST_CASE("exact reasons: opposite queries and two-token contexts") {
  // The coefficients of -e are those of e in the other order, so z(e) + z(-e) = E_1 + E_2: k pairs have rank
  // k + 1 at most.
  for (const Base base : {Base::e, Base::two})
    for (std::size_t H = 2; H <= 4; ++H)
      for (std::size_t pairs = 2; pairs <= 4; ++pairs)
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
          PRINTED_SEED(seed);
          CAPTURE(H);
          CAPTURE(pairs);
          Random random(8000 + seed);
          Draft draft = random_draft(random, H, 2, 3, 2, 2 * pairs, true, 4);
          draft.base = base;
          for (std::size_t k = 0; k < pairs; ++k)
            for (std::size_t j = 0; j < 3; ++j)
              draft.queries[(2 * k + 1) * 3 + j] = -draft.queries[2 * k * 3 + j];
          const Interval rank = proved_rank(draft);
          CHECK(rank.lower == rank.upper);
          CHECK(rank.upper <= std::min(pairs, H) + 1);
        }
}

TEST_CASE("exact reasons: an affine hull that contains zero") {
  FOR_SEEDS(20, 9000) {
    // Fresh contexts in the plane x_0 + x_1 + x_2 = 0: H a = 2 H without the + 1.
    const std::size_t H = random.between(1, 3);
    Draft draft = random_draft(random, H, 3, 3, 1, 9, false, 9);
    for (std::size_t k = 0; k < 27; ++k)
      draft.contexts[3 * k + 2] = -draft.contexts[3 * k] - draft.contexts[3 * k + 1];
    const Interval rank = proved_rank(draft);
    CHECK(rank.lower == rank.upper);
    CHECK(rank.upper == 2 * H);
    // The same plane moved away from 0 has the + 1.
    for (std::size_t k = 0; k < 27; ++k) draft.contexts[3 * k] += 1;
    const Interval moved = proved_rank(draft);
    CHECK(moved.lower == moved.upper);
    CHECK(moved.upper == 2 * H + 1);
  }
}

TEST_CASE("edges: n = 1, T = 1, all tokens zero") {
  Random random(1);
  for (const bool shared : {true, false}) {
    Draft one_token = random_draft(random, 3, 1, 3, 2, 5, shared, 9);
    const Interval rank = proved_rank(one_token);
    CHECK(rank.lower == rank.upper);
    CHECK(rank.upper == (shared ? 1 : 3));
    Draft one_example = random_draft(random, 3, 4, 3, 2, 1, shared, 9);
    CHECK(proved_rank(one_example).lower == 1);
    Draft nothing = random_draft(random, 2, 3, 2, 1, 4, shared, 9);
    for (mpq_class& x : nothing.contexts) x = 0;
    CHECK(proved_rank(nothing).upper == 0);
  }
}

TEST_CASE("claims about the rank: value, at_least, at_most, each with each verdict") {
  Random random(11);
  Draft draft = random_draft(random, 2, 3, 4, 2, 8, true, 9);  // rank 5
  draft.claims = {claim("rank", "value = 5"),    claim("rank", "value = 4"),
                  claim("rank", "value = 6"),    claim("rank", "at_least = 5"),
                  claim("rank", "at_least = 6"), claim("rank", "at_most = 5"),
                  claim("rank", "at_most = 4"),  claim("rank")};
  const auto proofs = certified(read(draft));
  const Verdict expected[] = {Verdict::verified, Verdict::refuted,  Verdict::refuted, Verdict::verified,
                              Verdict::refuted,  Verdict::verified, Verdict::refuted, Verdict::verified};
  for (std::size_t k = 0; k < proofs.size(); ++k) {
    CAPTURE(k);
    CHECK(proofs[k].verdict() == expected[k]);
    CHECK(proofs[k].is("rank(Z(given))", 5));
  }
}

TEST_CASE("equal examples: the rank is at most the number of different ones, for given weights and for all") {
  Random random(12);
  Draft draft = random_draft(random, 3, 3, 4, 2, 8, true, 9);
  for (std::size_t t = 3; t < 8; ++t)
    for (std::size_t j = 0; j < 4; ++j) draft.queries[t * 4 + j] = draft.queries[t % 3 * 4 + j];
  const Proof proof = proof_of_rank(draft);
  CHECK(proof.is("rank(Z(given))", 3));
  CHECK(has_step(proof, "theorem", "equal-rows"));
}

TEST_CASE("a full minor needs nothing from above") {
  Random random(13);
  const Proof proof = proof_of_rank(random_draft(random, 3, 3, 4, 2, 6, false, 9));
  CHECK(proof.is("rank(Z(given))", 6));
  CHECK(proof.is("rank(Z(any))", 6));
  CHECK(proof.steps.size() == 2);
  CHECK(has_step(proof, "minor", "rank(Z(given))"));
  CHECK(has_step(proof, "theorem", "some-coefficients"));
}

TEST_CASE("kernel vectors: rational ones are written as such, and changed ones are no proof") {
  Draft draft;  // queries e, -e, f, -f and two tokens: the relation (1, 1, -1, -1) of the rows
  draft.heads = 3, draft.context = 2, draft.embed_dim = 3, draft.head_dim = 1, draft.examples = 4;
  draft.contexts = {1, 0, 3, 0, 1, 1};
  draft.queries = {1, 2, 0, -1, -2, 0, 3, 1, 1, -3, -1, -1};
  draft.key = {1, 0, 2, 0, 1, 2, 5, 1, 1};
  draft.query = {1, 2, 0, 1, -1, 3, 3, 3, 1};
  draft.claims = {claim("rank", "value = 3")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.is("rank(Z(given))", 3));
  const Json kernel = step(proof, "zero", "rank(Z(given))");
  CHECK(kernel["side"] == "left");
  CHECK_FALSE(kernel.contains("g"));
  REQUIRE(kernel["vectors"].size() == 1);
  CHECK(kernel["vectors"][0].size() == 4);
  const auto changed = [&](auto change) {
    return accepted_after(c, proof, "zero", "rank(Z(given))", change);
  };
  CHECK_FALSE(changed([](Json& s) { s["vectors"][0][1][1] = "2"; }));
  CHECK_FALSE(changed([](Json& s) { s["vectors"][0].erase(3); }));
  CHECK_FALSE(changed([](Json& s) { s["side"] = "right"; }));
  CHECK_FALSE(changed([](Json& s) { s["fact"] = "rank(Z(given)) <= 2"; }));
  CHECK_FALSE(accepted_after(c, proof, "minor", "rank(Z(given))", [](Json& s) {
    s["rows"] = {0, 1, 2, 3};
    s["cols"] = {0, 1, 2, 3};
    s["fact"] = "rank(Z(given)) >= 4";
  }));
}
