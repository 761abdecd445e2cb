#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft labelled(Random& random, std::size_t H, std::size_t n, std::size_t d, std::size_t T, Base base,
               std::size_t out) {
  Draft draft = random_draft(random, H, n, d, n, T, random.one_in(2), 9).without_weights();
  for (mpq_class& x : draft.queries)
    if (x == 0) x = 10;
  draft.base = base;
  draft.output_dim = out;
  draft.labels = rationals(random, T * out, 9, 7);
  draft.claims = {claim("skip-connection")};
  return draft;
}

}  // namespace

TEST_CASE("skip connection: verified where the assumptions hold") {
  std::size_t verified = 0;
  FOR_SEEDS(40, 0) {
    const std::size_t n = random.between(1, 3), d = n + random.below(2), H = random.between(1, 3),
                      T = random.between(1, H * (n - 1) + 1), out = random.between(1, d);
    const auto [c, proof] = proved(labelled(random, H, n, d, T, seed % 2 == 0 ? Base::e : Base::two, out));
    const bool hypotheses = textbook_kruskal_rank(queries_of(c)) >= std::min(n, T) && [&] {
      for (std::size_t t = 0; t < T; ++t)
        if (textbook_rank(tokens_of(c, t)) < n) return false;
      return true;
    }();
    CHECK(proof.verdict() == (hypotheses ? Verdict::verified : Verdict::inapplicable));
    if (!hypotheses) continue;
    ++verified;
    CHECK(has_step(proof, "inverse", "readout"));
  }
  CHECK(verified > 25);
}

TEST_CASE("skip connection: weights of Theorem 1 are not those with a skip connection") {
  for (const Base base : {Base::e, Base::two}) {
    Random random(3);
    Draft draft = labelled(random, 2, 3, 3, 5, base, 2);
    const Case skip = read(draft);
    draft.claims = {claim("theorem-1")};
    const Case plain = read(draft);
    const Proof with = certified(skip)[0], without = certified(plain)[0];
    REQUIRE(with.verdict() == Verdict::verified);
    REQUIRE(without.verdict() == Verdict::verified);
    CHECK_FALSE(accepted(skip, {without}));
    CHECK_FALSE(accepted(plain, {with}));
  }
}
