// The mixing layer evaluated as its definition says (softmax of zero logits, identity value weights, skip
// connection), and Kruskal ranks before and after it by all subsets. With Assumption 3, and `mixed` data.
#include "proofs/kruskal_rank.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Self-attention with one head: x + sum_i alpha_i E_i, alpha the softmax of the logits E W x for W = 0.
Numbers layer_output(const RationalMatrix& tokens, const Numbers& x) {
  const std::size_t n = tokens.rows(), d = tokens.cols();
  const RationalMatrix w(d, d);
  RationalMatrix column(d, 1);
  for (std::size_t j = 0; j < d; ++j) column(j, 0) = x[j];
  const RationalMatrix logits = test::product(tokens, test::product(w, column));
  Numbers powers;
  mpq_class sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    REQUIRE(logits(i, 0) == 0);
    powers.emplace_back(1);  // b^0, whatever b is
    sum += powers.back();
  }
  Numbers y = x;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) y[j] += powers[i] / sum * tokens(i, j);
  return y;
}

RationalMatrix outputs(const RationalMatrix& tokens, const RationalMatrix& inputs) {
  RationalMatrix result(inputs.rows(), inputs.cols());
  for (std::size_t i = 0; i < inputs.rows(); ++i) {
    const Numbers y = layer_output(tokens, Numbers(inputs.row(i), inputs.row(i) + inputs.cols()));
    std::copy(y.begin(), y.end(), result.row(i));
  }
  return result;
}

bool equal(const RationalMatrix& a, const RationalMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data());
}

Draft data(Random& random, std::size_t n, std::size_t d, std::size_t T, bool shared, bool self, long bound) {
  Draft draft = random_draft(random, 2, n, d, n, T, shared, bound).without_weights();
  for (std::size_t t = 0; self && t < T; ++t)  // e_t is a token of E_t
    for (std::size_t j = 0; j < d; ++j)
      draft.queries[t * d + j] = draft.contexts[(shared ? 0 : t * n) * d + j];
  return draft;
}

}  // namespace

TEST_CASE("Proposition 4, Assumption 3 and mixed data against the layer's definition") {
  std::size_t holds = 0, fails = 0, repaired = 0, flat = 0, memorized = 0;
  FOR_SEEDS(80, 0) {
    const std::size_t n = random.between(1, 4), d = n + random.below(2), T = random.between(1, 7);
    Draft draft = data(random, n, d, T, random.one_in(3), random.one_in(3), seed % 2 == 0 ? 1 : 4);
    if (seed % 4 == 3)  // one query for all, as [CLS] has
      for (std::size_t k = d; k < T * d; ++k) draft.queries[k] = draft.queries[k % d];
    draft.claims = {claim("assumption-1"), claim("assumption-2"), claim("assumption-3"),
                    claim("proposition-4")};
    const Case before = read(draft);
    const auto first = certified(before);
    draft.mixed = true;
    draft.labels = rationals(random, T, 9, 5);
    draft.claims = {claim("assumption-1"), claim("assumption-2"), claim("kruskal-rank"), claim("theorem-1")};
    const Case after = read(draft);
    const auto second = certified(after);

    // The data that the second layer sees.
    const std::size_t threshold = std::min(n, T);
    const RationalMatrix given = queries_of(before);
    RationalMatrix queries(T, d);
    bool independent = true, outputs_independent = true;
    for (std::size_t t = 0; t < T; ++t) {
      const RationalMatrix tokens = tokens_of(before, t), mixed = outputs(tokens, tokens);
      CHECK(equal(mixed, tokens_of(after, t)));
      const Numbers y = layer_output(tokens, Numbers(given.row(t), given.row(t) + d));
      std::copy(y.begin(), y.end(), queries.row(t));
      independent = independent && textbook_rank(tokens) == n;
      outputs_independent = outputs_independent && textbook_rank(mixed) == n;
    }
    CHECK(equal(queries, queries_of(after)));
    CHECK(equal(queries, mixed_queries(before)));
    CHECK(independent == outputs_independent);  // Lemma 2 with c = 1/n, both ways

    const std::size_t k_before = textbook_kruskal_rank(given), k_after = textbook_kruskal_rank(queries);
    const auto verdict = [](bool holds_) { return holds_ ? Verdict::verified : Verdict::refuted; };
    CHECK(first[0].verdict() == verdict(k_before >= threshold));
    CHECK(first[1].verdict() == verdict(independent));
    CHECK(first[2].verdict() == verdict(k_after >= threshold));
    const bool applies = independent && k_after >= threshold;
    CHECK(first[3].verdict() == (applies ? Verdict::verified : Verdict::inapplicable));
    CHECK((first[3].conclusion() == Truth::yes) == (outputs_independent && k_after >= threshold));
    CHECK((first[3].hypothesis("assumption-2") == Truth::yes) == independent);
    CHECK((first[3].hypothesis("assumption-3") == Truth::yes) == (k_after >= threshold));
    ++(applies ? holds : fails);
    if (!independent) ++flat;
    if (applies && k_before < threshold) ++repaired;

    CHECK(second[0].verdict() == first[2].verdict());
    CHECK(second[1].verdict() == verdict(outputs_independent));
    CHECK(second[2].finding.shown.front().bounds.decided());
    CHECK(second[2].finding.shown.front().bounds.lower == static_cast<unsigned long>(k_after));
    // Theorem 1 on the second layer.
    const bool few = T <= 2 * (n - 1) + 1;
    CHECK(second[3].verdict() == (applies && few ? Verdict::verified : Verdict::inapplicable));
    memorized += second[3].verdict() == Verdict::verified ? 1 : 0;
  }
  MESSAGE("Proposition 4: ", holds, " hold, ", fails, " do not, ", repaired, " repaired, ", memorized,
          " memorized");
  CHECK(holds > 20);
  CHECK(fails > 20);
  CHECK(flat > 5);
  CHECK(repaired > 3);
  CHECK(memorized > 10);
}

TEST_CASE("Proposition 4: mixing can also break Assumption 1, nothing is accepted against the definition") {
  Random random(1);
  // e_1 + mean = 2 (e_0 + mean), although e_0 and e_1 are independent.
  Draft draft = data(random, 2, 3, 2, true, false, 9);
  draft.contexts = {1, 0, 1, 1, 2, 1};
  draft.queries = {1, 0, 0, 0, 0, 0};
  const Numbers mean = {1, 1, 1};
  for (std::size_t j = 0; j < 3; ++j) draft.queries[3 + j] = 2 * draft.queries[j] + mean[j];
  draft.claims = {claim("assumption-1")};
  CHECK(certified(read(draft))[0].verdict() == Verdict::verified);
  draft.claims = {claim("assumption-3")};
  Case c = read(draft);
  Proof proof = certified(c)[0];
  CHECK(proof.verdict() == Verdict::refuted);
  CHECK(proof.is("kruskal(mixed-queries)", 1));
  // The relation is one of the outputs, not of the queries.
  CHECK_FALSE(accepted_after(c, certified(c)[0], "zero", "kruskal(mixed-queries)",
                             [](Json& s) { s["vectors"][0][0][1] = "1"; }));
  draft.claims = {claim("proposition-4")};
  c = read(draft);
  proof = certified(c)[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  // The queries themselves are independent, the mixed ones are not.
  proof.steps.push_back({{"rule", "subsets"},
                         {"of", "kruskal(mixed-queries)"},
                         {"k", 2},
                         {"p", 2305843009213693951},
                         {"method", "subsets"},
                         {"fact", "kruskal(mixed-queries) >= 2"}});
  CHECK_FALSE(accepted(c, {proof}));
}
