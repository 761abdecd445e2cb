#include "proofs/claim_1.hpp"

#include "problem/numbers.hpp"
#include "search/arithmetic/flint.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Rows of n positive numbers that sum to 1.
Numbers coefficients(Random& random, std::size_t rows, std::size_t n) {
  Numbers values;
  for (std::size_t k = 0; k < rows; ++k) {
    Numbers row;
    mpq_class sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += row.emplace_back(random.between(1, 9));
    for (const mpq_class& x : row) values.push_back(x / sum);
  }
  return values;
}

// What the claim is about.
std::string prescribed(const std::vector<std::size_t>& members, const Numbers& phi) {
  return lines("subset", members) + lines("coefficients", phi, {members.size(), phi.size() / members.size()});
}

Draft with_claim(Random& random, std::size_t n, std::size_t d, std::size_t dh, std::size_t T, bool shared,
                 Base base) {
  Draft draft = random_draft(random, 1, n, d, dh, T, shared, 9).without_weights();
  draft.base = base;
  return draft;
}

}  // namespace

TEST_CASE("weights for prescribed coefficients are found") {
  std::size_t verified = 0;
  FOR_SEEDS(40, 0) {
    const std::size_t n = random.between(1, 4), d = n + random.below(3), dh = random.between(1, 4),
                      T = random.between(1, 6);
    const std::size_t size = random.between(1, std::min({n, dh, T}));
    const Base base = seed % 2 == 0 ? Base::e : Base::two;
    Draft draft = with_claim(random, n, d, dh, T, seed % 4 < 2, base);
    std::vector<std::size_t> members = random.permutation(T);
    members.resize(size);
    const Numbers phi = coefficients(random, size, n);
    draft.claims = {claim("claim-1", prescribed(members, phi))};
    const Case c = read(draft);
    const auto proofs = certified(c);
    if (proofs[0].verdict() != Verdict::verified) continue;
    ++verified;
    CHECK(has_step(proofs[0], "inverse", "weights"));
  }
  CHECK(verified > 25);
}

TEST_CASE("each hypothesis of Claim 1 fails by itself, with its witness") {
  Random random(1);
  const std::string three = prescribed({0, 1, 2}, coefficients(random, 3, 3));
  Draft draft = with_claim(random, 3, 4, 3, 5, false, Base::e);
  draft.claims = {claim("claim-1", three)};
  CHECK(certified(read(draft))[0].verdict() == Verdict::verified);

  Draft narrow = draft;
  narrow.head_dim = 2;
  auto proof = inapplicable(narrow, "subset-size");
  CHECK_FALSE(has_step(proof, "inverse", "weights"));

  Draft dependent = draft;
  for (std::size_t j = 0; j < 4; ++j)
    dependent.queries[8 + j] = dependent.queries[j] - 2 * dependent.queries[4 + j];
  proof = inapplicable(dependent, "subset-queries");
  CHECK(proof.is("rank(subset-queries)", 2));

  Draft flat = draft;
  for (std::size_t j = 0; j < 4; ++j) flat.contexts[12 + j] = flat.contexts[16 + j];
  proof = inapplicable(flat, "subset-contexts");
  CHECK(step(proof, "zero", "rank(subset-contexts)")["member"] == 1);

  // What is wrong outside the subset does not matter.
  Draft elsewhere = draft;
  for (std::size_t j = 0; j < 4; ++j) elsewhere.contexts[4 * 12 + j] = elsewhere.queries[16 + j] = 0;
  CHECK(certified(read(elsewhere))[0].verdict() == Verdict::verified);

  // Everything at once.
  Draft all = flat;
  all.head_dim = 1;
  for (std::size_t j = 0; j < 4; ++j) all.queries[4 + j] = all.queries[j];
  proof = certified(read(all))[0];
  CHECK(proof.verdict() == Verdict::inapplicable);
  for (const auto& [name, truth] : proof.finding.hypotheses) CHECK(truth == Truth::no);
}

TEST_CASE("inverses of contexts and queries on their own") {
  Random random(2);
  const Draft draft = [&] {
    Draft x = with_claim(random, 3, 5, 3, 3, false, Base::e);
    x.claims = {claim("assumption-2")};
    return x;
  }();
  const Case c = read(draft);
  ContextInverses inverses(c);
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = inverses.preimage(t, i, 7);
      REQUIRE(a.has_value());
      const Numbers v = entries(*a);
      const RationalMatrix e = context_matrix(c, t);
      for (std::size_t k = 0; k < 3; ++k) CHECK(dot(e.row(k), v.data(), 5) == (k == i ? 7 : 0));
    }
  CHECK(left_inverse_of_queries(c, {})->empty());
  CHECK(left_inverse_of_queries(c, {2, 0})->size() == 2);
  Draft dependent = draft;
  for (std::size_t j = 0; j < 5; ++j) dependent.queries[10 + j] = 3 * dependent.queries[j];
  CHECK_FALSE(left_inverse_of_queries(read(dependent), {0, 2}).has_value());
}

TEST_CASE("Claim 1: inverses of other examples or of nothing are refused") {
  Random random(4);
  Draft draft = with_claim(random, 3, 4, 3, 5, false, Base::e);
  draft.claims = {claim("claim-1", prescribed({3, 1}, coefficients(random, 2, 3)))};
  const auto [c, proof] = proved(draft);
  REQUIRE(proof.verdict() == Verdict::verified);
  const auto with = [&](auto&& change) { return accepted_after(c, proof, "inverse", "weights", change); };
  CHECK(with([](Json&) {}));
  CHECK_FALSE(with([](Json& s) { std::swap(s["right_inverses"][0], s["right_inverses"][1]); }));
  CHECK_FALSE(with([](Json& s) { std::swap(s["left_inverse"][0], s["left_inverse"][1]); }));
  CHECK_FALSE(with([](Json& s) { s["left_inverse"].erase(0); }));
  CHECK_FALSE(with([](Json& s) { s["right_inverses"][1].erase(2); }));
  CHECK_FALSE(with([](Json& s) { s["left_inverse"][0]["num"][0] = "12345"; }));
}
