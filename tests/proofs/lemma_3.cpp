// All subsets of small cases: W' exists exactly when no other
// query is in the span of those of I and no other context has a token twice: a space over an infinite field
// is no union of finitely many hyperplanes.
#include "proofs/lemma_3.hpp"

#include "search/layer.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

namespace {

bool equal_tokens(const Case& c, std::size_t t) {
  const RationalMatrix e = tokens_of(c, t);
  for (std::size_t i = 0; i < e.rows(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (std::equal(e.row(i), e.row(i) + e.cols(), e.row(k))) return true;
  return false;
}

bool is_member(const std::vector<std::size_t>& subset, std::size_t t) {
  return std::find(subset.begin(), subset.end(), t) != subset.end();
}

std::vector<std::vector<std::size_t>> subsets(std::size_t count, std::size_t size) {
  std::vector<std::vector<std::size_t>> result;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << count; ++set) {
    std::vector<std::size_t> members;
    for (std::size_t t = 0; t < count; ++t)
      if ((set >> t & 1) != 0) members.push_back(t);
    if (members.size() == size) result.push_back(members);
  }
  return result;
}

}  // namespace

TEST_CASE("Lemma 3: every subset of n - 1 examples, and whether a separator exists at all") {
  std::size_t separated = 0, impossible = 0, verified = 0, inapplicable = 0;
  FOR_SEEDS(30, 0) {
    const std::size_t n = random.between(2, 4), d = n + random.below(2), T = random.between(n, 6);
    Draft draft =
        random_draft(random, 1, n, d, 1, T, random.one_in(2), seed % 3 == 0 ? 1 : 5).without_weights();
    const auto all = subsets(T, n - 1);
    for (const auto& subset : all) draft.claims.push_back(claim("lemma-3", lines("subset", subset)));
    const Case c = read(draft);
    const auto proofs = certified(c);

    const bool assumption_1 = textbook_kruskal_rank(queries_of(c)) >= n;
    bool assumption_2 = true;
    for (std::size_t t = 0; t < T; ++t) assumption_2 = assumption_2 && textbook_rank(tokens_of(c, t)) == n;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::vector<std::size_t>& subset = all[k];
      CAPTURE(k);
      CHECK((proofs[k].hypothesis("assumption-1") == Truth::yes) == assumption_1);
      CHECK((proofs[k].hypothesis("assumption-2") == Truth::yes) == assumption_2);
      CHECK(proofs[k].verdict() ==
            (assumption_1 && assumption_2 ? Verdict::verified : Verdict::inapplicable));
      ++(assumption_1 && assumption_2 ? verified : inapplicable);

      const std::size_t rank = textbook_rank(rows_of(queries_of(c), subset));
      bool exists = rank == subset.size();
      for (std::size_t t = 0; t < T; ++t) {
        if (is_member(subset, t)) continue;
        std::vector<std::size_t> more = subset;
        more.push_back(t);
        exists = exists && textbook_rank(rows_of(queries_of(c), more)) > rank && !equal_tokens(c, t);
      }
      CHECK((proofs[k].conclusion() == Truth::yes) == exists);
      CHECK(has_step(proofs[k], "compare", "separator") == exists);
      ++(exists ? separated : impossible);
    }
  }
  MESSAGE("Lemma 3: ", separated, " separated, ", impossible, " impossible");
  CHECK(separated > 50);
  CHECK(impossible > 20);
  CHECK(verified > 50);
  CHECK(inapplicable > 50);
}

TEST_CASE("Lemma 3: a query in the span, an equal pair of tokens, and other matrices are rejected") {
  Random random(5);
  Draft draft = random_draft(random, 1, 3, 4, 1, 5, false, 9).without_weights();
  draft.claims = {claim("lemma-3", "subset = [1, 3]\n")};
  const auto [c, proof] = proved(draft);
  REQUIRE(proof.verdict() == Verdict::verified);
  const Json separator = step(proof, "compare", "separator");
  const auto with = [&](const char* key, const Json& vector) {
    return accepted_after(c, proof, "compare", "separator", [&](Json& s) { s[key] = vector; });
  };
  Json vector = separator["v"];
  CHECK(with("v", vector));
  for (Json& x : vector["num"]) x = mpz_class(-7 * mpz_class(x.get<std::string>())).get_str();
  CHECK(with("v", vector));
  vector["num"][0] = mpz_class(1 + mpz_class(vector["num"][0].get<std::string>())).get_str();
  CHECK_FALSE(with("v", vector));  // no longer 0 on the subset
  CHECK_FALSE(with("v", Json({{"den", "1"}, {"num", {"0", "0", "0", "0"}}})));
  // u orthogonal to the difference of two tokens of example 0.
  const mpq_class x = draft.contexts[0] - draft.contexts[4], y = draft.contexts[1] - draft.contexts[5];
  CHECK_FALSE(with("u", Json({{"den", "1"}, {"num", {y.get_str(), mpq_class(-x).get_str(), "0", "0"}}})));

  Draft span = draft;  // e_0 = e_1 - 2 e_3
  for (std::size_t j = 0; j < 4; ++j) span.queries[j] = span.queries[4 + j] - 2 * span.queries[12 + j];
  Proof other = certified(read(span))[0];
  CHECK(other.verdict() == Verdict::inapplicable);
  CHECK(other.conclusion() != Truth::yes);
  Draft twice = draft;
  for (std::size_t j = 0; j < 4; ++j) twice.contexts[j] = twice.contexts[4 + j];
  other = certified(read(twice))[0];
  CHECK(other.verdict() == Verdict::inapplicable);
  CHECK(other.conclusion() != Truth::yes);
  // The same in a context of the subset: Assumption 2 fails, but W' exists.
  Draft inside = draft;
  for (std::size_t j = 0; j < 4; ++j) inside.contexts[12 + j] = inside.contexts[16 + j];
  other = certified(read(inside))[0];
  CHECK(other.verdict() == Verdict::inapplicable);
  CHECK(other.conclusion() == Truth::yes);
}
