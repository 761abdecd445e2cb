#include "proofs/proof.hpp"

#include "proofs/provers.hpp"
#include "search/layer.hpp"
#include "tests/proofs/cases.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("the table of provers has each statement once, in the order of the statements") {
  REQUIRE(provers().size() == statements().size());
  for (std::size_t k = 0; k < provers().size(); ++k) CHECK(provers()[k].first == statements()[k].spec.name);
  Case c;
  Claim claim;
  claim.statement = "no-such-statement";
  CHECK_THROWS_WITH_AS(prove(c, claim, {}), "no prover for no-such-statement", std::logic_error);
}

TEST_CASE("a step has the keys that the table has for its rule and quantity, and no other") {
  Random random(2);
  Draft draft = random_draft(random, 2, 2, 4, 2, 4, false, 9);
  draft.claims = {claim("kruskal-rank")};
  const Case c = read(draft);
  ProofScript script(c);
  const Fact fact = Fact::at_least("kruskal(queries)", 2);
  CHECK_THROWS_WITH_AS(script.add("subset", fact, {{"k", 2}}), "no rule subset proves kruskal(queries) >= 2",
                       std::logic_error);
  CHECK_THROWS_AS(script.add("subsets", Fact::at_least("rank(tokens)", 2), {{"k", 2}}), std::logic_error);
  CHECK_THROWS_WITH_AS(script.add("subsets", fact, {{"k", 2}, {"p", 7}}), "a step of subsets without method",
                       std::logic_error);
  CHECK_THROWS_AS(script.add("subsets", fact, {{"k", 2}, {"p", 7}, {"method", "dual"}, {"q", 3}}),
                  std::logic_error);
  CHECK(script.steps().empty());
  script.add("subsets", fact, {{"k", 2}, {"p", 7}, {"method", "dual"}});
  CHECK(script.steps()[0].dump() ==
        R"-({"rule":"subsets","of":"kruskal(queries)","k":2,"p":7,"method":"dual",)-"
        R"-("fact":"kruskal(queries) >= 2"})-");
}

TEST_CASE("a claim that is decided has no reason, one that is not has one") {
  Random random(7006);
  Draft draft = random_draft(random, 2, 3, 4, 2, 8, true, 9);
  draft.claims = {claim("rank"), claim("kruskal-rank")};
  Effort little;
  little.subsets = 2;
  const auto proofs = certified(read(draft), little);
  CHECK(proofs[0].verdict() == Verdict::verified);
  CHECK(proofs[0].reason.empty());
  CHECK_FALSE(proofs[0].limited);
  CHECK(proofs[1].verdict() == Verdict::undecided);
  CHECK_FALSE(proofs[1].reason.empty());
  CHECK(proofs[1].limited);
}

TEST_CASE("a prover that contradicts itself is named with both facts, the case and the claim") {
  Random random(7007);
  Draft draft = random_draft(random, 2, 3, 4, 2, 8, true, 9);
  draft.claims = {claim("kruskal-rank"), claim("rank")};
  const Case c = read(draft);
  const Prover defective = [](const Case&, const Claim&, const Effort&, ClaimProof& proof) {
    const std::vector<SparseRational> one = {{{0, 1}}};
    proof.script.independent_rows("rank(contexts)", 3, 7);
    proof.script.zero("rank(contexts)", ProofScript::Side::left, one, 3, 3);
  };
  try {
    prove_by(defective, c, c.claims[1], {});
    FAIL("no contradiction");
  } catch (const Contradiction& contradiction) {
    const std::string text = contradiction.what();
    CAPTURE(text);
    CHECK(text.starts_with(c.path.string() + ": line "));
    CHECK(text.find("claim 1 (rank): the facts rank(contexts) >= 3 and rank(contexts) <= 2 contradict each "
                    "other; one of them is wrong") != std::string::npos);
  }
}

TEST_CASE("derive: the best facts, only when they tighten, never against a condition") {
  Random random(1);
  Draft draft = random_draft(random, 3, 3, 4, 2, 20, false, 9);
  draft.claims = {claim("rank")};
  const Case c = read(draft);
  ProofScript script(c, c.claims[0]);
  // d + 1 = 5: H 4 + 1 = 13 is no better than H d = 12.
  derive(script, "affine-hull");
  CHECK(script.steps().empty());
  const std::vector<SparseRational> one = {{{0, 1}}}, two = {{{0, 1}}, {{1, 1}}};
  script.zero("rank(affine-tokens)", ProofScript::Side::right, one, 5, 3);
  script.zero("rank(affine-tokens)", ProofScript::Side::right, two, 5, 3);
  derive(script, "affine-hull");
  REQUIRE(script.steps().size() == 3);
  CHECK(script.fact(2).text() == "rank(Z(any)) <= 7");
  CHECK(script.steps()[2]["uses"] == Json{1});
  derive(script, "affine-hull");  // nothing new
  derive(script, "any-coefficients", "given");
  REQUIRE(script.steps().size() == 4);
  CHECK(script.fact(3).text() == "rank(Z(given)) <= 7");
  CHECK(script.steps()[3]["layer"] == "given");
  script.minor("rank(Z(given))", {7, 2, {0, 1}, {0, 1}});
  derive(script, "some-coefficients", "given");
  CHECK(script.of("rank(Z(any))").lower == 2);
  CHECK(script.steps().back()["uses"] == Json{4});
  CHECK_THROWS_AS(derive(script, "constant-heads", "given"), std::invalid_argument);
}

TEST_CASE("the paper's lower bound") {
  Dimensions dims;
  dims.heads = 4, dims.context = 3, dims.embed_dim = 5, dims.head_dim = 3, dims.examples = 100;
  CHECK(head_rank(dims) == 3);
  CHECK(paper_lower_bound(dims) == 9);
  dims.head_dim = 1;
  CHECK(paper_lower_bound(dims) == 1);
  dims.head_dim = 7;
  dims.examples = 5;
  CHECK(paper_lower_bound(dims) == 5);
}
