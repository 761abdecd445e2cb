#include <algorithm>

#include "problem/numbers.hpp"
#include "proofs/lemma_3.hpp"
#include "search/layer.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

struct Question {
  std::vector<std::size_t> members;
  Numbers phi;
  mpq_class epsilon;
  std::string text() const {
    return lines("subset", members) +
           lines("coefficients", phi, {members.size(), phi.size() / members.size()}) + "epsilon = \"" +
           epsilon.get_str() + "\"\n";
  }
};

Question question(Random& random, std::size_t T, std::size_t size, std::size_t n, const mpq_class& epsilon) {
  Question q;
  q.members = random.permutation(T);
  q.members.resize(size);
  q.epsilon = epsilon;
  for (std::size_t k = 0; k < size; ++k) {
    Numbers row = integers(random, n, 4);
    mpq_class sum = 0;
    for (mpq_class& x : row) sum += x += 5;
    for (mpq_class& x : row) q.phi.push_back(x / sum);
  }
  return q;
}

Draft data(Random& random, std::size_t n, std::size_t d, std::size_t dh, std::size_t T, bool shared,
           Base base) {
  Draft draft = random_draft(random, 1, n, d, dh, T, shared, 12).without_weights();
  draft.base = base;
  return draft;
}

}  // namespace

TEST_CASE("weights that are exact on the subset and within epsilon of one-hot elsewhere are found") {
  std::size_t verified = 0;
  FOR_SEEDS(30, 0) {
    const std::size_t n = random.between(2, 4), d = n + random.below(2), dh = random.between(2, 4),
                      T = random.between(2, 6);
    const std::size_t size = random.between(1, std::min({n, dh}) - 1);
    Draft draft =
        data(random, n, d, dh, std::max(T, size + 1), seed % 2 == 0, seed % 3 == 0 ? Base::two : Base::e);
    const mpq_class epsilons[] = {mpq_class(1, 10), mpq_class("1/100000000000000000000"), 3};
    const Question q = question(random, draft.examples, size, n, epsilons[seed % 3]);
    draft.claims = {claim("claim-2", q.text())};
    const Case c = read(draft);
    const auto proofs = certified(c);
    if (proofs[0].verdict() != Verdict::verified) continue;
    ++verified;
    CHECK(has_step(proofs[0], "ball", "one_hot"));
  }
  CHECK(verified > 20);
}

TEST_CASE("each hypothesis of Claim 2 can fail") {
  Random random(1);
  Draft draft = data(random, 3, 4, 3, 5, false, Base::e);
  const Question two = question(random, 5, 2, 3, mpq_class(1, 100));
  draft.claims = {claim("claim-2", two.text())};
  auto proof = certified(read(draft))[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK(proof.hypothesis("assumption-1") == Truth::yes);

  Draft narrow = draft;
  narrow.head_dim = 2;
  proof = inapplicable(narrow, "subset-size");

  Draft dependent = draft;
  for (std::size_t j = 0; j < 4; ++j) dependent.queries[12 + j] = 2 * dependent.queries[16 + j];
  proof = inapplicable(dependent, "assumption-1");

  Draft flat = draft;
  for (std::size_t j = 0; j < 4; ++j) flat.contexts[j] = flat.contexts[4 + j];
  proof = inapplicable(flat, "assumption-2");
}

TEST_CASE("Assumption 1 too costly to decide: the conclusion is proved all the same, and marked") {
  Random random(2);
  Draft draft = data(random, 4, 6, 4, 14, true, Base::e);
  draft.claims = {claim("claim-2", question(random, 14, 3, 4, mpq_class(1, 100)).text())};
  Effort effort;
  effort.hypothesis_subsets = 10;
  const auto proof = certified(read(draft), effort)[0];
  CHECK(proof.verdict() == Verdict::verified);
  CHECK(proof.hypothesis("assumption-1") == Truth::open);
  CHECK(proof.finding.hypotheses_undecided);
}

TEST_CASE("Claim 2: a lambda that is too small, a v that moves the subset, another epsilon") {
  Random random(3);
  Draft draft = data(random, 3, 4, 3, 5, false, Base::e);
  draft.claims = {claim("claim-2", question(random, 5, 2, 3, mpq_class(1, 1000)).text())};
  const auto [c, proof] = proved(draft);
  REQUIRE(proof.verdict() == Verdict::verified);
  const auto with = [&](const char* key, const Json& value) {
    return accepted_after(c, proof, "ball", "one_hot", [&](Json& s) { s[key] = value; });
  };
  const mpz_class lambda(step(proof, "ball", "one_hot")["lambda"].get<std::string>());
  CHECK(with("lambda", mpz_class(2 * lambda).get_str()));
  CHECK_FALSE(with("lambda", "1/1000000"));
  CHECK_FALSE(with("lambda", "-1"));
  CHECK_FALSE(with("v", Json({{"den", "1"}, {"num", {"1", "0", "0", "0"}}})));
  CHECK_FALSE(with("u", Json({{"den", "1"}, {"num", {"0", "0", "0", "0"}}})));
}

TEST_CASE("the two largest entries and their gap") {
  const Numbers x = {1, 5, mpq_class(9, 2), -7};
  CHECK(peak(x, 1).index == 1);
  CHECK(peak(x, 1).gap == mpq_class(1, 2));
  CHECK(peak(x, -2).index == 3);
  CHECK(peak(x, -2).gap == 16);
  CHECK(peak({3, 4}, 1).index == 1);
  CHECK(peak({3, 4}, -1).index == 0);
  FOR_SEEDS(100, 0) {
    Numbers y;
    for (std::size_t k : random.permutation(random.between(2, 8)))
      y.push_back(random.rational(3, 7) + 10 * static_cast<long>(k));
    const mpq_class factor = random.one_in(2) ? mpq_class(-3, 2) : mpq_class(7);
    Numbers z;
    for (const mpq_class& v : y) z.push_back(v * factor);
    const Peak p = peak(y, factor);
    const mpq_class top = z[p.index];
    CHECK(top == *std::max_element(z.begin(), z.end()));
    z.erase(z.begin() + static_cast<std::ptrdiff_t>(p.index));
    CHECK(p.gap == top - *std::max_element(z.begin(), z.end()));
  }
}
