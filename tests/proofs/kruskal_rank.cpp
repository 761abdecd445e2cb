#include "proofs/kruskal_rank.hpp"

#include "problem/numbers.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Draft with_queries(std::size_t context, std::size_t d, std::size_t T, const Numbers& queries,
                   const std::vector<std::string>& claims) {
  Draft draft = sized_draft(1, context, d, 1, T);
  draft.queries = queries;
  draft.contexts = Numbers(context * d, mpq_class(1));
  draft.claims = claims;
  return draft;
}

// The moment curve: any d of the points are independent.
Numbers moment_curve(std::size_t T, std::size_t d) {
  Numbers v;
  for (std::size_t t = 0; t < T; ++t) {
    mpq_class x = 1;
    for (std::size_t j = 0; j < d; ++j, x *= static_cast<unsigned long>(t + 1)) v.push_back(x);
  }
  return v;
}

}  // namespace

TEST_CASE("general position of the moment curve, and its end") {
  for (std::size_t d = 1; d <= 4; ++d)
    for (std::size_t T = 1; T <= 7; ++T) {
      CAPTURE(d);
      CAPTURE(T);
      Draft draft = with_queries(2, d, T, moment_curve(T, d),
                                 {claim("general-position"), claim("kruskal-rank"), claim("assumption-1")});
      auto proofs = certified(read(draft));
      CHECK(proofs[0].verdict() == Verdict::verified);
      CHECK(proofs[1].is("kruskal(queries)", std::min(T, d)));
      CHECK(proofs[2].verdict() == (std::min<std::size_t>(2, T) <= d ? Verdict::verified : Verdict::refuted));
      if (T < 2) continue;
      for (std::size_t j = 0; j < d; ++j) draft.queries[j] = -3 * draft.queries[d + j];
      proofs = certified(read(draft));
      CHECK(proofs[0].verdict() == (d == 1 ? Verdict::verified : Verdict::refuted));
      CHECK(proofs[1].is("kruskal(queries)", 1));
      CHECK(proofs[2].verdict() == Verdict::refuted);
    }
}

TEST_CASE("thresholds: value, at_least, at_most, also beyond what is possible") {
  const std::vector<std::pair<std::string, Verdict>> questions = {{"value = 3", Verdict::verified},
                                                                  {"value = 2", Verdict::refuted},
                                                                  {"value = 4", Verdict::refuted},
                                                                  {"value = 100", Verdict::refuted},
                                                                  {"at_least = 3", Verdict::verified},
                                                                  {"at_least = 4", Verdict::refuted},
                                                                  {"at_least = 0", Verdict::verified},
                                                                  {"at_least = 99", Verdict::refuted},
                                                                  {"at_most = 3", Verdict::verified},
                                                                  {"at_most = 2", Verdict::refuted},
                                                                  {"at_most = 0", Verdict::refuted},
                                                                  {"at_most = 99", Verdict::verified},
                                                                  {"", Verdict::verified}};
  std::vector<std::string> claims;
  for (const auto& [more, verdict] : questions) claims.push_back(claim("kruskal-rank", more));
  Numbers queries = moment_curve(7, 4);
  for (std::size_t j = 0; j < 4; ++j) queries[24 + j] = queries[j] + queries[4 + j] - 2 * queries[8 + j];
  const auto proofs = certified(read(with_queries(1, 4, 7, queries, claims)));
  for (std::size_t k = 0; k < questions.size(); ++k) {
    CAPTURE(questions[k].first);
    CHECK(proofs[k].verdict() == questions[k].second);
  }
}

TEST_CASE("a budget that ends the search leaves an interval, undecided and marked as limited") {
  Random random(1);
  const Draft draft = with_queries(3, 6, 16, integers(random, 96, 100),
                                   {claim("kruskal-rank"), claim("general-position"), claim("assumption-1")});
  Effort effort;
  effort.subsets = 100;
  const auto proofs = certified(read(draft), effort);
  for (const Proof& proof : proofs) {
    CHECK(proof.verdict() == Verdict::undecided);
    CHECK(proof.limited);
    CHECK_FALSE(proof.reason.empty());
    CHECK_FALSE(proof.of("kruskal(queries)").decided());
  }
  // What the interval proves is still decided: at_least = 1, at_most = 6.
  Draft easy = draft;
  easy.claims = {claim("kruskal-rank", "at_least = 1"), claim("kruskal-rank", "at_most = 6"),
                 claim("kruskal-rank", "value = 7")};
  const auto decided = certified(read(easy), effort);
  CHECK(decided[0].verdict() == Verdict::verified);
  CHECK(decided[1].verdict() == Verdict::verified);
  CHECK(decided[2].verdict() == Verdict::refuted);
}

TEST_CASE("claims that share their searches get the same certificates") {
  FOR_SEEDS(12, 0) {
    Draft draft = with_queries(3, 6, 16, integers(random, 96, seed % 2 == 0 ? 100 : 2),
                               {claim("assumption-1"), claim("assumption-3"), claim("kruskal-rank"),
                                claim("general-position"), claim("kruskal-rank", "at_least = 2")});
    draft.contexts = integers(random, 18, 5);
    const Case c = read(draft);
    Effort apart;
    apart.subsets = seed % 3 == 0 ? 100 : 1e6;
    apart.samples = 20;
    Effort shared = apart;
    shared.searches = std::make_shared<VectorSearches>();
    const auto one = certified(c, apart), other = certified(c, shared);
    for (std::size_t k = 0; k < one.size(); ++k) {
      CHECK(one[k].steps == other[k].steps);
      CHECK(one[k].verdict() == other[k].verdict());
      const auto a = prove(c, c.claims[k], apart).sampled, b = prove(c, c.claims[k], shared).sampled;
      REQUIRE(a.has_value() == b.has_value());
      if (a) CHECK(std::pair(a->size, a->independent) == std::pair(b->size, b->independent));
    }
  }
}

TEST_CASE("zero queries, one query, n larger than d") {
  auto proofs = certified(
      read(with_queries(2, 2, 3, {1, 0, 0, 0, 0, 1}, {claim("kruskal-rank"), claim("assumption-1")})));
  CHECK(proofs[0].is("kruskal(queries)", 0));
  CHECK(proofs[1].verdict() == Verdict::refuted);
  proofs = certified(read(with_queries(1, 2, 1, {0, 0}, {claim("kruskal-rank"), claim("assumption-1")})));
  CHECK(proofs[1].verdict() == Verdict::refuted);
  proofs = certified(read(with_queries(3, 2, 4, moment_curve(4, 2), {claim("assumption-1")})));
  CHECK(proofs[0].verdict() == Verdict::refuted);
  CHECK(proofs[0].steps.size() == 1);  // n > d: the rank is at most d without proof
  proofs = certified(read(with_queries(3, 2, 2, moment_curve(2, 2), {claim("assumption-1")})));
  CHECK(proofs[0].verdict() == Verdict::verified);
}

TEST_CASE("Kruskal rank: no subset too large, no other relation, no number that the step does not prove") {
  Numbers queries = moment_curve(5, 3);
  for (std::size_t j = 0; j < 3; ++j) queries[12 + j] = queries[j] - 2 * queries[3 + j];
  const auto [c, proof] = proved(with_queries(2, 3, 5, queries, {claim("kruskal-rank", "value = 2")}));
  CHECK(proof.verdict() == Verdict::verified);
  const auto lower = [&](auto&& change) {
    return accepted_after(c, proof, "subsets", "kruskal(queries)", change);
  };
  const auto upper = [&](auto&& change) {
    return accepted_after(c, proof, "zero", "kruskal(queries)", change);
  };
  CHECK(lower([](Json&) {}));
  CHECK_FALSE(lower([](Json& s) {
    s["k"] = 3;
    s["fact"] = "kruskal(queries) >= 3";
  }));
  CHECK_FALSE(lower([](Json& s) { s["fact"] = "kruskal(queries) >= 1"; }));
  CHECK_FALSE(lower([](Json& s) { s["p"] = 4; }));
  CHECK(upper([](Json& s) {
    for (Json& entry : s["vectors"][0])
      entry[1] = mpq_class(-3 * parse_number(entry[1].get<std::string>())).get_str();
  }));
  CHECK_FALSE(upper([](Json& s) { s["vectors"][0][0][1] = "7"; }));
  CHECK_FALSE(upper([](Json& s) { s["vectors"][0].erase(0); }));
  CHECK_FALSE(upper([](Json& s) { s["side"] = "right"; }));
}

TEST_CASE("a threshold as a hypothesis: only the step that decides it") {
  Random random(3);
  Draft draft = random_draft(random, 2, 2, 3, 2, 5, false, 9);
  draft.claims = {claim("kruskal-rank")};
  const Case c = read(draft);
  ProofScript holds(c), fails(c), open(c);
  RationalMatrix vectors(5, 3);
  const Numbers points = moment_curve(5, 3);
  std::copy(points.begin(), points.end(), vectors.data());
  CHECK(decide_kruskal_threshold("kruskal(queries)", vectors, 3, 1e6, holds));
  CHECK(holds.of("kruskal(queries)").lower == 3);
  for (std::size_t j = 0; j < 3; ++j) vectors(4, j) = 2 * vectors(0, j);
  CHECK(decide_kruskal_threshold("kruskal(queries)", vectors, 3, 1e6, fails));
  CHECK(fails.of("kruskal(queries)").upper < 3);
  CHECK(fails.steps().size() == 1);
  const RationalMatrix many = random.matrix(16, 6, 100);
  CHECK_FALSE(decide_kruskal_threshold("kruskal(queries)", many, 5, 10, open));
  CHECK(open.steps().empty());
}
