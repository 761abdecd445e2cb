#include <flint/fmpq.h>

#include "input/numbers.hpp"
#include "proofs/propositions.hpp"
#include "tests/proofs/cases.hpp"
#include "tests/proofs/constructions.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft labelled(Random& random, std::size_t H, std::size_t n, std::size_t d, std::size_t dh, std::size_t T,
               bool shared, Base base, std::size_t output_dim = 1) {
  Draft draft = random_draft(random, H, n, d, dh, T, shared, 20);
  draft.key.clear();
  draft.query.clear();
  draft.base = base;
  draft.output_dim = output_dim;
  draft.labels = rationals(random, T * output_dim, 9, 4);
  draft.claims = {claim("theorem-1")};
  return draft;
}

// Z U = Y over Q, with Z and the labels from the case and the weights of the certificate.
void check_exact(const Case& c, const Json& construction, const Json& readout) {
  const RationalMatrix z = textbook_z(c, textbook_logits(c, weights_of(construction, c.layer->embed_dim)));
  const std::size_t T = c.layer->examples, out = c.layer->output_dim;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t o = 0; o < out; ++o) {
      mpq_class sum = 0;
      for (std::size_t k = 0; k < T; ++k)
        sum += z(t, readout["cols"][k].get<std::size_t>()) *
               parse_number(readout["weights"][k][o].get<std::string>());
      CHECK(sum == c.data.labels->at(t * out + o));
    }
}

}  // namespace

TEST_CASE("memorization on random shapes, with the read-out checked from scratch") {
  Folder folder;
  std::size_t exact = 0, enclosed = 0;
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    PRINTED_SEED(seed);
    Random random(seed);
    const std::size_t n = random.between(1, 4), d = n + random.below(2), H = random.between(1, 3),
                      dh = random.between(1, 4);
    const std::size_t bound = H * (std::min(n, dh) - 1) + 1,
                      T = seed % 3 == 0 ? bound : random.between(1, bound);
    const Case c = read(labelled(random, H, n, d, dh, T, seed % 2 == 0, seed % 4 < 2 ? Base::e : Base::two,
                                 1 + random.below(2)),
                        folder);
    const auto proofs = certified(c);
    if (proofs[0].result["hypotheses"]["assumption-1"] == "holds" &&
        proofs[0].result["hypotheses"]["assumption-2"] == "holds")
      CHECK(proofs[0].verdict == Verdict::verified);
    if (proofs[0].verdict != Verdict::verified) continue;
    CHECK(rank_of(proofs[0]).lower == T);
    const Json construction = step(proofs[0], "construction");
    if (has_step(proofs[0], "readout-exact")) {
      check_exact(c, construction, step(proofs[0], "readout-exact"));
      ++exact;
    } else {
      check_enclosure(c, construction, step(proofs[0], "readout-enclosure"),
                      rational_matrix(*c.data.labels));
      ++enclosed;
    }
  }
  MESSAGE("read-outs: " << exact << " exact, " << enclosed << " enclosed");
  CHECK(exact >= 8);
  CHECK(enclosed >= 15);
}

TEST_CASE("without labels there is no read-out, and the conclusion is for all labels") {
  Folder folder;
  Random random(1);
  Draft draft = labelled(random, 2, 3, 3, 3, 5, false, Base::e);
  draft.labels.clear();
  const auto proofs = certified(read(draft, folder));
  CHECK(proofs[0].verdict == Verdict::verified);
  CHECK_FALSE(has_step(proofs[0], "readout-enclosure"));
  CHECK_FALSE(has_step(proofs[0], "readout-exact"));
}

TEST_CASE("a limit on the read-out leaves the theorem as it is") {
  Folder folder;
  Random random(2);
  const Case c = read(labelled(random, 2, 3, 3, 3, 5, true, Base::e), folder);
  Effort effort;
  effort.readout_examples = 4;
  const auto proofs = certified(c, effort);
  CHECK(proofs[0].verdict == Verdict::verified);
  CHECK_FALSE(has_step(proofs[0], "readout-enclosure"));
}

TEST_CASE("too many examples: inapplicable; the conclusion may be true all the same") {
  Folder folder;
  Random random(3);
  // Fresh contexts: T = 6 > 5 = H (r - 1) + 1, but Z may have rank 8.
  auto proofs = certified(read(labelled(random, 2, 3, 4, 3, 6, false, Base::e), folder));
  CHECK(proofs[0].verdict == Verdict::inapplicable);
  CHECK(proofs[0].result["hypotheses"]["examples"] == "fails");
  CHECK(has_step(proofs[0], "too-many-examples"));
  // Shared: the affine hull forbids it.
  proofs = certified(read(labelled(random, 2, 3, 4, 3, 6, true, Base::e), folder));
  CHECK(proofs[0].verdict == Verdict::inapplicable);
  CHECK(proofs[0].result["conclusion"] == "open");
  CHECK_FALSE(has_step(proofs[0], "construction"));
}

TEST_CASE("zero labels, equal labels") {
  Folder folder;
  Random random(4);
  for (const Base base : {Base::e, Base::two}) {
    Draft draft = labelled(random, 2, 3, 3, 3, 5, true, base);
    for (mpq_class& y : draft.labels) y = 0;
    CHECK(certified(read(draft, folder))[0].verdict == Verdict::verified);
    for (mpq_class& y : draft.labels) y = mpq_class(1, 3);
    CHECK(certified(read(draft, folder))[0].verdict == Verdict::verified);
  }
}
