#include "proofs/hypotheses.hpp"

#include <string>

#include "search/layer.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft data(Random& random, std::size_t n, std::size_t d, std::size_t T, bool shared) {
  Draft draft = random_draft(random, 2, n, d, n, T, shared, 50).without_weights();
  draft.claims = {claim("proposition-1"), claim("theorem-1"), claim("assumption-2")};
  return draft;
}

}  // namespace

TEST_CASE("Assumption 2: against ranks by fractions") {
  std::size_t holds = 0, fails = 0;
  FOR_SEEDS(60, 0) {
    const std::size_t n = random.between(1, 4), d = random.between(1, 4), T = random.between(1, 5);
    Draft draft = random_draft(random, 1, n, d, 1, T, seed % 2 == 0, seed % 3 == 0 ? 1 : 9);
    draft.claims = {claim("assumption-2")};
    const Case c = read(draft);
    bool truth = true;
    for (std::size_t t = 0; t < T; ++t) truth = truth && test::textbook_rank(context_matrix(c, t)) == n;
    const auto proof = certified(c)[0];
    CHECK(proof.verdict() == (truth ? Verdict::verified : Verdict::refuted));
    CHECK(has_step(proof, truth ? "minor" : "zero", "rank(contexts)"));
    (truth ? holds : fails) += 1;
  }
  CHECK(holds > 10);
  CHECK(fails > 10);
}

TEST_CASE("a context that is singular mod the first prime only") {
  Draft draft;
  draft.context = draft.embed_dim = 2;
  draft.contexts = {1, 1, 1, mpq_class(1) + 8388593};
  draft.queries = {1, 0};
  draft.claims = {claim("assumption-2"), claim("affine-hull-bound")};
  const auto proofs = certified(read(draft));
  CHECK(proofs[0].verdict() == Verdict::verified);
  CHECK(step(proofs[0], "minor", "rank(contexts)")["p"] != 8388593u);
}

TEST_CASE("holds, fails, undecided: the three ways Assumption 1 enters a theorem") {
  for (const bool shared : {true, false}) {
    Random random(shared ? 1 : 2);
    const Draft draft = data(random, 3, 6, 12, shared);
    const Case c = read(draft);
    Effort little;
    little.hypothesis_subsets = 10;
    auto proofs = certified(c);
    CHECK(proofs[0].verdict() == Verdict::verified);
    CHECK_FALSE(proofs[0].finding.hypotheses_undecided);
    CHECK(proofs[0].hypothesis("assumption-1") == Truth::yes);
    CHECK(has_step(proofs[0], "subsets", "kruskal(queries)"));
    proofs = certified(c, little);
    CHECK(proofs[0].verdict() == Verdict::verified);
    CHECK(proofs[0].finding.hypotheses_undecided);
    CHECK(proofs[0].hypothesis("assumption-1") == Truth::open);
    CHECK_FALSE(has_step(proofs[0], "subsets"));

    // One dependent triple: the hypothesis fails, although the induction may avoid it.
    Draft dependent = draft;
    for (std::size_t j = 0; j < 6; ++j)
      dependent.queries[66 + j] = dependent.queries[60 + j] + dependent.queries[54 + j];
    proofs = certified(read(dependent));
    CHECK(proofs[0].verdict() == Verdict::inapplicable);
    CHECK(proofs[0].hypothesis("assumption-1") == Truth::no);
    CHECK(has_step(proofs[0], "zero", "kruskal(queries)"));
    CHECK(proofs[0].finding.conclusion == Truth::yes);
  }
}

TEST_CASE("n > d makes both assumptions fail") {
  Random random(3);
  const auto proofs = certified(read(data(random, 4, 3, 6, true)));
  CHECK(proofs[0].verdict() == Verdict::inapplicable);
  CHECK(proofs[0].hypothesis("assumption-1") == Truth::no);
  CHECK(proofs[0].hypothesis("assumption-2") == Truth::no);
  CHECK(proofs[1].verdict() == Verdict::inapplicable);
  CHECK(proofs[2].verdict() == Verdict::refuted);
}
