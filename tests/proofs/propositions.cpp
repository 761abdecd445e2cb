#include "proofs/propositions.hpp"

#include "attention/layer.hpp"
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

TEST_CASE("Proposition 2: verified for every shared context; tight or not by an exact rank") {
  Folder folder;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PRINTED_SEED(seed);
    Random random(seed);
    const std::size_t H = random.between(1, 3), n = random.between(1, 4), d = random.between(1, 5),
                      T = random.between(1, 10);
    Draft draft = random_draft(random, H, n, d, random.between(1, 3), T, true, seed % 2 == 0 ? 30 : 1);
    if (seed % 4 < 2) {
      draft.key.clear();
      draft.query.clear();
    }
    draft.claims = {claim("proposition-2")};
    const Case c = read(draft, folder);
    const auto proof = certified(c)[0];
    CHECK(proof.verdict == Verdict::verified);
    CHECK(proof.result["conclusion"] == "proved");
    const std::size_t bound = std::min(T, H * (n - 1) + 1);
    if (!proof.result.contains("rank")) {  // all tokens are zero
      CHECK(proof.result["bounds"]["affine_hull"] == 0);
      continue;
    }
    const Interval rank = rank_of(proof);
    CHECK(rank.upper <= bound);
    CHECK(proof.result.contains("tight") == (rank.lower == bound || rank.upper < bound));
    if (proof.result.contains("tight")) CHECK(proof.result["tight"] == (rank.lower == bound));
    if (c.weights) {
      const std::size_t truth = textbook_rank_of_z(c, textbook_logits(c), Ring::exponential);
      CHECK(rank.lower <= truth);
      CHECK(truth <= rank.upper);
    }
  }
}

TEST_CASE("Proposition 2 with n = 1: the rank is 1 whatever the weights") {
  Folder folder;
  Random random(1);
  Draft draft = random_draft(random, 4, 1, 3, 2, 6, true, 9);
  draft.claims = {claim("proposition-2"), claim("rank", "value = 1")};
  const auto proofs = certified(read(draft, folder));
  CHECK(proofs[0].result["tight"] == true);
  CHECK(proofs[1].verdict == Verdict::verified);
}

TEST_CASE("Proposition 2: equal contexts given one by one count as shared, a different entry does not") {
  Folder folder;
  Random random(2);
  Draft draft = random_draft(random, 2, 2, 3, 2, 5, true, 30);
  Numbers repeated;
  for (int t = 0; t < 5; ++t) repeated.insert(repeated.end(), draft.contexts.begin(), draft.contexts.end());
  draft.shared = false;
  draft.contexts = repeated;
  draft.claims = {claim("proposition-2")};
  auto proof = certified(read(draft, folder))[0];
  CHECK(proof.verdict == Verdict::verified);
  CHECK(proof.result["tight"] == true);
  draft.contexts[3 * 6 + 1 * 3 + 2] += mpq_class("1/1000000000000000000000");
  proof = certified(read(draft, folder))[0];
  CHECK(proof.verdict == Verdict::inapplicable);
  CHECK(proof.result["hypotheses"]["shared-context"] == "fails");
  CHECK(step(proof, "contexts-differ")["example"] == 3);
  CHECK(step(proof, "contexts-differ")["token"] == 1);
  CHECK(step(proof, "contexts-differ")["coordinate"] == 2);
}

TEST_CASE("Proposition 5: constant sums, also zero, also in general position") {
  Folder folder;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PRINTED_SEED(seed);
    Random random(100 + seed);
    const std::size_t H = random.between(1, 3), n = random.between(1, 4), d = random.between(1, 4),
                      T = random.between(1, 10);
    const bool shared = seed % 2 == 0;
    Draft draft = random_draft(random, H, n, d, random.between(1, 3), T, shared, 9);
    draft.contexts = plane(random, (shared ? 1 : T) * n, d, seed % 3 == 0 ? mpq_class(0) : mpq_class(7, 2));
    if (seed % 4 < 2) {
      draft.key.clear();
      draft.query.clear();
    }
    draft.claims = {claim("proposition-5")};
    auto proof = certified(read(draft, folder))[0];
    CHECK(proof.verdict == Verdict::verified);
    CHECK(proof.result["conclusion"] == "proved");
    if (proof.result.contains("rank")) CHECK(rank_of(proof).upper <= std::min(T, H * (d - 1) + 1));
    // One token off the plane.
    if (n * (shared ? 1 : T) < 2) continue;
    draft.contexts[0] += mpq_class("1/1000000000000000000000");
    proof = certified(read(draft, folder))[0];
    CHECK(proof.verdict == Verdict::inapplicable);
    CHECK(has_step(proof, "token-sums-differ"));
  }
}

TEST_CASE("tokens that are all zero: rank 0 by the hull alone, so no layer is examined") {
  Folder folder;
  for (const bool given : {true, false}) {
    Random random(4);
    Draft draft = random_draft(random, 2, 2, 2, 2, 4, true, 9);
    for (mpq_class& x : draft.contexts) x = 0;
    if (!given) draft.key.clear();
    if (!given) draft.query.clear();
    draft.claims = {claim("proposition-2"), claim("proposition-5"), claim("affine-hull-bound")};
    for (const ClaimProof& proof : certified(read(draft, folder))) {
      CHECK(proof.verdict == Verdict::verified);
      CHECK(proof.result["bounds"]["affine_hull"] == 0);
      CHECK_FALSE(proof.result.contains("rank"));
      CHECK_FALSE(proof.result.contains("tight"));
    }
    // One token that is not: now there is something to examine.
    draft.contexts[1] = 1;
    for (const ClaimProof& proof : certified(read(draft, folder)))
      CHECK(proof.result.contains("rank") == (given || proof.result.contains("tight")));
  }
}

TEST_CASE("Proposition 5 is tight for fresh contexts and random weights, not for a zero layer") {
  Folder folder;
  Random random(3);
  Draft draft = random_draft(random, 2, 4, 4, 2, 9, false, 9);
  draft.contexts = plane(random, 36, 4, 1);
  draft.claims = {claim("proposition-5")};
  auto proof = certified(read(draft, folder))[0];
  CHECK(proof.result["tight"] == true);
  for (mpq_class& x : draft.key) x = 0;
  proof = certified(read(draft, folder))[0];
  CHECK(proof.result["tight"] == false);
  CHECK(proof.verdict == Verdict::verified);
}
