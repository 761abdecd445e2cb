// Which cases are decided, and what is no proof of it.
#include "problem/numbers.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

struct Lemma4 {
  RationalMatrix tokens, query, star, prime;
  Base base;
  mpq_class epsilon;
  Numbers x, y;
  std::size_t vertex;

  Draft draft() const {
    Draft d;
    d.context = tokens.rows();
    d.embed_dim = tokens.cols();
    d.base = base;
    d.contexts = Numbers(tokens.data(), tokens.data() + tokens.rows() * tokens.cols());
    d.queries = Numbers(query.data(), query.data() + query.cols());
    d.claims = {claim("lemma-4", "example = 0\n" + lines("w_prime", prime) + lines("w_star", star) +
                                     "epsilon = \"" + epsilon.get_str() + "\"\n")};
    return d;
  }
};

Lemma4 question(Random& random, Base base, const mpq_class& epsilon) {
  const std::size_t n = random.between(2, 5), d = random.between(1, 4);
  Lemma4 q{random.matrix(n, d, 4, 2),
           random.matrix(1, d, 4),
           random.matrix(d, d, 6, 3),
           random.matrix(d, d, 3, 4),
           base,
           epsilon,
           {},
           {},
           0};
  q.x = image(q.tokens, q.prime, q.query);
  q.y = image(q.tokens, q.star, q.query);
  q.vertex = static_cast<std::size_t>(std::max_element(q.x.begin(), q.x.end()) - q.x.begin());
  return q;
}

}  // namespace

TEST_CASE("Lemma 4: decided by the two largest entries, and at no other vertex") {
  const mpq_class epsilons[] = {mpq_class(1, 10), mpq_class("1/1000000000"), mpq_class(3, 2),
                                mpq_class("1/1000000000000000000000000000000000000000000000000")};
  std::size_t verified = 0, ties = 0, top_ties = 0;
  FOR_SEEDS(120, 0) {
    const Lemma4 q = question(random, seed % 2 == 0 ? Base::e : Base::two, epsilons[seed / 2 % 4]);
    const auto [c, proof] = proved(q.draft());
    std::size_t equal = 0;
    for (std::size_t i = 0; i < q.x.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) equal += q.x[i] == q.x[j] ? 1 : 0;
    const bool tie_at_top = std::count(q.x.begin(), q.x.end(), q.x[q.vertex]) > 1;
    CHECK(proof.verdict() == (equal > 0 ? Verdict::inapplicable : Verdict::verified));
    CHECK((proof.hypothesis("distinct-entries") == Truth::yes) == (equal == 0));
    CHECK((proof.conclusion() == Truth::yes) == !tie_at_top);
    ++(equal > 0 ? ties : verified);
    if (tie_at_top) {
      // The ratio of the two largest does not depend on lambda, so the limit is no vertex.
      ++top_ties;
      Proof claimed = proof;
      claimed.steps.push_back({{"rule", "ball"},
                               {"of", "vertex_limit"},
                               {"vertex", q.vertex},
                               {"lambda", "1000000"},
                               {"fact", "vertex_limit >= 1"}});
      CHECK_FALSE(accepted(c, {claimed}));
      continue;
    }
    const Json stated = step(proof, "ball", "vertex_limit");
    CHECK(stated["vertex"] == q.vertex);
    const mpz_class lambda(stated["lambda"].get<std::string>());
    const auto with = [&](const char* key, const Json& value) {
      return accepted_after(c, proof, "ball", "vertex_limit", [&](Json& s) { s[key] = value; });
    };
    CHECK(with("lambda", mpz_class(lambda + 12345).get_str()));
    CHECK_FALSE(with("vertex", (q.vertex + 1) % q.x.size()));
  }
  MESSAGE("Lemma 4: ", verified, " verified, ", ties, " ties, ", top_ties, " of them at the top");
  CHECK(verified > 60);
  CHECK(ties > top_ties);
  CHECK(top_ties > 5);
}
