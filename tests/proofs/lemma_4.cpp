// The coefficients at the lambda that is returned and beyond, by MPFR from the definition; and the smallest
// integer lambda that works, found by search, below which no certificate is accepted.
#include "problem/numbers.hpp"
#include "tests/oracle/real.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Real power(Base base, const mpq_class& exponent) {
  return exp(base == Base::e ? Real(exponent) : Real(exponent) * log(Real(2)));
}

// softmax(y + lambda x).
std::vector<Real> coefficients(Base base, const Numbers& y, const Numbers& x, const mpq_class& lambda) {
  std::vector<Real> alpha;
  Real sum;
  for (std::size_t i = 0; i < x.size(); ++i) {
    alpha.push_back(power(base, y[i] + lambda * x[i]));
    sum += alpha.back();
  }
  for (Real& a : alpha) a /= sum;
  return alpha;
}

// Whether the distance in the 1-norm to the vertex is at most epsilon. It is twice the sum of the other
// coefficients, which involves no cancellation.
bool close(Base base, const Numbers& y, const Numbers& x, const mpq_class& lambda, std::size_t vertex,
           const mpq_class& epsilon) {
  const std::vector<Real> alpha = coefficients(base, y, x, lambda);
  Real distance;
  for (std::size_t i = 0; i < alpha.size(); ++i)
    if (i != vertex) distance += alpha[i];
  return !(distance * 2 > Real(epsilon));
}

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

TEST_CASE(
    "Lemma 4: within epsilon of the vertex at lambda and beyond, no certificate below the least lambda") {
  const mpq_class epsilons[] = {mpq_class(1, 10), mpq_class("1/1000000000"), mpq_class(3, 2),
                                mpq_class("1/1000000000000000000000000000000000000000000000000")};
  Real::bits() = 2048;
  std::size_t verified = 0, ties = 0, top_ties = 0, refused = 0;
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
      ++top_ties;
      // The ratio of the two largest does not depend on lambda, so the limit is no vertex.
      const auto other = static_cast<std::size_t>(
          std::max_element(q.x.begin() + static_cast<std::ptrdiff_t>(q.vertex) + 1, q.x.end()) - q.x.begin());
      for (const long lambda : {1L, 1000L, 1000000L}) {
        const std::vector<Real> alpha = coefficients(q.base, q.y, q.x, lambda);
        const Real expected = power(q.base, q.y[q.vertex] - q.y[other]);
        CHECK((alpha[q.vertex] / alpha[other] / expected - 1).exponent() < -1000);
      }
      // Nor does the checker believe that it is.
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
    for (const mpz_class& larger :
         {lambda, mpz_class(lambda + 1), mpz_class(3 * lambda), mpz_class(1000 * lambda)})
      CHECK(close(q.base, q.y, q.x, larger, q.vertex, q.epsilon));
    // The least integer lambda >= 1, by bisection: the distance decreases in lambda.
    mpz_class low = 0, high = lambda;
    while (high - low > 1) {
      const mpz_class middle = (low + high) / 2;
      (close(q.base, q.y, q.x, middle, q.vertex, q.epsilon) ? high : low) = middle;
    }
    const auto with = [&](const char* key, const Json& value) {
      return accepted_after(c, proof, "ball", "vertex_limit", [&](Json& s) { s[key] = value; });
    };
    if (seed % 4 == 0) {
      CHECK(with("lambda", mpz_class(lambda + 12345).get_str()));
      CHECK_FALSE(with("lambda", low.get_str()));
      CHECK_FALSE(with("vertex", (q.vertex + 1) % q.x.size()));
      ++refused;
    }
  }
  MESSAGE("Lemma 4: ", verified, " verified, ", ties, " ties, ", top_ties, " of them at the top");
  CHECK(verified > 60);
  CHECK(ties > top_ties);
  CHECK(top_ties > 5);
  CHECK(refused > 15);
}
