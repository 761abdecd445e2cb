#include "proofs/proposition_1.hpp"

#include "tests/proofs/cases.hpp"
#include "tests/proofs/constructions.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Random data of general position: integers up to `bound`.
Draft general(Random& random, std::size_t H, std::size_t n, std::size_t d, std::size_t dh, std::size_t T,
              bool shared, long bound) {
  Draft draft = random_draft(random, H, n, d, dh, T, shared, bound).without_weights();
  draft.claims = {claim("proposition-1")};
  return draft;
}

bool same(const std::vector<RationalMatrix>& a, const std::vector<RationalMatrix>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const RationalMatrix& x, const RationalMatrix& y) {
        return std::equal(x.data(), x.data() + x.rows() * x.cols(), y.data(), y.data() + y.rows() * y.cols());
      });
}

void executed(const Draft& draft) {
  const Case c = read(draft);
  const std::size_t bound = paper_lower_bound(*c.layer);
  const auto construction = construct(c, bound, head_rank(*c.layer));
  REQUIRE(construction.has_value());
  check_construction(c, *construction, bound);
  const Proof proof = certified(c)[0];
  CHECK(proof.finding.conclusion == Truth::yes);
  CHECK(proof.of("capacity").lower >= static_cast<unsigned long>(bound));
  // What is proved is written down: the dense weights of the certificate are those of the construction.
  CHECK(same(weights_of(step(proof, "let"), c.layer->embed_dim),
             dense(factors_of(construction->heads), c.layer->embed_dim)));
}

}  // namespace

TEST_CASE("the induction on random shapes: shared and fresh contexts, every relation of T, n, d and d_h") {
  FOR_SEEDS(60, 0) {
    const std::size_t n = random.between(1, 4), d = n + random.below(3), H = random.between(1, 4),
                      dh = random.between(1, 5);
    const std::size_t r = std::min(n, dh), bound = H * (r - 1) + 1;
    // Below r, at the bound, below it, above it.
    const std::size_t choices[] = {random.between(1, r), bound, random.between(1, bound),
                                   bound + random.between(1, 3)};
    Draft draft = general(random, H, n, d, dh, choices[seed % 4], seed % 8 < 4,
                          9 + 91 * static_cast<long>(random.below(2)));
    if (random.one_in(2)) draft.base = Base::two;
    CAPTURE(H);
    CAPTURE(n);
    CAPTURE(d);
    CAPTURE(dh);
    CAPTURE(draft.examples);
    executed(draft);
  }
}

TEST_CASE("the induction on binary64 and rational data") {
  for (const char* kind : {"uniform-f64", "normal-f64", "rationals"})
    for (const bool shared : {true, false})
      for (const Base base : {Base::e, Base::two}) {
        Draft draft = sized_draft(3, 3, 4, 3, 7);
        draft.base = base;
        draft.generate = std::string("{ kind = \"") + kind + "\"" +
                         (kind == std::string("rationals") ? ", bound = 9, denominator = 5" : "") +
                         ", seed = 5, shared_context = " + (shared ? "true" : "false") + " }";
        draft.claims = {claim("proposition-1")};
        CAPTURE(kind);
        executed(draft);
      }
}

TEST_CASE("the induction at the edges: n = 1, H = 1, d_h = 1, n = d, T = 1") {
  Random random(1);
  for (const bool shared : {true, false})
    for (const Base base : {Base::e, Base::two})
      for (const auto& [H, n, d, dh, T] : {std::array<std::size_t, 5>{1, 1, 1, 1, 1},
                                           {3, 1, 2, 2, 4},
                                           {1, 3, 3, 3, 3},
                                           {1, 3, 3, 1, 5},
                                           {4, 3, 3, 1, 2},
                                           {2, 4, 4, 4, 7},
                                           {3, 2, 2, 2, 4},
                                           {2, 3, 5, 2, 1},
                                           {2, 3, 3, 7, 5}}) {
        CAPTURE(H);
        CAPTURE(n);
        CAPTURE(T);
        Draft draft = general(random, H, n, d, dh, T, shared, 50);
        draft.base = base;
        executed(draft);
      }
}

TEST_CASE("a rank that cannot be is not constructed") {
  Random random(2);
  const Case c = read(general(random, 2, 3, 4, 3, 9, true, 50));
  CHECK(construct(c, 5, head_rank(*c.layer)).has_value());
  CHECK_FALSE(construct(c, 6, head_rank(*c.layer)).has_value());  // shared contexts: at most H (n - 1) + 1
  // Dependent contexts: n = 3 tokens on a line through 0 and another token.
  Draft flat = general(random, 2, 3, 4, 3, 5, true, 50);
  for (std::size_t j = 0; j < 4; ++j) flat.contexts[4 + j] = 2 * flat.contexts[j];
  const auto proofs = certified(read(flat));
  CHECK(proofs[0].verdict() == Verdict::inapplicable);
  CHECK(proofs[0].hypothesis("assumption-2") == Truth::no);
}

TEST_CASE("all examples with the same query: inapplicable, and nothing is constructed beyond rank 1") {
  Random random(3);
  Draft draft = general(random, 2, 2, 3, 2, 3, true, 50);
  for (std::size_t t = 1; t < 3; ++t)
    for (std::size_t j = 0; j < 3; ++j) draft.queries[t * 3 + j] = draft.queries[j];
  const auto proofs = certified(read(draft));
  CHECK(proofs[0].verdict() == Verdict::inapplicable);
  CHECK(proofs[0].hypothesis("assumption-1") == Truth::no);
  CHECK(proofs[0].finding.conclusion == Truth::no);  // one context and one query: the capacity is 1
  CHECK_FALSE(has_step(proofs[0], "let"));
  CHECK(has_step(proofs[0], "zero", "kruskal(queries)"));
}

TEST_CASE("labels tell the induction, a certificate with other weights, or a smaller minor, is another one") {
  Random random(4);
  const auto [c, proof] = proved(general(random, 3, 3, 4, 3, 5, true, 20));
  CHECK(step(proof, "let")["label"] ==
        "head 0: fresh set {0, 1, 2}, rank 0 -> 3; head 1: fresh set {3, 4}, rank 3 -> 5; the other heads "
        "are zero");
  CHECK_FALSE(accepted_after(c, proof, "let", "", [](Json& s) { s["layer"]["heads"].erase(2); }));
  CHECK_FALSE(accepted_after(c, proof, "let", "", [](Json& s) {
    s["layer"]["heads"][1] = s["layer"]["heads"][0];  // the rank is 3 at most
  }));
  const std::string rank =
      "rank(Z(" + std::to_string(step(proof, "theorem", "some-weights")["layer"].get<int>()) + "))";
  CHECK_FALSE(accepted_after(c, proof, "minor", rank, [](Json& s) {
    s["rows"].erase(0);
    s["cols"].erase(0);
  }));
  CHECK(accepted_after(c, proof, "let", "", [](Json& s) { s.erase("label"); }));
}
