// The layer with its skip connection evaluated from the definition, with the weights of the read-out: what it
// predicts is the label.
#include "problem/numbers.hpp"
#include "tests/proofs/cases.hpp"
#include "tests/proofs/constructions.hpp"

using namespace attest;
using namespace attest::test;

namespace {

constexpr slong kPrecision = 4096;

Ball ball_of(const Json& weight) {
  Ball ball(parse_number(weight["mid"].get<std::string>()), kPrecision);
  const Ball radius(parse_number(weight["rad"].get<std::string>()), kPrecision);
  arb_add_error(ball.get(), radius.get());
  return ball;
}

bool contains(const Ball& ball, const mpq_class& x) {
  const Ball point(x, 8 * kPrecision);
  return arb_overlaps(ball.get(), point.get()) != 0;
}

struct Predictions {
  std::size_t correct = 0, without_skip = 0;
  mpq_class widest = 0;
};

// Z U + query against the labels; and Z U alone.
Predictions predict(const Case& c, const Proof& proof) {
  const std::size_t T = c.layer->examples, out = c.layer->output_dim;
  const Logits logits = textbook_logits(c, weights_of(step(proof, "let"), c.layer->embed_dim));
  Predictions result;
  const Json readout = step(proof, "inverse", "readout");
  const BallMatrix z = textbook_z(c, logits, kPrecision);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t o = 0; o < out; ++o) {
      const mpq_class label = c.data.labels->at(t * out + o), query = queries_of(c)(t, o);
      Ball y;
      for (std::size_t k = 0; k < T; ++k) {
        const Ball u = ball_of(readout["weights"][k][o]);
        arb_addmul(y.get(), z(t, readout["cols"][k].get<std::size_t>()).get(), u.get(), kPrecision);
      }
      result.without_skip += contains(y, label) ? 1 : 0;
      const Ball e(query, kPrecision);
      arb_add(y.get(), y.get(), e.get(), kPrecision);
      result.correct += contains(y, label) ? 1 : 0;
      Ball radius;
      arb_get_rad_arb(radius.get(), y.get());
      result.widest = std::max(result.widest, *upper_bound(radius));
    }
  return result;
}

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

TEST_CASE("skip connection: the prediction is the label, and only with the query added") {
  std::size_t verified = 0, narrow = 0;
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
    const Json readout = step(proof, "inverse", "readout");
    RationalMatrix shifted = queries_of(c);
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t o = 0; o < out; ++o) shifted(t, o) = c.data.labels->at(t * out + o) - shifted(t, o);
    check_enclosure(c, step(proof, "let"), readout, shifted);
    const Predictions p = predict(c, proof);
    CHECK(p.correct == T * out);
    // Balls say more where Z is well conditioned; no entry of a query is 0.
    if (p.widest > mpq_class(1, 1u << 30)) continue;
    ++narrow;
    CHECK(p.without_skip == 0);
  }
  CHECK(verified > 25);
  CHECK(narrow + 3 > verified);
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
    CHECK(predict(plain, without).without_skip == 10);
    CHECK(predict(plain, without).correct == 0);
    CHECK_FALSE(accepted(skip, {without}));
    CHECK_FALSE(accepted(plain, {with}));
  }
}
