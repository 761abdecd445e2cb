// The capacity against formulas that are proved in proofs/formal (two tokens, three tokens, symmetric
// tokens); against ranks at random weights tests/checker/capacities.py and nonparallel.py hold it.
#include "problem/numbers.hpp"
#include "proofs/kruskal_rank.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

// Pairwise different queries, among them opposite ones and (sometimes) 0.
Numbers signed_queries(Random& random, std::size_t T, std::size_t d) {
  std::vector<Numbers> rows;
  while (rows.size() < T) {
    Numbers q = integers(random, d, 3);
    if (!rows.empty() && !random.one_in(3)) {
      q = rows[random.below(rows.size())];
      for (mpq_class& x : q) x = -x;
    } else if (random.one_in(6)) {
      q = Numbers(d);
    }
    if (std::find(rows.begin(), rows.end(), q) == rows.end()) rows.push_back(q);
  }
  Numbers all;
  for (const Numbers& q : rows) all.insert(all.end(), q.begin(), q.end());
  return all;
}

// Non-zero queries up to sign.
std::size_t classes(const Numbers& queries, std::size_t d) {
  std::vector<Numbers> seen;
  for (std::size_t k = 0; k < queries.size(); k += d) {
    Numbers q(queries.begin() + static_cast<std::ptrdiff_t>(k),
              queries.begin() + static_cast<std::ptrdiff_t>(k + d)),
        opposite = q;
    for (mpq_class& x : opposite) x = -x;
    if (q == Numbers(d)) continue;
    if (std::find(seen.begin(), seen.end(), q) == seen.end() &&
        std::find(seen.begin(), seen.end(), opposite) == seen.end())
      seen.push_back(q);
  }
  return seen.size();
}

Draft shared(std::size_t heads, std::size_t head_dim, const Numbers& tokens, std::size_t n,
             const Numbers& queries) {
  const std::size_t d = tokens.size() / n;
  Draft draft = sized_draft(heads, n, d, head_dim, queries.size() / d);
  draft.contexts = tokens;
  draft.queries = queries;
  draft.claims = {claim("capacity")};
  return draft;
}

}  // namespace

TEST_CASE("capacity: two independent tokens, min(T, 1 + min(H, N))") {
  std::size_t obstructed = 0;
  FOR_SEEDS(40, 0) {
    const std::size_t d = random.between(2, 3), T = random.between(1, 8), H = random.between(1, 8);
    Numbers tokens = integers(random, 2 * d, 3);
    tokens[0] = 1, tokens[1] = 0, tokens[d] = 0, tokens[d + 1] = 1;
    Draft draft = shared(H, random.between(1, d), tokens, 2, signed_queries(random, T, d));
    draft.base = random.one_in(3) ? Base::two : Base::e;
    const std::size_t expected = std::min(T, 1 + std::min(H, classes(draft.queries, d)));
    draft.claims = {claim("capacity", "value = " + std::to_string(expected)),
                    claim("capacity", "at_least = " + std::to_string(expected + 1)),
                    claim("capacity", "at_most = " + std::to_string(expected))};
    const auto proofs = certified(read(draft));
    CHECK(proofs[0].is("capacity", expected));
    CHECK(proofs[0].verdict() == Verdict::verified);
    CHECK(proofs[1].verdict() == Verdict::refuted);
    CHECK(proofs[2].verdict() == Verdict::verified);
    if (expected < std::min(T, H + 1)) ++obstructed;
  }
  CHECK(obstructed > 5);
}

TEST_CASE("capacity: many pairs of opposite queries, more than the output has dimensions") {
  Random random(2);
  Numbers queries = integers(random, 20 * 3, 50);
  for (std::size_t k = 0; k < 20 * 3; ++k) queries.push_back(-queries[k]);
  const Draft draft = shared(25, 2, {1, 2, 0, 0, 1, 1}, 2, queries);
  CHECK(certified(read(draft))[0].is("capacity", 21));
}

TEST_CASE("capacity: three independent tokens, min(T, 2 H + 1) for all distinct queries") {
  FOR_SEEDS(12, 0) {
    const std::size_t T = random.between(1, 9), H = random.between(1, 4);
    const Draft draft =
        shared(H, random.between(1, 3), {1, 0, 0, 0, 1, 0, 2, 0, 1}, 3, signed_queries(random, T, 3));
    CHECK(certified(read(draft))[0].is("capacity", std::min(T, 2 * H + 1)));
  }
}

TEST_CASE("capacity: tokens x and -x make the output odd") {
  FOR_SEEDS(12, 0) {
    const std::size_t T = random.between(2, 7);
    const Draft draft = shared(6, 2, {1, 0, -1, 0, 1, 2, -1, -2}, 4, signed_queries(random, T, 2));
    const Proof proof = certified(read(draft))[0];
    CHECK(proof.is("capacity", std::min<std::size_t>(classes(draft.queries, 2), 12)));
  }
}

TEST_CASE("capacity: a relation that holds for some weights only, or for other examples, is refused") {
  // Zero weights give every example the mean of its tokens; a relation of the means is none for all weights.
  Draft draft = sized_draft(3, 2, 2, 2, 4);
  draft.contexts = {1, 0, 0, 1};
  draft.queries = {1, 2, -1, -2, 3, 1, -3, -1};
  draft.key = draft.query = Numbers(12);
  draft.claims = {claim("capacity")};
  const auto [c, proof] = proved(draft);
  CHECK(proof.is("capacity", 3));
  const auto with = [&](auto&& change) { return accepted_after(c, proof, "zero", "capacity", change); };
  const auto vectors = [](const char* text) { return Json::parse(text); };
  CHECK(with([&](Json& s) { s["vectors"] = vectors(R"([[[0,"2"],[1,"2"],[2,"-2"],[3,"-2"]]])"); }));
  CHECK_FALSE(with([&](Json& s) { s["vectors"] = vectors(R"([[[0,"1"],[1,"-1"]]])"); }));
  CHECK_FALSE(with([&](Json& s) { s["vectors"] = vectors(R"([[[0,"1"],[1,"1"],[2,"-1"]]])"); }));
  CHECK_FALSE(with([&](Json& s) { s["vectors"] = vectors(R"([[[0,"1"],[1,"1"],[2,"-1"],[3,"-2"]]])"); }));
  CHECK_FALSE(with([&](Json& s) { s["vectors"] = vectors(R"([[[0,"0"]]])"); }));
  CHECK_FALSE(with([&](Json& s) { s["vectors"] = vectors(R"([[[4,"1"]]])"); }));
  CHECK_FALSE(with([](Json& s) { s["side"] = "right"; }));
  CHECK_FALSE(with([](Json& s) { s["fact"] = "capacity <= 2"; }));
  CHECK_FALSE(with([](Json& s) {  // twice the same vector
    s["vectors"].push_back(s["vectors"][0]);
    s["fact"] = "capacity <= 2";
  }));
}

TEST_CASE("capacity: heads that point at tokens, where no two queries that move something are parallel") {
  Draft draft = sized_draft(2, 2, 2, 2, 4);
  draft.contexts = {1, 0, 0, 1};
  draft.claims = {claim("capacity")};
  const auto without_characters = [&](const Numbers& queries) {
    draft.queries = queries;
    const Proof proof = certified(read(draft))[0];
    CHECK(proof.is("capacity", 3));
    CHECK(has_step(proof, "coefficients", "capacity") != has_step(proof, "theorem", "some-weights"));
    return has_step(proof, "coefficients", "capacity");
  };
  CHECK(without_characters({1, 0, 0, 1, 1, 1, 1, -1}));
  CHECK(without_characters({1, 0, 0, 1, 1, 1, 0, 0}));
  CHECK(without_characters({1, 0, 0, 1, 1, 1, -2, -2}));  // three of the rows are enough
  CHECK_FALSE(without_characters({1, 0, 2, 0, 3, 0, 4, 0}));
}

TEST_CASE("capacity: weights that are not of the shape do not count") {
  Draft draft = sized_draft(2, 2, 2, 1, 4);
  draft.contexts = {1, 0, 0, 1};
  draft.queries = {1, 2, -1, -2, 3, 1, -3, -1};
  draft.claims = {claim("capacity"), claim("rank")};
  // A query bias breaks the symmetry of opposite queries: rank 3 is the capacity, rank 4 needs a bias.
  draft.heads = 3;
  draft.key = {1, 2, 3, 1, -1, 2}, draft.query = {1, 1, 2, -1, 1, 3}, draft.query_bias = {1, 2, 3};
  const Case c = read(draft);
  const auto proofs = certified(c);
  CHECK(proofs[0].is("capacity", 3));
  CHECK(proofs[1].is("rank(Z(given))", 4));
  Proof forged = proofs[1];
  forged.steps.push_back({{"rule", "theorem"},
                          {"theorem", "some-weights"},
                          {"uses", {0}},
                          {"layer", "given"},
                          {"fact", "capacity >= 4"}});
  REQUIRE(forged.steps[0]["fact"] == "rank(Z(given)) >= 4");
  CHECK_FALSE(accepted(c, {proofs[0], forged}));
  CHECK_FALSE(accepted(c, {forged, proofs[1]}));
}

TEST_CASE("capacity: a relation of too many examples is left alone, and the claim honestly undecided") {
  // Two examples e, -e for each of d + 1 contexts: their sums of tokens have one relation, of 2 (d + 1)
  // examples, whose softmax denominators have 2^20 products.
  Random random(1);
  const std::size_t d = 9;
  Draft draft = sized_draft(3, 2, d, 1, 2 * (d + 1));
  draft.shared = false;
  for (std::size_t t = 0; t <= d; ++t) {
    const Numbers tokens = integers(random, 2 * d, 4), query = integers(random, d, 4);
    for (const int sign : {1, -1}) {
      draft.contexts.insert(draft.contexts.end(), tokens.begin(), tokens.end());
      for (const mpq_class& x : query) draft.queries.push_back(sign * x);
    }
  }
  draft.claims = {claim("capacity"), claim("capacity", "at_least = 19"), claim("capacity", "value = 18")};
  const auto proofs = certified(read(draft));
  CHECK(proofs[0].verdict() == Verdict::undecided);
  CHECK(proofs[0].of("capacity").lower == 19);
  CHECK(proofs[0].of("capacity").upper == 20);
  CHECK(proofs[0].reason.find("19 <= capacity <= 20") != std::string::npos);
  CHECK(proofs[1].verdict() == Verdict::verified);
  CHECK(proofs[2].verdict() == Verdict::refuted);
}

TEST_CASE("capacity: examples that have only one first token, among many") {
  // As position 0 of each sequence under a causal mask: they span one dimension together.
  Random random(2);
  const std::size_t T = 320, d = 40;
  Draft draft = sized_draft(8, 2, d, 1, T);
  draft.shared = false;
  const Numbers first = integers(random, d, 9);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t i = 0; i < 2; ++i) {
      const Numbers token = t % 5 == 0 ? first : integers(random, d, 9);
      draft.contexts.insert(draft.contexts.end(), token.begin(), token.end());
    }
  draft.queries = integers(random, T * d, 9);
  draft.claims = {claim("capacity")};
  CHECK(certified(read(draft))[0].is("capacity", T - T / 5 + 1));
}

TEST_CASE("capacity: of many examples heads that point at tokens, where these reach it") {
  Random random(3);
  const std::size_t T = 600, d = 80, n = 3;
  const auto of = [&](std::size_t heads, bool query_bias, bool parallel) {
    Draft draft = sized_draft(heads, n, d, 1, T);
    draft.shared = false;
    draft.contexts = integers(random, T * n * d, 9);
    draft.queries = integers(random, T * d, 9);
    for (std::size_t j = 0; parallel && j < d; ++j) draft.queries[j] = -2 * draft.queries[d + j];
    draft.claims = {claim("capacity"), claim("any-coefficients")};
    if (query_bias) draft.claims.pop_back();
    Case c = read(draft);
    c.layer->query_bias = query_bias;
    return certified(c);
  };
  // Independent in one head up to d examples, differences in each of the others.
  for (const bool query_bias : {false, true}) {
    const auto proofs = of(9, query_bias, false);
    CHECK(proofs[0].is("capacity", T));
    CHECK(has_step(proofs[0], "coefficients"));
    CHECK(proofs[0].of("rank(Z(any))").lower == T);
    if (!query_bias) CHECK(proofs[1].is("rank(Z(any))", T));
  }
  CHECK(of(7, false, false)[0].is("capacity", 7 * d));
  // Two queries are multiples of each other: weights that are written down.
  const auto others = of(9, false, true);
  CHECK(others[0].is("capacity", T));
  CHECK_FALSE(has_step(others[0], "coefficients"));
}

TEST_CASE("claims that share their weights get the same certificates") {
  FOR_SEEDS(12, 0) {
    // Queries of few dimensions: hulls allow more than the weights of any shape reach.
    Draft draft = random_draft(random, 1 + seed % 3, 2, 2, 1, 7, seed % 2 == 0, 2);
    draft.claims = {claim("capacity"), claim("affine-hull-bound"), claim("any-coefficients"),
                    claim("capacity", "heads = 2"), claim("capacity", "at_most = 2")};
    const Case c = read(draft);
    Effort shared;
    shared.searches = std::make_shared<VectorSearches>();
    const auto one = certified(c), other = certified(c, shared);
    CHECK(!shared.searches->weights.of_layers.empty());
    for (std::size_t k = 0; k < one.size(); ++k) {
      CAPTURE(k);
      CHECK(one[k].steps == other[k].steps);
    }
  }
}

TEST_CASE("words and positions: the number for all embeddings, from sums and from contexts that are none") {
  FOR_SEEDS(20, 0) {
    const std::size_t N = 1 + seed % 3, n = 1 + seed % 4, d = 6, T = 5, H = 1 + seed % 2;
    Draft draft = random_draft(random, H, n, d, 1, T, false, 9);
    const Numbers words = integers(random, N * d, 9), positions = integers(random, n * d, 9);
    Numbers spoken;
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t i = 0; i < n; ++i) {
        // All words occur at position 0, so that there is one set.
        const std::size_t word = i == 0 ? t % N : (t + random.below(2)) % N;
        spoken.emplace_back(word);
        for (std::size_t j = 0; j < d; ++j)
          draft.contexts[(t * n + i) * d + j] = words[word * d + j] + positions[i * d + j];
      }
    const std::string sequences = lines("sequences", spoken, {T, n});
    const std::size_t most = std::min({T, H * d, H * (N + n - 2) + 1});
    draft.claims = {claim("words-and-positions", sequences),
                    claim("words-and-positions", sequences + "at_most = " + std::to_string(most)),
                    claim("capacity")};
    auto proofs = certified(read(draft));
    CHECK(proofs[1].verdict() == Verdict::verified);
    CHECK(proofs[0].of("embedded_capacity").lower == proofs[2].of("capacity").lower);
    CHECK(proofs[0].of("embedded_capacity").upper <= most);
    if (n == 1) continue;
    draft.contexts[d] += 1;  // the token of example 0 at position 1 is no such sum any more
    const auto none = certified(read(draft));
    CHECK(none[1].verdict() == Verdict::verified);
    CHECK_FALSE(has_step(none[0], "theorem", "some-embeddings"));
  }
}
