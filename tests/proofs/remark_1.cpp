// The Kruskal rank by all subsets, and the bound from it.
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Queries of Kruskal rank at most k: any k + 1 of the first k + 1 are dependent.
void make_dependent(Draft& draft, Random& random, std::size_t k) {
  const std::size_t d = draft.embed_dim;
  if (draft.examples < k + 1) return;
  for (std::size_t j = 0; j < d; ++j) draft.queries[k * d + j] = 0;
  for (std::size_t t = 0; t < k; ++t) {
    const long factor = random.one_in(2) ? 1 : -2;
    for (std::size_t j = 0; j < d; ++j) draft.queries[k * d + j] += factor * draft.queries[t * d + j];
  }
}

std::size_t bound(const Dimensions& dims, std::size_t k) {
  const std::size_t r = std::min({dims.context, dims.head_dim, k});
  return r == 0 ? 0 : std::min(dims.examples, dims.heads * (r - 1) + 1);
}

}  // namespace

TEST_CASE("Remark 1: min(n, d_h, k) with k by all subsets, and a layer that reaches the bound") {
  std::size_t smaller = 0, flat = 0;
  FOR_SEEDS(60, 0) {
    const std::size_t n = random.between(1, 4), d = n + random.below(2), H = random.between(1, 3),
                      dh = random.between(1, 5), T = random.between(1, 9);
    Draft draft = random_draft(random, H, n, d, dh, T, random.one_in(2), 9).without_weights();
    if (random.one_in(2)) draft.base = Base::two;
    make_dependent(draft, random, random.below(n + 1));
    if (random.one_in(6))
      for (std::size_t j = 0; j < d; ++j) draft.contexts[j] = n > 1 ? draft.contexts[d + j] : mpq_class(0);
    draft.claims = {claim("remark-1"), claim("proposition-1")};
    const Case c = read(draft);
    const auto proofs = certified(c);
    const Proof& proof = proofs[0];
    bool full = true;
    for (std::size_t t = 0; t < T; ++t) full = full && textbook_rank(tokens_of(c, t)) == n;
    // The Kruskal rank is only decided up to n, beyond which it does not matter.
    const std::size_t k = std::min({textbook_kruskal_rank(queries_of(c)), n, T});
    CHECK(proof.of("kruskal(queries)").lower == static_cast<unsigned long>(k));
    CHECK(proof.verdict() == (full ? Verdict::verified : Verdict::inapplicable));
    if (full) CHECK(proof.finding.conclusion == Truth::yes);
    flat += full ? 0 : 1;
    if (full && k < std::min({n, T})) {
      ++smaller;
      CHECK(proofs[1].verdict() == Verdict::inapplicable);
    }
    if (!has_step(proof, "let")) {
      CHECK((k == 0 || !full));
      continue;
    }
    CHECK(proof.of("capacity").lower >= bound(*c.layer, k));
  }
  CHECK(smaller > 15);
  CHECK(flat > 2);
}

TEST_CASE("Remark 1: with equal queries k = 1 and no weights reach the bound of Proposition 1") {
  FOR_SEEDS(10, 0) {
    Draft draft = random_draft(random, 2, 3, 3, 3, 5, true, 9);
    for (std::size_t t = 1; t < 5; ++t)
      for (std::size_t j = 0; j < 3; ++j) draft.queries[t * 3 + j] = draft.queries[j];
    draft.claims = {claim("remark-1"), claim("proposition-1")};
    const Case c = read(draft);
    const auto proofs = certified(c);
    CHECK(proofs[0].verdict() == Verdict::verified);
    CHECK(proofs[0].is("capacity", 1));
    CHECK(proofs[1].verdict() == Verdict::inapplicable);
    CHECK(proofs[1].finding.conclusion == Truth::no);
    // No larger k is accepted.
    draft.claims = {claim("remark-1")};
    const Case single = read(draft);
    const Proof proof = certified(single)[0];
    CHECK_FALSE(accepted_after(single, proof, "subsets", "kruskal(queries)", [](Json& s) {
      s["k"] = 2;
      s["fact"] = "kruskal(queries) >= 2";
    }));
  }
}
