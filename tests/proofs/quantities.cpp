// Computed quantities by other routes, and what no certificate of the other tests depends on.
#include "proofs/quantities.hpp"

#include <set>

#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

mpz_class value(const Case& c, const std::string& name, std::size_t k = 0) {
  const Bounds bounds = quantities(c, c.claims[k])(name);
  CHECK(bounds.decided());
  return bounds.lower;
}

// Different matrices among rows first .. first + size - 1.
std::size_t different(const std::vector<Numbers>& items) {
  return std::set<Numbers>(items.begin(), items.end()).size();
}

}  // namespace

TEST_CASE("what differs, what is fractional, on small random data") {
  FOR_SEEDS(60, 0) {
    const bool shared = seed % 2 == 0;
    const std::size_t n = random.between(1, 2), d = random.between(1, 2), T = random.between(1, 8);
    Draft draft = random_draft(random, 1, n, d, 1, T, shared, 1);
    if (seed % 3 == 0) draft.contexts = rationals(random, draft.contexts.size(), 1, 2);
    draft.claims = {claim("rank")};
    const Case c = read(draft);
    std::vector<Numbers> contexts, tokens, examples, sums;
    std::size_t fractions = 0;
    for (const mpq_class& x : draft.contexts) fractions += x.get_den() == 1 ? 0 : 1;
    for (std::size_t t = 0; t < T; ++t) {
      const RationalMatrix context = tokens_of(c, t);
      contexts.emplace_back(context.data(), context.data() + n * d);
      Numbers example = contexts.back();
      for (std::size_t j = 0; j < d; ++j) example.push_back(draft.queries[t * d + j]);
      examples.push_back(example);
      for (std::size_t i = 0; i < n; ++i) {
        tokens.emplace_back(context.row(i), context.row(i) + d);
        sums.push_back({std::accumulate(context.row(i), context.row(i) + d, mpq_class(0))});
      }
    }
    CHECK(value(c, "distinct(contexts)") == different(contexts));
    CHECK(value(c, "distinct(tokens)") == different(tokens));
    CHECK(value(c, "distinct(examples)") == different(examples));
    CHECK(value(c, "distinct(token-sums)") == different(sums));
    CHECK(value(c, "fractions(inputs)") == fractions);
    CHECK(value(c, "varying(inputs)") == (different(contexts) == 1 ? d : (n + 1) * d));
  }
}

TEST_CASE("queries off the moment curve") {
  Draft draft = sized_draft(1, 1, 3, 1, 5);
  draft.contexts = {1, 1, 1};
  draft.queries = {1, 0, 0, 1, 2, 4, 1, mpq_class(-1, 2), mpq_class(1, 4), 1, 3, 9, 1, 5, 25};
  draft.claims = {claim("kruskal-rank")};
  CHECK(value(read(draft), "off_moment_curve") == 0);
  draft.queries[9 + 2] = 8;  // (1, 3, 8)
  CHECK(value(read(draft), "off_moment_curve") == 1);
  draft.queries[0] = 2;  // (2, 0, 0)
  CHECK(value(read(draft), "off_moment_curve") == 2);
  draft.queries[0] = 1;
  draft.queries[9 + 1] = 2, draft.queries[9 + 2] = 4;  // x = 2 twice
  CHECK(value(read(draft), "off_moment_curve") == 1);
  Draft line = sized_draft(1, 1, 1, 1, 3);
  line.contexts = {1};
  line.queries = {1, 1, 2};
  line.claims = {claim("kruskal-rank")};
  CHECK(value(read(line), "off_moment_curve") == 1);  // in dimension 1 every query 1 is on it
}

TEST_CASE("given weights of the shape, sizes and arguments, unknown names") {
  Random random(1);
  Draft draft = random_draft(random, 2, 2, 3, 2, 4, true, 3);
  draft.claims = {claim("rank", "at_least = 7")};
  Case c = read(draft);
  CHECK(value(c, "in_shape(given)") == 1);
  CHECK(value(c, "in_shape(0)") == 1);
  CHECK(value(c, "H") == 2);
  CHECK(value(c, "at_least") == 7);
  CHECK_THROWS_AS(value(c, "rank(tokens)"), std::logic_error);
  CHECK_THROWS_AS(value(c, "heads(3)"), std::logic_error);
  draft.key_bias = {1, 2, 3, 4};
  CHECK(value(read(draft), "in_shape(given)") == 1);  // adds a constant to the logits of an example
  draft.query_bias = {1, 2, 3, 4};
  CHECK(value(read(draft), "in_shape(given)") == 0);
  Draft combined = random_draft(random, 2, 2, 3, 2, 4, true, 3).without_weights();
  combined.combined = integers(random, 18, 3);
  combined.claims = {claim("rank")};
  CHECK(value(read(combined), "in_shape(given)") == 0);
  combined.head_dim = 3;
  CHECK(value(read(combined), "in_shape(given)") == 1);
}
