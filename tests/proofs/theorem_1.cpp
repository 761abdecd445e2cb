
#include "problem/numbers.hpp"
#include "search/arithmetic/flint.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft labelled(Random& random, std::size_t H, std::size_t n, std::size_t d, std::size_t dh, std::size_t T,
               bool shared, Base base, std::size_t output_dim = 1) {
  Draft draft = random_draft(random, H, n, d, dh, T, shared, 20).without_weights();
  draft.base = base;
  draft.output_dim = output_dim;
  draft.labels = rationals(random, T * output_dim, 9, 4);
  draft.claims = {claim("theorem-1")};
  return draft;
}

}  // namespace

TEST_CASE("memorization on random shapes, with a read-out") {
  std::size_t enclosed = 0;
  FOR_SEEDS(48, 0) {
    const std::size_t n = random.between(1, 4), d = n + random.below(2), H = random.between(1, 3),
                      dh = random.between(1, 4);
    const std::size_t bound = H * (std::min(n, dh) - 1) + 1,
                      T = seed % 3 == 0 ? bound : random.between(1, bound);
    const auto [c, proof] = proved(labelled(random, H, n, d, dh, T, seed % 2 == 0,
                                            seed % 4 < 2 ? Base::e : Base::two, 1 + random.below(2)));
    if (proof.hypothesis("assumption-1") == Truth::yes && proof.hypothesis("assumption-2") == Truth::yes)
      CHECK(proof.verdict() == Verdict::verified);
    if (proof.verdict() != Verdict::verified) continue;
    CHECK(proof.is("capacity", T));
    CHECK(proof.is("readout", 1));
    CHECK(has_step(proof, "inverse", "readout"));
    ++enclosed;
  }
  MESSAGE(enclosed << " read-outs");
  CHECK(enclosed >= 23);
}

TEST_CASE("without labels there is no read-out, and the conclusion is for all labels") {
  Random random(1);
  Draft draft = labelled(random, 2, 3, 3, 3, 5, false, Base::e);
  draft.labels.clear();
  const Proof proof = certified(read(draft))[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK_FALSE(has_step(proof, "inverse", "readout"));
}

TEST_CASE("a limit on the read-out leaves the theorem as it is") {
  Random random(2);
  const Case c = read(labelled(random, 2, 3, 3, 3, 5, true, Base::e));
  Effort effort;
  effort.readout_examples = 4;
  const Proof proof = certified(c, effort)[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK_FALSE(has_step(proof, "inverse", "readout"));
}

TEST_CASE("too many examples: inapplicable, the conclusion may be true all the same") {
  Random random(3);
  // Fresh contexts: T = 6 > 5 = H (r - 1) + 1, but Z may have rank 8.
  Proof proof = certified(read(labelled(random, 2, 3, 4, 3, 6, false, Base::e)))[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  CHECK(proof.hypothesis("examples") == Truth::no);
  // Shared: the affine hull forbids it.
  proof = certified(read(labelled(random, 2, 3, 4, 3, 6, true, Base::e)))[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  CHECK(proof.of("capacity").upper < 6);
  CHECK(proof.finding.conclusion == Truth::open);  // each label could have weights of its own
  CHECK_FALSE(has_step(proof, "let"));
}

TEST_CASE("an enclosed read-out: its margin, and what is no proof of it") {
  Random random(5);
  const auto [c, proof] = proved(labelled(random, 2, 3, 3, 3, 5, true, Base::e, 2));
  REQUIRE(proof.verdict() == Verdict::verified);
  const auto changed = [&](auto change) { return accepted_after(c, proof, "inverse", "readout", change); };
  const auto scaled = [](const Json& number, const mpq_class& factor) {
    return number_text(parse_number(number.get<std::string>()) * factor);
  };
  // The prover leaves a factor 2^10 to the checker.
  CHECK(changed([&](Json& s) {
    for (Json& row : s["weights"])
      for (Json& ball : row) ball["rad"] = scaled(ball["rad"], mpq_class(1, 1000));
  }));
  CHECK(changed([&](Json& s) { s["precision"] = s["precision"].get<int>() / 2; }));
  CHECK_FALSE(changed([&](Json& s) { s["weights"][2][1]["rad"] = "0"; }));
  CHECK_FALSE(changed(
      [&](Json& s) { s["weights"][2][1]["mid"] = scaled(s["weights"][2][1]["mid"], mpq_class(3, 2)); }));
  CHECK_FALSE(changed([&](Json& s) { std::swap(s["weights"][2], s["weights"][3]); }));
  CHECK_FALSE(changed([&](Json& s) {
    for (Json& row : s["inverse"])
      for (Json& x : row) x = scaled(x, 3);
  }));
  CHECK_FALSE(changed([&](Json& s) { s["inverse"][0] = s["inverse"][1]; }));
  CHECK_FALSE(changed([&](Json& s) { s["cols"][0] = s["cols"][1]; }));
  CHECK_FALSE(changed([&](Json& s) { s.erase("inverse"); }));
}

TEST_CASE("zero labels, equal labels") {
  Random random(4);
  for (const Base base : {Base::e, Base::two}) {
    Draft draft = labelled(random, 2, 3, 3, 3, 5, true, base);
    for (mpq_class& y : draft.labels) y = 0;
    CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
    for (mpq_class& y : draft.labels) y = mpq_class(1, 3);
    CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
  }
}

namespace {

// A number that the results show.
std::size_t shown(const Proof& proof, const std::string& name) {
  for (const Finding::Number& number : proof.finding.shown)
    if (number.name == name) return number.bounds.lower.get_ui();
  FAIL("no " << name);
  return 0;
}

}  // namespace

TEST_CASE("the paper's three settings: all weights are counted") {
  for (std::size_t d = 2; d <= 4; ++d)
    for (std::size_t H = 1; H <= 3; ++H)
      for (int setting = 1; setting <= 3; ++setting) {
        const std::size_t n = setting == 3 ? d : 2, T = H * (n - 1) + 1, out = setting == 3 ? d : 1,
                          dh = setting == 2 ? n : d, dv = setting == 2 ? 1 : d;
        CAPTURE(d);
        CAPTURE(H);
        CAPTURE(setting);
        Random random(100 * d + 10 * H + static_cast<std::size_t>(setting));
        Draft draft = labelled(random, H, n, d, dh, T, true, Base::two, out);
        draft.value_dim = dv;
        // Independent tokens, and queries on the moment curve: Assumptions 1 and 2 hold.
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < d; ++j) draft.contexts[i * d + j] = i == j ? 1 : 0;
        for (std::size_t t = 0; t < T; ++t)
          for (std::size_t j = 0; j < d; ++j) {
            mpz_class power;
            mpz_ui_pow_ui(power.get_mpz_t(), t + 1, j);
            draft.queries[t * d + j] = power;
          }
        const auto [c, proof] = proved(draft);
        REQUIRE(proof.verdict() == Verdict::verified);
        const std::size_t layer = shown(proof, "parameters.layer"),
                          memorized = shown(proof, "parameters.memorized");
        CHECK(memorized == draft.labels.size());
        CHECK(shown(proof, "parameters.most_examples") == layer / out);
        // Theta(H d^2), Theta(H n d), Theta(H d^2); in the third as many numbers, up to a constant factor.
        const std::size_t order = setting == 2 ? H * n * d : H * d * d;
        CHECK(layer >= 2 * order);
        CHECK(layer <= 6 * order);
        if (setting == 3) CHECK(10 * memorized >= layer);
        CHECK(layer == H * d * (2 * dh + dv) + H * dv * out + out * out);
      }
}
